import Linux
import Model
import Testing

@testable import photoindexd

/// What `--snapshot` refuses before it looks at the index.
struct SnapshotTests {
  @Test func `a name that is not UTF-8 is refused, for SQLite would write to another`() throws {
    let setting = try Setting(try Invocation([Array("--print-database".utf8)]))
    let name = Array("/nowhere/a".utf8) + [0xff]
    let failure = #expect(throws: Failure.self) { _ = try snapshot(name, setting) }
    #expect(failure?.status == .usage)
    #expect(failure?.message == #"--snapshot /nowhere/a\xFF: the name must be UTF-8"#)
  }
}
