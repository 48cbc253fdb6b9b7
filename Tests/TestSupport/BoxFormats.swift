/// What a JPEG XL in boxes begins with.
package let jpegXL: [UInt8] =
  box("JXL ", [0x0d, 0x0a, 0x87, 0x0a]) + box("ftyp", latin("jxl "), big(0, 4), latin("jxl "))

/// A JPEG 2000 without its picture.
package let jpeg2000: [UInt8] =
  box("jP  ", [0x0d, 0x0a, 0x87, 0x0a]) + box("ftyp", latin("jp2 "), big(0, 4), latin("jp2 "))
  + box("jp2h", box("ihdr", big(600, 4), big(1000, 4), [0, 3, 7, 7, 0, 0]))

/// The start of a codestream of up to 2^18 pixels on a side, all else as by default.
package func codestream(width: Int, height: Int) -> [UInt8] {
  func length(_ value: Int) -> String {
    "01 " + (0..<18).map { String((value - 1) >> $0 & 1) }.joined()
  }
  return [0xff, 0x0a] + packedBits("0 \(length(height)) 000 \(length(width)) 1") + [1, 2, 3]
}

/// Bits, the lowest first, as bytes.
package func packedBits(_ bits: String) -> [UInt8] {
  let digits = bits.filter { $0 != " " }.map { $0 == "1" ? UInt8(1) : 0 }
  return stride(from: 0, to: digits.count, by: 8).map { start in
    digits[start...].prefix(8).reversed().reduce(0) { $0 << 1 | $1 }
  }
}

/// A raw of three tracks: a JPEG, a small picture and the raw itself.
package func canonRaw(_ photo: TIFFFixture) -> [UInt8] {
  func track(_ description: [UInt8]) -> [UInt8] {
    let entry = box("CRAW", Array(repeating: 0, count: 82), description)
    let table = box("stbl", fullBox("stsd", big(1, 4), entry))
    return box("trak", box("mdia", box("minf", table)))
  }
  func coding(_ width: Int, _ height: Int) -> [UInt8] {
    box("CMP1", big(0xff00_0030, 4), big(0x0100_0000, 4), big(width, 4), big(height, 4))
  }
  return box("ftyp", latin("crx "), big(1, 4), latin("crx "), latin("isom"))
    + box(
      "moov", canonBox(photo), fullBox("mvhd", big(0, 96)), track(box("JPEG", big(0, 4))),
      track(coding(1624, 1080)), track(coding(6888, 4546)))
    + box("mdat", Array(repeating: 0xda, count: 300))
}

/// Canon's box, with each directory in a TIFF of its own.
package func canonBox(_ photo: TIFFFixture) -> [UInt8] {
  func part(_ directory: TIFFFixture.Directory) -> [UInt8] {
    var tiff = TIFFFixture(isBigEndian: photo.isBigEndian)
    for field in photo.fields where field.directory == directory {
      tiff.add(.image, field.tag, field.value)
    }
    return tiff.bytes
  }
  let identifier: [UInt8] = [
    0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
  ]
  return box(
    "uuid", identifier, box("CNCV", latin("CanonCR3_001/00.09.00/00.00.00")),
    box("CMT1", part(.image)), box("CMT2", part(.exif)), box("CMT3", [1, 2, 3]),
    box("CMT4", part(.gps)))
}
