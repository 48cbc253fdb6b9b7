import Linux

extension PictureItems {
  /// Pixels as stored, before the picture is cropped and turned.
  func size(
    of file: borrowing OpenFile, _ window: inout FileWindow
  ) throws(SystemError) -> (width: Int, height: Int)? {
    for property in properties(of: primary) where property.type == "ispe" {
      var cursor = ByteCursor(property.content.dropFirst(4))
      return pixels(cursor.integer(4), cursor.integer(4))
    }
    guard types[primary] == "grid", let ranges = ranges(of: primary),
      let bytes = try window.bytes(of: ranges, of: file)
    else { return nil }
    return gridSize(bytes[...])
  }

  /// How the primary picture is turned; nil where it isn't, and EXIF may tell.
  ///
  /// Who reads EXIF's orientation, too, turns the picture twice: where there are properties that turn
  /// it, they count alone.
  var orientation: Orientation? {
    var orientation = Orientation.upright
    for property in properties(of: primary) {
      guard let value = property.content.first else { continue }
      switch property.type {
      case "irot":
        orientation = orientation.followed(by: .turned(quarters: Int(value)))
      case "imir":
        orientation = orientation.followed(
          by: value & 1 == 0 ? .topAndBottomExchanged : .leftAndRightExchanged)
      default: break
      }
    }
    return orientation == .upright ? nil : orientation
  }
}

/// Of a picture that is put together from tiles: rows, columns and size (ISO/IEC 23008-12, 6.6.2.3).
private func gridSize(_ bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
  var cursor = ByteCursor(bytes)
  guard cursor.integer(1) != nil, let flags = cursor.integer(1), cursor.integer(2) != nil else {
    return nil
  }
  let size = flags & 1 == 0 ? 2 : 4
  return pixels(cursor.integer(size), cursor.integer(size))
}
