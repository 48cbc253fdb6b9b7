import Linux
import TestSupport
import Testing

/// One at a time: getopt_long keeps its place in variables of the process.
@Suite(.serialized) struct ArgumentTests {
  private let known = [
    LongOption("config", takesValue: true), LongOption("rescan"), LongOption("json"),
    LongOption("resume"),
  ]

  private func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

  private func shown(_ arguments: [[UInt8]]) throws -> [String] {
    let parsed = try parse(arguments, known)
    return parsed.options.map { option in
      "--" + option.name + (option.value.map { "=" + String(decoding: $0, as: UTF8.self) } ?? "")
    } + parsed.operands.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `options and operands in any order`() throws {
    #expect(
      try shown(words("b", "--rescan", "--config", "f", "a", "--json"))
        == ["--rescan", "--config=f", "--json", "b", "a"])
    #expect(try shown(words("--config=f=g")) == ["--config=f=g"])
    #expect(try shown([]) == [])
  }

  @Test func `an abbreviation that fits one option is it`() throws {
    #expect(try shown(words("--resc")) == ["--rescan"])
    #expect(throws: ArgumentError.unknown(option: "--res")) { try shown(words("--res")) }
  }

  @Test func `behind two dashes all are operands`() throws {
    #expect(try shown(words("--json", "--", "--rescan", "-")) == ["--json", "--rescan", "-"])
  }

  @Test func `a directory may have any bytes`() throws {
    let name: [UInt8] = [0xff, 0x0a]
    #expect(try parse([name], known).operands == [name])
    let configured = try parse([Array("--config=".utf8) + name], known).options
    #expect(configured.map(\.value) == [name])
  }

  @Test func `what is wrong is named`() {
    #expect(throws: ArgumentError.unknown(option: "--nope")) { try shown(words("--nope")) }
    #expect(throws: ArgumentError.unknown(option: "-x")) { try shown(words("-x")) }
    #expect(throws: ArgumentError.missingValue(option: "--config")) {
      try shown(words("--config"))
    }
    #expect(throws: ArgumentError.needlessValue(option: "--json")) {
      try shown(words("--json=yes"))
    }
  }

  @Test func `of short options, too, the right word is named`() {
    for before in [[], ["--rescan"], ["a"], ["-"], ["a", "--rescan"], ["--config", "-v", "a"]] {
      for word in ["-x", "-xy"] {
        let all = (before + [word, "--json", "b"]).map { Array($0.utf8) }
        #expect(throws: ArgumentError.unknown(option: word), "\(before)") { try shown(all) }
      }
    }
  }

  @Test func `a fault leaves nothing behind for the next command line`() throws {
    _ = try? shown(words("a", "--nope", "b"))
    #expect(try shown(words("--rescan", "c")) == ["--rescan", "c"])
  }
}
