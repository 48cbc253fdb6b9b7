import Model
import Testing

struct RelativePathTests {
  @Test func `NFC and NFD spellings are two paths`() {
    #expect(RelativePath("caf\u{e9}.jpg") != RelativePath("cafe\u{301}.jpg"))
  }

  @Test func `a path takes apart into directory and name`() {
    let path = RelativePath("2024/05/a.jpg")
    #expect(path.directory == RelativePath("2024/05"))
    #expect(Array(path.name) == Array("a.jpg".utf8))
    #expect(path.ancestors == [.root, RelativePath("2024"), RelativePath("2024/05")])
    #expect(RelativePath("a.jpg").directory == .root)
    #expect(RelativePath.root.ancestors.isEmpty)
  }

  @Test(arguments: [
    ("trip/a.jpg", "trip", true), ("trip", "trip", true), ("trip0/a.jpg", "trip", false),
    ("a", "", true), ("tri", "trip", false),
  ])
  func `only whole names make a path lie within a directory`(
    path: String, directory: String, within: Bool
  ) {
    #expect(RelativePath(path).isWithin(RelativePath(directory)) == within)
  }

  @Test func `a stamp beyond 64 bits is the greatest, not a trap`() {
    #expect(Timestamp(seconds: .max / 1000, nanoseconds: 0).nanoseconds == .max)
    #expect(Timestamp(seconds: -.max / 1000, nanoseconds: 0).nanoseconds == .min)
    #expect(Timestamp(nanoseconds: -1).seconds == -1)
  }
}
