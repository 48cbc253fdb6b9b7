import IndexStore
import Linux
import Model
import SQLite
import TestSupport
import Testing

/// What the views show where it is not plain to see.
struct ViewTests {
  @Test(arguments: [
    ("image/jpeg", "/r/a||"), ("image/png", "/r/a||"), ("image/webp", "/r/a||"),
    ("image/avif", "/r/a||"), ("image/tiff", "/r/a||"), ("image/jxl", "/r/a||"),
    ("image/x-tiff-big", "/r/a||"), ("image/x-j2c", "/r/a||"),
    ("image/x-canon-cr2", "|/r/a|"), ("video/mp4", "||/r/a"),
  ])
  func `each file of a shot has a path`(type: String, paths: String) async throws {
    let filled = try await FilledIndex("a")
    try filled.shell.execute("UPDATE photo SET media_type_code = '\(type)'")
    #expect(
      try filled.shell.rows("SELECT jpeg_paths, raw_paths, video_paths FROM shots") == [paths])
  }

  @Test func `a missing photo has no copy in a detached root`() async throws {
    let filled = try await FilledIndex("a", "b")
    let other = RootDeclaration(name: "s", path: Array("/s".utf8), owner: nil)
    let root = try #require(try await filled.index.attach(other)).id
    try filled.shell.execute(
      """
      UPDATE photo SET content_hash = zeroblob(32);
      UPDATE photo SET root_id = \(root) WHERE id = 2;
      """)
    try await filled.index.apply([.leave(id: 1, .missing)], to: filled.root)
    #expect(try filled.shell.rows("SELECT same_as_photo_id FROM missing") == ["2"])
    _ = try await filled.index.attach([
      RootDeclaration(name: "r", path: Array("/r".utf8), owner: nil)
    ])
    #expect(try filled.shell.rows("SELECT same_as_photo_id FROM missing") == [""])
  }
}
