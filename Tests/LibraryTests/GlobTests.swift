import Library
import Model
import TestSupport
import Testing

/// Patterns mean what they mean to git.
struct GlobTests {
  private func excludes(_ pattern: String, _ path: String) -> Bool {
    PhotoRules(exclude: [Glob(pattern)].compactMap { $0 }).exclusion(of: RelativePath(path)) != nil
  }

  @Test(arguments: [
    ("*.png", "a.png", true), ("*.png", "x/y/a.png", true), ("*.png", "a.pngx", false),
    ("/a.jpg", "a.jpg", true), ("/a.jpg", "x/a.jpg", false), ("x/a.jpg", "x/a.jpg", true),
    ("x/a.jpg", "y/x/a.jpg", false), ("x/", "x/a.jpg", true), ("x/", "y/x/a.jpg", true),
    ("x/", "x", false), ("x", "x", true), ("x/**", "x/y/a.jpg", true), ("**/x", "y/x/a.jpg", true),
    ("x/**/a.jpg", "x/a.jpg", true), ("x/**/a.jpg", "x/y/z/a.jpg", true),
    ("x/*", "x/y/a.jpg", true),
    ("x/*.jpg", "x/y/a.jpg", false), ("?.jpg", "a.jpg", true), ("?.jpg", "ab.jpg", false),
    ("[a-c].jpg", "b.jpg", true), ("[!a-c].jpg", "b.jpg", false), ("[^a-c].jpg", "d.jpg", true),
    ("[]].jpg", "].jpg", true), ("\\*.jpg", "*.jpg", true), ("\\*.jpg", "a.jpg", false),
    ("a*b*c", "aXbXbXc", true), ("A.jpg", "a.jpg", false), ("서울/", "서울/a.jpg", true),
  ])
  func `a pattern`(pattern: String, path: String, isExcluded: Bool) {
    #expect(excludes(pattern, path) == isExcluded, "\(pattern) \(path)")
  }

  @Test func `the last pattern that fits decides`() {
    let rules = PhotoRules(exclude: ["*.jpg", "!keep.jpg", "x/keep.jpg"].compactMap(Glob.init))
    #expect(rules.exclusion(of: RelativePath("a.jpg"))?.text == "*.jpg")
    #expect(rules.exclusion(of: RelativePath("y/keep.jpg")) == nil)
    #expect(rules.exclusion(of: RelativePath("x/keep.jpg"))?.text == "x/keep.jpg")
  }

  @Test func `a file in an excluded directory cannot be taken back in`() {
    let rules = PhotoRules(exclude: ["x/", "!x/keep.jpg"].compactMap(Glob.init))
    #expect(rules.exclusion(of: RelativePath("x/keep.jpg"))?.text == "x/")
  }

  @Test(arguments: ["", "/", "!", "!/", "//"])
  func `a pattern that names nothing is none`(text: String) {
    #expect(Glob(text) == nil)
  }

  @Test(arguments: [1, 2])
  func `git decides alike on random patterns`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    try run(["/usr/bin/git", "init", "-q", directory.path])
    let names = ["a", "b", "ab", "ba", "a.b", "aab"]
    let paths = (0..<60).map { _ in
      (0..<Int.random(in: 1...4, using: &generator))
        .map { _ in names.randomElement(using: &generator) ?? "" }.joined(separator: "/")
    }
    let pieces = [
      "a", "b", "ab", "*", "?", "[ab]", "[!a]", ".", "**/", "/**", "/", "/", "a/", "/b",
    ]
    for _ in 0..<150 {
      let pattern = (0..<Int.random(in: 1...4, using: &generator))
        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      // Empty names match nothing for git, and two asterisks inside a name are one by its
      // manual, but not by its deeds.
      let names = pattern.split(separator: "/").map(String.init)
      if pattern.contains("//") || names.contains(where: { $0 != "**" && $0.contains("**") }) {
        continue
      }
      try directory.write(".gitignore", pattern + "\n")
      let command = ["/usr/bin/git", "-C", directory.path, "check-ignore", "--no-index", "--"]
      let ignored = try output(of: command + paths, accepting: [0, 1])
      let byGit = Set(ignored.split(separator: "\n").map(String.init))
      for path in paths {
        #expect(
          excludes(pattern, path) == byGit.contains(path), "seed \(seed): \(pattern) on \(path)")
      }
    }
  }
}
