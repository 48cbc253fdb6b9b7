/// Whether the name is one that a sidecar can have: `….xmp`, or that of a JSON file of Google
/// Takeout's. Other JSON files beside photos are none of ours.
package func isSidecarName(_ name: Span<UInt8>) -> Bool {
  if endsIn(name, ".xmp") { return name.count > 4 }
  guard endsIn(name, ".json") else { return false }
  let bytes = name.indices.map { name[$0] }
  return TakeoutName(bytes[...]) != nil
}

/// In any case of letters.
private func endsIn(_ name: Span<UInt8>, _ ending: StaticString) -> Bool {
  let start = name.count - ending.utf8CodeUnitCount
  guard start >= 0 else { return false }
  var index = start
  for byte in "\(ending)".utf8 {
    guard lowercased(name[index]) == byte else { return false }
    index += 1
  }
  return true
}

/// The name of a JSON file of Google Takeout's, taken apart.
///
/// It is that of the photo with `.supplemental-metadata`, cut to 46 characters, and `.json`. Of several
/// photos with one name the file's own has the number before its extension, `IMG(1).jpg`, and the
/// JSON's behind all that could be cut: `IMG.jpg.supplemental-metadata(1).json`. Until 2024 nothing stood
/// between the photo's name and `.json`.
struct TakeoutName {
  /// The photo's name without the number, or as much of it as was left.
  let title: ArraySlice<UInt8>
  /// `(1)`; empty where there is none.
  let number: ArraySlice<UInt8>
  /// Whether there was no room for all of the title.
  let isCut: Bool

  init?(_ name: ArraySlice<UInt8>) {
    let (base, number) = numbered(name.dropLast(".json".utf8.count))
    self.number = number
    let dot = base.lastIndex(of: UInt8(ascii: "."))
    if let dot, supplement.starts(with: base[(dot + 1)...]) {
      title = base[..<dot]
      isCut = false
    } else {
      title = base
      // By bytes, for one character has at least one.
      isCut = base.count >= titleLimit
      guard isCut || isPhotoName(Array(base).span) else { return nil }
    }
    guard !title.isEmpty else { return nil }
  }
}

/// A name without the number in brackets at its end, and the number with its brackets.
func numbered(_ name: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, number: ArraySlice<UInt8>) {
  guard name.last == UInt8(ascii: ")"), let start = name.lastIndex(of: UInt8(ascii: "(")) else {
    return (name, [])
  }
  let digits = name[(start + 1)...].dropLast()
  guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return (name, []) }
  return (name[..<start], name[start...])
}

/// The part of a name before its last dot, and the rest with the dot.
package func splitName(_ name: ArraySlice<UInt8>) -> (
  stem: ArraySlice<UInt8>, ending: ArraySlice<UInt8>
) {
  guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
    return (name, [])
  }
  return (name[..<dot], name[dot...])
}

/// What Google Photos puts behind the name of a picture that was edited there, by language.
private let editedEndings = [
  "-edited", "-bearbeitet", "-modifié", "-editado", "-ha editado", "-modificato", "-bewerkt",
  "-edytowane", "-編集済み", "-수정됨", "-已修改", "-отредактировано", "-redigerad", "-düzenlendi",
].map { Array($0.utf8) }

/// The name of the picture that this one was made of; nil where it is no edited one.
func original(ofEdited stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  for ending in editedEndings where stem.count > ending.count {
    if stem.suffix(ending.count).elementsEqual(ending) { return stem.dropLast(ending.count) }
  }
  return nil
}

func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private let supplement = Array("supplemental-metadata".utf8)

/// How much of a name stands before `.json` at most.
let titleLimit = 46
