import CLinux
import Glibc

/// The program's arguments as bytes, its own name left out. The standard library's would be
/// repaired where they are not UTF-8, and then name another file.
package func programArguments() -> [[UInt8]] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    CommandLine.unsafeArgv[index].map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
      .map { $0.map(UInt8.init(bitPattern:)) }
  }
}

/// One option that a command line may have.
package struct LongOption: Sendable {
  package let name: String
  package let takesValue: Bool
  /// A short form, as in `-0`, of an option without a value.
  package let letter: Character?

  package init(_ name: String, takesValue: Bool = false, letter: Character? = nil) {
    self.name = name
    self.takesValue = takesValue
    self.letter = letter
  }
}

/// The options and operands of a command line.
package struct ParsedArguments: Sendable {
  package var options: [(name: String, value: [UInt8]?)] = []
  package var operands: [[UInt8]] = []
}

/// What is wrong with a command line.
package enum ArgumentError: Error, Hashable {
  case unknown(option: String)
  case missingValue(option: String)
  case needlessValue(option: String)
}

/// Takes a command line apart as getopt_long(3) does, abbreviations and `--` included.
///
/// getopt_long keeps its place in variables of the process, so call it from one thread.
package func parse(
  _ arguments: [[UInt8]], _ known: [LongOption]
) throws(ArgumentError) -> ParsedArguments {
  // Copies that getopt_long may put in another order; they live as long as the process needs them.
  var pointers: [UnsafeMutablePointer<CChar>?] = ([Array("photoindexd".utf8)] + arguments).map {
    argument in argument.withCString { strdup($0) }
  }
  defer { for pointer in pointers { free(pointer) } }
  let names = known.map { strdup($0.name) }
  defer { for name in names { free(name) } }
  // With a value for all, getopt_long would take an abbreviation that fits two for the first.
  var table = zip(names, known).enumerated().map { index, option in
    CLinux.option(
      name: option.0, has_arg: option.1.takesValue ? 1 : 0, flag: nil,
      val: firstOption + CInt(index))
  }
  table.append(CLinux.option())
  pointers.append(nil)

  // The colon makes it tell a missing value from an unknown option.
  let letters = ":" + String(known.compactMap(\.letter))
  photoindexd_getopt_restart()
  var value: UnsafeMutablePointer<CChar>?
  var next: CInt = 0
  var parsed = ParsedArguments()
  let count = CInt(pointers.count - 1)
  while true {
    var index: CInt = -1
    let previous = next
    let result = photoindexd_getopt_next(
      count, &pointers, letters, table, &index, &value, &next)
    if result == -1 { break }
    if let short = known.first(where: { $0.letter?.asciiValue.map(CInt.init) == result }) {
      parsed.options.append((short.name, nil))
      continue
    }
    guard result >= firstOption else {
      throw fault(result, faultyWord(pointers, previous, next), known)
    }
    parsed.options.append((known[Int(result - firstOption)].name, bytes(value)))
  }
  parsed.operands = pointers[Int(next)..<Int(count)].compactMap { bytes($0) }
  return parsed
}

/// Above every character that getopt_long returns for a fault.
private let firstOption: CInt = 256

/// The word with the fault. getopt_long steps over a word such as `-xy` only after its last letter.
private func faultyWord(
  _ words: [UnsafeMutablePointer<CChar>?], _ previous: CInt, _ next: CInt
) -> [UInt8] {
  let passed = bytes(words[Int(next) - 1]) ?? []
  let isOption = passed.count > 1 && passed.first == UInt8(ascii: "-")
  if isOption && next > max(1, previous) { return passed }
  return bytes(words[Int(next)]) ?? []
}

private func fault(_ result: CInt, _ word: [UInt8], _ known: [LongOption]) -> ArgumentError {
  let text = String(decoding: word, as: UTF8.self)
  if result == CInt(UInt8(ascii: ":")) { return .missingValue(option: text) }
  let name = text.split(separator: "=").first.map(String.init) ?? text
  let isKnown = known.contains { "--" + $0.name == name }
  return isKnown && text.contains("=") ? .needlessValue(option: name) : .unknown(option: text)
}

private func bytes(_ text: UnsafeMutablePointer<CChar>?) -> [UInt8]? {
  text.map { UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:)) }
}
