import IndexStore
import Sync
import TestSupport
import Testing

/// What the user said of a photo that goes is said of its copies, each of them once.
struct HeirTests {
  @Test func `copied now, deleted later, keeps what the user said`() async throws {
    let library = try FixtureLibrary(["inbox/a.jpg": photo(1)])
    try await library.sync()
    try library.write(
      byHand: """
        UPDATE photo SET is_favorite = 1;
        INSERT INTO album (name) VALUES ('Trip');
        INSERT INTO album_photo (album_id, photo_id) VALUES (1, 1);
        INSERT INTO photo_rating VALUES (1, 4);
        INSERT INTO photo_time (photo_id, local, precision) VALUES (1, '1974-07', 'month');
        """)
    try library.write("2024/a.jpg", photo(1))
    try await library.sync()
    #expect(try library.value("is_favorite", of: "2024/a.jpg") == "0")
    library.disk.remove("inbox/a.jpg")
    try await library.sync()
    #expect(
      try library.value("is_favorite || rating || taken_precision", of: "2024/a.jpg") == "14month")
    #expect(try library.query("SELECT name, photos FROM albums WHERE id > 0") == ["Trip|1"])
    #expect(
      try library.query("SELECT same_as_photo_id FROM missing")
        == ["\(try #require(try library.id("2024/a.jpg")))"])
  }

  @Test func `a copy keeps them, too, when another photo takes the old name`() async throws {
    let library = try FixtureLibrary(["inbox/a.jpg": photo(1), "2024/a.jpg": photo(1)])
    try await library.sync()
    let id = try #require(try library.id("inbox/a.jpg"))
    try library.write(byHand: "UPDATE photo SET is_favorite = 1 WHERE id = \(id)")
    try library.replace("inbox/a.jpg", photo(2))
    try await library.sync()
    #expect(try library.value("is_favorite", of: "2024/a.jpg") == "1")
    #expect(try library.value("is_favorite", of: "inbox/a.jpg") == "0")
  }

  private let marks = """
    UPDATE photo SET is_favorite = 1 WHERE id = 1;
    INSERT INTO album (name) VALUES ('Trip');
    INSERT INTO album_photo (album_id, photo_id) VALUES (1, 1);
    INSERT INTO photo_rating VALUES (1, 4);
    """

  /// `a.jpg`, of which the user has said something, and the copy `b.jpg`.
  private func library(_ bytes: [UInt8] = photo(1)) async throws -> FixtureLibrary {
    let library = try FixtureLibrary(["a.jpg": bytes])
    try await library.sync()
    try library.write(byHand: marks)
    try library.write("b.jpg", bytes)
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "0||")
    return library
  }

  /// Favourite, rating and album.
  private func said(of name: String, _ library: FixtureLibrary) throws -> String {
    let id = try #require(try library.id(name))
    return try library.query(
      """
      SELECT is_favorite, rating, (SELECT group_concat(name) FROM album_photo
          JOIN album ON album.id = album_id WHERE photo_id = photos.id AND album_id > 0)
      FROM photos WHERE id = \(id)
      """)[0]
  }

  private func follow(_ follower: inout FollowingCopy, _ library: FixtureLibrary) throws {
    #expect(try follower.follow(library.reader()) == [])
  }

  @Test func `a copy that is touched while its original goes inherits when it is hashed`()
    async throws
  {
    let library = try await library()
    var follower = FollowingCopy()
    try follow(&follower, library)
    library.disk.remove("a.jpg")
    try library.touch("b.jpg")
    let end = try library.feedEnd()
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "1|4|Trip")
    #expect(try library.feed(after: end).contains("update 2 is_favorite"))
    try follow(&follower, library)
    #expect(try await library.sync().result == .unchanged)
  }

  @Test func `a copy that nobody has hashed yet inherits on the day that somebody does`()
    async throws
  {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    try library.write(byHand: marks)
    library.settings.hashesNow = false
    try library.write("b.jpg", photo(1))
    try await library.sync()
    library.disk.remove("a.jpg")
    for day in 1...40 {
      library.clock.set(ahead: .seconds(day * 86_400))
      try await library.sync()
    }
    #expect(try said(of: "b.jpg", library) == "0||")
    library.settings.hashesNow = true
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "1|4|Trip")
  }

  @Test func `what the user takes back from a copy is not said of it again`() async throws {
    let library = try await library()
    library.disk.remove("a.jpg")
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "1|4|Trip")
    try library.write(
      byHand: """
        UPDATE photo SET is_favorite = 0 WHERE id = 2;
        DELETE FROM album_photo WHERE photo_id = 2;
        UPDATE photo_rating SET rating = 2 WHERE photo_id = 2;
        """)
    // It is hashed again, and again has the bytes of what is gone.
    try library.touch("b.jpg")
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "0|2|")
    // Two copies of the copy: one alone would be the photo that went.
    for name in ["c.jpg", "d.jpg"] { try library.write(name, photo(1)) }
    try await library.sync()
    for name in ["c.jpg", "d.jpg"] { #expect(try said(of: name, library) == "0||") }
    let root = try await library.index.roots()[0].id
    _ = try await library.index.forgetMissing(of: root)
    #expect(try library.query("SELECT count(*) FROM missing") == ["0"])
    #expect(try said(of: "b.jpg", library) == "0|2|")
    for name in ["c.jpg", "d.jpg"] { #expect(try said(of: name, library) == "0||") }
  }

  @Test func `what the user has said of the copy meanwhile stands`() async throws {
    let library = try await library()
    library.settings.hashesNow = false
    try library.touch("b.jpg")
    library.disk.remove("a.jpg")
    try await library.sync()
    try library.write(byHand: "INSERT INTO photo_rating VALUES (2, 1)")
    library.settings.hashesNow = true
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "1|1|Trip")
  }

  @Test func `copies that come when none was there all inherit, and later ones do not`()
    async throws
  {
    let library = try FixtureLibrary(["a.jpg": photo(1)])
    try await library.sync()
    try library.write(byHand: marks)
    library.disk.remove("a.jpg")
    try await library.sync()
    // Of two with the bytes none is the one that went.
    try library.write("b.jpg", photo(1))
    try library.write("c.jpg", photo(1))
    try await library.sync()
    for name in ["b.jpg", "c.jpg"] { #expect(try said(of: name, library) == "1|4|Trip") }
    try library.write("d.jpg", photo(1))
    try library.write("e.jpg", photo(1))
    try await library.sync()
    for name in ["d.jpg", "e.jpg"] { #expect(try said(of: name, library) == "0||") }
  }

  @Test func `a photo that was back and goes once more hands on what was said since`()
    async throws
  {
    let library = try await library()
    try library.disk.move("a.jpg", to: ".a")
    try await library.sync()
    try library.write(
      byHand: "UPDATE photo SET is_favorite = 0; DELETE FROM photo_rating; DELETE FROM album_photo")
    try library.disk.move(".a", to: "a.jpg")
    try await library.sync()
    #expect(try library.query("SELECT count(*) FROM heir") == ["0"])
    try library.write(byHand: "INSERT INTO photo_rating VALUES (1, 5)")
    library.disk.remove("a.jpg")
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "0|5|")
  }

  @Test func `empty files inherit nothing`() async throws {
    let library = try await library([])
    library.disk.remove("a.jpg")
    try library.touch("b.jpg")
    try await library.sync()
    #expect(try said(of: "b.jpg", library) == "0||")
  }
}
