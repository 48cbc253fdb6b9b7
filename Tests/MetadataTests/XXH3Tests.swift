import Digests
import Glibc
import Model
import TestSupport
import Testing

struct XXH3Tests {
  /// From tests/sanity_test_vectors.h of xxHash, those without a seed: length, high and low half.
  private static let vectors: [(Int, UInt64, UInt64)] = [
    (0, 0x99aa_06d3_0147_98d8, 0x6001_c324_468d_497f),
    (1, 0xa6cd_5e93_9200_0f6a, 0xc44b_dff4_074e_ecdb),
    (6, 0x082a_fe0b_8162_d12a, 0x3e70_39bd_da43_cfc6),
    (12, 0x6e3e_fd8f_c780_2b18, 0x061a_1927_13f6_9ad9),
    (24, 0x0ce9_66e4_678d_3761, 0x1e70_44d2_8b1b_901d),
    (48, 0xa002_ac4e_5478_227e, 0xf942_219a_ed80_f67b),
    (81, 0x4952_f581_81ab_0042, 0x5e8b_afb9_f95f_b803),
    (222, 0x337e_0964_1b94_8717, 0xf1ae_bd59_7cec_6b3a),
    (403, 0x1b6d_e21e_332d_d73d, 0xcdeb_804d_65c6_dea4),
    (512, 0x18d2_d110_dcc9_bca1, 0x617e_4959_9013_cb6b),
    (2048, 0xf736_557f_d470_73a5, 0xdd59_e2c3_a5f0_38e0),
    (2240, 0xccb1_34fb_fa7c_e49d, 0x6e73_a905_39cf_2948),
    (2367, 0xe89c_0f6f_f369_b427, 0xcb37_aeb9_e5d3_61ed),
  ]

  /// The buffer that those are of.
  private var sanityBuffer: [UInt8] {
    var value: UInt64 = 2_654_435_761
    return (0..<2367).map { _ in
      defer { value &*= 11_400_714_785_074_694_797 }
      return UInt8(value >> 56)
    }
  }

  @Test func `the published vectors come out, one after the other and in parts`() {
    let buffer = sanityBuffer
    var hasher = XXH3()
    for (length, high, low) in Self.vectors {
      let expected = ImageHash(value: UInt128(high) << 64 | UInt128(low))
      hasher.update(Array(buffer[..<length]))
      #expect(hasher.finalize() == expected, "\(length) bytes")
      for byte in buffer[..<length] { hasher.update([byte]) }
      #expect(hasher.finalize() == expected, "\(length) bytes, one by one")
    }
  }

  @Test(.enabled(if: access("/usr/bin/xxhsum", X_OK) == 0))
  func `the stored form is what xxhsum prints`() throws {
    let directory = try TemporaryDirectory()
    let bytes = sanityBuffer + sanityBuffer.reversed()
    try directory.write("file", bytes)
    let printed = try output(of: ["/usr/bin/xxhsum", "-H2", directory.path + "/file"])
    var hasher = XXH3()
    hasher.update(bytes)
    let digits = hasher.finalize().bytes.flatMap { [$0 >> 4, $0 & 15] }
    #expect(printed.hasPrefix(digits.map { String($0, radix: 16) }.joined() + " "))
  }
}
