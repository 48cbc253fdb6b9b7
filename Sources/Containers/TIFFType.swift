import Linux

/// The MIME type of a file that begins with a TIFF byte order mark.
///
/// DNG tells itself by a tag, NRW by the compression of its first directory; for other raws the
/// name decides.
func tiffType(
  of file: borrowing OpenFile, named suffix: String, in window: inout FileWindow
) throws(SystemError) -> String? {
  let header = TIFFBytes(window.bytes[try window.range(at: 0, 8, of: file)])
  guard header.holds(0, 8) else { return nil }
  switch header.short(at: 2) {
  case 42: break
  case 0x55: return suffix == "rwl" ? "image/x-leica-rwl" : "image/x-panasonic-rw2"
  default: return nil
  }
  let marks = try firstDirectoryMarks(of: file, in: &window, header)
  if marks.isDNG { return suffix == "gpr" ? "image/x-gopro-gpr" : "image/x-adobe-dng" }
  if suffix == "nef" && marks.isJPEGCompressed { return "image/x-nikon-nrw" }
  return typesBySuffix[suffix] ?? "image/tiff"
}

private struct DirectoryMarks {
  var isDNG = false
  var isJPEGCompressed = false
}

private func firstDirectoryMarks(
  of file: borrowing OpenFile, in window: inout FileWindow, _ header: TIFFBytes
) throws(SystemError) -> DirectoryMarks {
  var marks = DirectoryMarks()
  let offset = Int64(header.long(at: 4))
  // No first directory has more entries than this; junk may claim 65,535.
  let range = try window.range(at: offset, 2 + 12 * 1024, of: file)
  // Behind eight bytes, as if the directory followed the header.
  let tiff = TIFFBytes((header.bytes + window.bytes[range])[...])
  let directory = tiff.directory(at: 8)
  for index in 0..<directory.count {
    let entry = tiff.entry(index, of: directory)
    switch entry.number {
    case dngVersion: marks.isDNG = true
    case compression: marks.isJPEGCompressed = tiff.integer(of: entry) == 6
    default: break
    }
  }
  return marks
}

private let dngVersion: UInt16 = 0xc612
private let compression: UInt16 = 0x0103

private let typesBySuffix: [String: String] = [
  "3fr": "image/x-hasselblad-3fr",
  "arw": "image/x-sony-arw",
  "dcr": "image/x-kodak-dcr",
  "dng": "image/x-adobe-dng",
  "erf": "image/x-epson-erf",
  "fff": "image/x-hasselblad-fff",
  "gpr": "image/x-gopro-gpr",
  "iiq": "image/x-raw",
  "k25": "image/x-kodak-k25",
  "kdc": "image/x-kodak-kdc",
  "mef": "image/x-mamiya-mef",
  "mos": "image/x-raw",
  "nef": "image/x-nikon-nef",
  "nrw": "image/x-nikon-nrw",
  "pef": "image/x-pentax-pef",
  "sr2": "image/x-sony-sr2",
  "srf": "image/x-sony-srf",
  "srw": "image/x-samsung-srw",
]
