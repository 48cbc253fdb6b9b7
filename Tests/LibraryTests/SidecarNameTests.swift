import Library
import Linux
import Model
import TestSupport
import Testing

/// Which file beside a photo is whose, by names alone.
struct SidecarNameTests {
  @Test func `XMP is of the very file before it is of the shot`() throws {
    let disk = try TemporaryDirectory()
    let photos = ["IMG.NEF", "IMG.jpg", "IMG_01.png", "a.b.jpg", "a.b", "IMG_07.jpg"]
    let found = try sidecars(
      of: photos,
      beside: [
        "IMG.NEF.xmp", "IMG.xmp", "IMG_01.NEF.xmp", "IMG_12.NEF.xmp", "IMG_1.NEF.xmp",
        "img.xmp", "a.b.XMP", "IMG_07.jpg.xmp", ".xmp", "IMG.jpg.txt",
      ], in: disk)
    #expect(
      found["IMG.NEF"] == [
        "xmp IMG.NEF.xmp", "xmp-shot IMG.xmp", "xmp-version IMG_01.NEF.xmp",
        "xmp-version IMG_12.NEF.xmp",
      ])
    #expect(found["IMG.jpg"] == ["xmp-shot IMG.xmp"])
    #expect(found["IMG_01.png"] == [])
    #expect(found["a.b.jpg"] == ["xmp-shot a.b.XMP"])
    // A photo of that name exists itself, so this is no version of IMG.jpg.
    #expect(found["IMG_07.jpg"] == ["xmp IMG_07.jpg.xmp"])
  }

  /// The rule is that of `NAME.supplemental-metadata`, cut to 46 characters, then the number, then
  /// `.json`; before 2024 without `.supplemental-metadata`.
  @Test(
    arguments: [
      ("IMG.jpg", "IMG.jpg.json"), ("IMG.jpg", "IMG.jpg.supplemental-metadata.json"),
      ("IMG(1).jpg", "IMG.jpg(1).json"),
      ("IMG(1).jpg", "IMG.jpg.supplemental-metadata(1).json"),
      ("IMG(1).jpg", "IMG(1).jpg.json"), ("IMG-edited.jpg", "IMG.jpg.json"),
      ("IMG-edited(2).jpg", "IMG.jpg.supplemental-metadata(2).json"),
      ("IMG-bearbeitet.jpg", "IMG.HEIC.supplemental-metadata.json"),
      ("IMG.MP4", "IMG.HEIC.json"),
      ("Peanut Butter.jpg", "Peanut Butter.supplemental-metadata.json"),
      // 25 characters and 21 of the 22 that follow; 40 and 6; 45 and the dot; 46; 50 cut to 46.
      ("\(letters(21)).jpg", "\(letters(21)).jpg.supplemental-metadat.json"),
      ("\(letters(36)).jpg", "\(letters(36)).jpg.suppl.json"),
      ("\(letters(41)).jpg", "\(letters(41)).jpg..json"),
      ("\(letters(42)).jpg", "\(letters(42)).jpg.json"),
      ("\(letters(46)).jpg", "\(letters(46)).json"),
      ("\(letters(47)).jpg", "\(letters(46)).json"),
      ("\(letters(47))(1).jpg", "\(letters(46))(1).json"),
      ("\(korean(47)).jpg", "\(korean(46)).json"),
    ])
  func `Takeout's names are those that it makes`(photo: String, json: String) throws {
    let disk = try TemporaryDirectory()
    let found = try sidecars(of: [photo, "other.jpg"], beside: [json], in: disk)
    #expect(found == [photo: ["takeout \(json)"], "other.jpg": []])
  }

  @Test(
    arguments: [
      ("IMG.jpg", "IMG.json"), ("IMG.jpg", "metadata.json"), ("IMG.jpg", "IMG.jpg.extra.json"),
      ("IMG.jpg", "IMG.jpg(1).json"), ("IMG(1).jpg", "IMG.jpg.json"), ("IMG.png", "IMG.jpg.json"),
      ("IMG-new.jpg", "IMG.jpg.json"), ("\(letters(50)).jpg", "\(letters(45)).json"),
    ])
  func `other JSON is nobody's`(photo: String, json: String) throws {
    let disk = try TemporaryDirectory()
    #expect(try sidecars(of: [photo], beside: [json], in: disk) == [photo: []])
  }

  @Test func `of two of Takeout's files the one of the newer form counts`() throws {
    let disk = try TemporaryDirectory()
    let found = try sidecars(
      of: ["IMG.jpg"], beside: ["IMG.jpg.supplemental-metadata.json", "IMG.jpg.json"], in: disk)
    #expect(found["IMG.jpg"] == ["takeout IMG.jpg.supplemental-metadata.json"])
  }

  @Test func `a name that is another file's own does not match its edited picture`() throws {
    let disk = try TemporaryDirectory()
    let found = try sidecars(
      of: ["IMG-edited.jpg", "IMG.jpg"], beside: ["IMG-edited.jpg.json", "IMG.jpg.json"], in: disk)
    #expect(found["IMG-edited.jpg"] == ["takeout IMG-edited.jpg.json"])
    #expect(found["IMG.jpg"] == ["takeout IMG.jpg.json"])
  }

  @Test func `a pattern leaves out sidecars as it does photos`() throws {
    let disk = try TemporaryDirectory()
    for name in ["a.jpg", "a.xmp", "._a.xmp"] { try disk.write(name, "x") }
    for (patterns, count) in [([], 1), (["*.xmp"], 0)] as [([String], Int)] {
      let rules = PhotoRules(exclude: patterns.compactMap { Glob($0) })
      let tree = try RootTree(path: Array(disk.path.utf8), rules: rules) {
        Timestamp(nanoseconds: 0)
      }
      #expect(try tree.list(.root).sidecars.count == count)
    }
  }

  private func sidecars(
    of photos: [String], beside others: [String], in disk: TemporaryDirectory
  ) throws -> [String: [String]] {
    for name in photos + others { try disk.write(name, "x") }
    let tree = try RootTree(path: Array(disk.path.utf8), rules: PhotoRules()) {
      Timestamp(nanoseconds: 0)
    }
    let listing = try tree.list(.root)
    let sidecars = Sidecars(listing)
    return Dictionary(
      uniqueKeysWithValues: listing.photos.map { photo in
        let found = sidecars.of(photo.name).map {
          $0.kind.rawValue + " " + String(decoding: $0.name, as: UTF8.self)
        }
        return (String(decoding: photo.name, as: UTF8.self), found)
      })
  }
}

private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
private func korean(_ count: Int) -> String { String(repeating: "제", count: count) }
