import CCrypto
package import Model

/// A running SHA-256 computation by libcrypto (EVP_DigestInit(3)).
///
/// One hasher serves many digests: `finalize` starts it anew, which is much cheaper than making
/// another.
package struct SHA256: ~Copyable {
  private let context: OpaquePointer

  package init() {
    // Both fail only without memory or without a working libcrypto, where nothing can go on.
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("libcrypto offers no SHA-256")
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  package mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { buffer in
      _ = EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
    }
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    update(bytes.bytes)
  }

  package mutating func update(_ bytes: [UInt8]) {
    update(bytes.span)
  }

  /// Returns the first 16 bytes of the digest as a number, the most significant first.
  package mutating func finalizeTruncated() -> UInt128 {
    var bytes: (UInt128, UInt128) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) {
      _ = EVP_DigestFinal_ex(
        context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
    }
    restart()
    return UInt128(bigEndian: bytes.0)
  }

  /// Returns the digest of all bytes since the last call.
  package mutating func finalize() -> Hash {
    let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      _ = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
      count = 32
    }
    restart()
    guard let hash = Hash(bytes: bytes) else { preconditionFailure("a digest has 32 bytes") }
    return hash
  }

  private func restart() {
    // A null type keeps the algorithm that was looked up at first.
    _ = EVP_DigestInit_ex(context, nil, nil)
  }
}
