import Glibc
import Metadata
import Model
import TestSupport
import Testing

/// What holds for every kind of container.
struct ContainerTests {
  @Test(arguments: ContainerFixture.all)
  func `every container says what a JPEG says`(fixture: ContainerFixture) throws {
    var expected = try metadata(fullPhoto())
    expected.mediaType = fixture.mediaType
    #expect(try read(fixture.bytes, named: fixture.suffix) == .metadata(expected))
    #expect(ReaderVersions.current.version(of: fixture.mediaType) > 1)
  }

  /// Wrong metadata is worse than none, whatever the moment a copy was cut off.
  @Test(arguments: ContainerFixture.all)
  func `a file cut off anywhere has all of its values, or is pending with those that are sure`(
    fixture: ContainerFixture
  ) throws {
    let reader = try FileReader()
    guard case .metadata(let whole) = try reader.read(fixture.bytes, named: fixture.suffix) else {
      Issue.record("the fixture is called truncated")
      return
    }
    for length in lengths(of: fixture) {
      switch try reader.read(Array(fixture.bytes[..<length]), named: fixture.suffix) {
      case .truncated(let sure): #expect(isPart(sure, of: whole), "cut at \(length)")
      case .metadata(var partial):
        // So little that nothing tells what it was to become.
        if partial == PhotoMetadata() { continue }
        #expect(partial.width == nil || partial.width == whole.width, "cut at \(length)")
        (partial.width, partial.height) = (whole.width, whole.height)
        #expect(partial == whole, "cut at \(length)")
      }
    }
  }

  @Test(arguments: ContainerFixture.all)
  func `no damage to any container traps or hangs`(fixture: ContainerFixture) throws {
    let seed = UInt64(fixture.bytes.count)
    var random = SeededGenerator(seed: seed)
    let reader = try FileReader()
    for _ in 0..<(fixture.bytes.count > 100_000 ? 40 : 200) {
      var bytes = fixture.bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] =
          [0, 0xff, 0x7f, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      if case .metadata(let metadata) = try reader.read(bytes, named: fixture.suffix) {
        #expect(metadata.orientation.map { (1...8).contains($0) } != false, "seed \(seed)")
        #expect(metadata.width.map { $0 > 0 } != false, "seed \(seed)")
        #expect(RawTime(text: metadata.time.text) == metadata.time, "seed \(seed)")
      }
    }
  }

  /// The raw picture is one of them.
  @Test(arguments: [(6, true), (7, false)])
  func `of the pictures in an X3F the first eight are looked at`(
    count: Int, isRead: Bool
  ) throws {
    let pictures = Array(repeating: JPEGFixture(), count: count) + [fullPhoto()]
    let metadata = try whole(sigma(with: pictures), named: "x3f")
    #expect(metadata.device?.make == (isRead ? "Canon" : nil))
  }

  @Test(arguments: [(0x7fff_ffff, true), (0x8000_0000, false), (0, false)] as [(UInt32, Bool)])
  func `a size that no picture has is not known, whatever the container`(
    width: UInt32, isKnown: Bool
  ) throws {
    let tiff = fullTIFF(size: [(0x100, .long([width])), (0x101, .long([1]))])
    let heic: [UInt8] = {
      var fixture = HEIFFixture()
      fixture.width = Int(width)
      return fixture.bytes
    }()
    for bytes in [tiff.bytes, PNGFixture(width: width, height: 1).bytes, heic] {
      #expect(try whole(bytes, named: "x").width == (isKnown ? Int(width) : nil))
    }
  }

  @Test(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0))
  func `exiftool reads the same`() throws {
    let directory = try TemporaryDirectory()
    var files: [String] = []
    for (index, fixture) in ContainerFixture.all.enumerated() {
      let name = "\(index).\(fixture.suffix)"
      try directory.write(name, fixture.bytes)
      files.append(directory.path + "/" + name)
    }
    let answer = try output(
      of: [
        "/usr/bin/exiftool", "-T", "-n", "-MIMEType", "-EXIF:DateTimeOriginal", "-EXIF:Model",
        "-EXIF:LensModel",
      ] + files)
    let expected = ContainerFixture.all.map {
      $0.mediaType + "\t2024:05:01 13:45:10\tCanon EOS R5\tRF85mm F1.2 L USM"
    }
    #expect(answer.split(separator: "\n").map(String.init) == expected)
  }
}

/// All lengths of a small file, some of a larger one, and of a large one those at its ends.
private func lengths(of fixture: ContainerFixture) -> [Int] {
  let count = fixture.bytes.count
  if count > 10_000 { return Array(0..<64) + Array((count - 1500)..<count) }
  return Array(stride(from: 0, to: count, by: count > 1500 ? 5 : 1))
}

/// Whether all that `sure` says is what `whole` says. Of the type the beginning of a file tells no
/// more than that it is, say, a TIFF.
private func isPart(_ sure: PhotoMetadata, of whole: PhotoMetadata) -> Bool {
  func holds<Value: Equatable>(_ path: KeyPath<PhotoMetadata, Value?>) -> Bool {
    sure[keyPath: path] == nil || sure[keyPath: path] == whole[keyPath: path]
  }
  return holds(\.width) && holds(\.height) && holds(\.orientation)
    && holds(\.position) && holds(\.altitude) && holds(\.device?.make) && holds(\.device?.model)
    && holds(\.device?.serial) && holds(\.exposure?.lens) && holds(\.exposure?.iso)
    && holds(\.exposure?.exposureTime) && (sure.time.isEmpty || sure.time == whole.time)
}
