import TestSupport

/// What a file of the model test holds: the parts of a photo that its identity goes by.
struct PhotoContent: Hashable, Sendable {
  /// The coded picture.
  var picture: Int
  /// When it was taken.
  var second: Int
  /// Which camera took it.
  var camera: Int
  /// What somebody wrote into it.
  var note = 0

  static let empty = PhotoContent(picture: -1, second: 0, camera: 0)

  var isEmpty: Bool { self == .empty }

  /// All that are not empty are of one size, so that no two can be told apart by that.
  var size: Int { isEmpty ? 0 : 1 }

  var bytes: [UInt8] {
    guard !isEmpty else { return [] }
    let (hour, minute) = (twoDigits(second / 3600), twoDigits(second / 60 % 60))
    var fixture = JPEGFixture.photo(
      model: cameraModel(camera), taken: "2024:05:01 \(hour):\(minute):\(twoDigits(second % 60))")
    fixture.exif?.add(.image, 0x010e, "note \(twoDigits(note))")
    fixture.shade = UInt8(picture % 250 + 1)
    return fixture.bytes
  }

  /// Whether, under the path of the other, it is another photo, as when a camera's counter has come
  /// round, and not an edit or a corrected clock.
  func isAnotherPhoto(than old: PhotoContent) -> Bool {
    !isEmpty && !old.isEmpty && picture != old.picture
      && (second != old.second || camera != old.camera)
  }
}

func cameraModel(_ number: Int) -> String { "EOS R\(number)" }
