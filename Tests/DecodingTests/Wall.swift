import Decoding
import Linux
import Metadata
import Model
import TestSupport

/// Files on disk, and a decoder in a process of its own to read them.
struct Wall {
  let disk: TemporaryDirectory
  let pool: DecoderPool

  /// The program itself, or the one that obeys what files say.
  init(faulty: Bool = false, silence: Duration = .seconds(20)) throws {
    disk = try TemporaryDirectory()
    let program = try builtProgram(faulty ? "faulty-decoder" : "photoindexd")
    pool = DecoderPool(program: Array(program.utf8), silence: silence)
  }

  func inputs(_ names: [String]) throws -> [DecoderInput] {
    try names.map {
      let file = try OpenFile(absolutePath: disk.path($0))
      return DecoderInput(SharedFile(file), suffix: "jpg")
    }
  }

  func sidecars(_ names: [String]) throws -> [DecoderInput] {
    try names.map {
      let file = try OpenFile(absolutePath: disk.path($0))
      return DecoderInput(SharedFile(file), sidecar: $0.hasSuffix("json") ? .takeout : .xmp)
    }
  }

  /// As many photos, each unlike the others.
  func photos(_ count: Int) throws -> [String] {
    try (0..<count).map { number in
      let name = "\(number).jpg"
      try disk.write(name, photo(number))
      return name
    }
  }
}

func photo(_ number: Int) -> [UInt8] {
  JPEGFixture.photo(
    taken: "2024:05:01 \(10 + number / 3600):\(10 + number / 60 % 50):\(10 + number % 50)"
  ).bytes
}
