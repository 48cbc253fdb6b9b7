import Glibc
import Model

/// The file of a zone; nil when tzdata has no such zone.
///
/// The name comes from users and files: it must not lead out of the directory, nor to something
/// there that is no zone, nor to the machine's own zone under another name.
func zoneFile(of zone: String) -> String? {
  let names = zone.utf8.split(separator: slash, omittingEmptySubsequences: false)
  let isSafe = zone.utf8.count <= 64 && names.allSatisfy { isSafeName($0) }
  guard isSafe, !notZones.contains(String(names[0]) ?? "")
  else { return nil }
  let file = zoneDirectory + zone
  var head = [UInt8](repeating: 0, count: 4)
  // tzfile(5): each begins with these four bytes.
  guard let opened = try? OpenFile(absolutePath: Array(file.utf8)),
    (try? opened.read(at: 0, into: &head)) == 4, head == Array("TZif".utf8)
  else { return nil }
  return file
}

/// The zone that the machine is set to by the link at `path`; nil where it is UTC or not known.
package func machineTimeZone(link path: String = "/etc/localtime") -> String? {
  var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let length = target.withUnsafeMutableBytes {
    readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
  }
  guard length > 0 else { return nil }
  let components = target[..<length].split(separator: slash).map {
    String(decoding: $0, as: UTF8.self)
  }
  guard let start = components.lastIndex(of: "zoneinfo") else { return nil }
  var names = components[(start + 1)...]
  if names.first == "posix" { names.removeFirst() }
  let zone = names.joined(separator: "/")
  return universal.contains(zone) || zoneFile(of: zone) == nil ? nil : zone
}

/// The zones of zone1970.tab, one for each group of places whose clocks have agreed since 1970.
func readInhabitedZones() -> [String] {
  guard let file = try? OpenFile(absolutePath: Array((zoneDirectory + "zone1970.tab").utf8)) else {
    return []
  }
  var bytes = [UInt8](repeating: 0, count: 1 << 18)
  guard let count = try? file.read(at: 0, into: &bytes) else { return [] }
  return bytes[..<count].split(separator: UInt8(ascii: "\n")).compactMap { line in
    guard line.first != UInt8(ascii: "#") else { return nil }
    let columns = line.split(separator: UInt8(ascii: "\t"))
    return columns.count > 2 ? String(decoding: columns[2], as: UTF8.self) : nil
  }
}

private func isSafeName(_ name: Substring.UTF8View) -> Bool {
  guard let first = name.first, isLetter(first) else { return false }
  return name.allSatisfy {
    isLetter($0) || (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x5f].contains($0)
  }
}

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

private let slash = UInt8(ascii: "/")
private let zoneDirectory = "/usr/share/zoneinfo/"
private let universal: Set<String> = [
  "UTC", "UCT", "Universal", "Zulu", "GMT", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu",
  "Etc/GMT",
]

/// The first counts leap seconds, the others are the machine's choice.
private let notZones: Set<String> = ["right", "posix", "localtime", "posixrules"]
