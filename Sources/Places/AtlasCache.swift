import Linux
import Model

extension Atlas {
  /// Opens the atlas of the GeoJSON files in the directory `resources`, and of the user's `own`,
  /// of which the first wins where they overlap.
  ///
  /// The compiled ones in the directory `cache` are used if they are intact and stand for these very
  /// files; else they are compiled and kept there. Where nothing can be kept, or without a cache,
  /// the atlas lives in memory.
  package static func open(
    resources: String, own: [String] = [], cache: String?
  ) throws -> Atlas {
    let files = AtlasSources.names.map { resources + "/" + $0 }
    let bundled = Atlas(
      try CompiledFile(cache.map { $0 + "/places.atlas" }, try AtlasSources(files, context: ""))
        .words { contents throws(GeoJSONError) in try AtlasCompiler.compile(contents) })
    guard !own.isEmpty else { return bundled }
    // Their parents are units of the bundled atlas, by its numbers.
    let names = own.map { lastName(of: $0) }
    let context = " \(bundled.digest) \(names)"
    let file = CompiledFile(
      cache.map { $0 + "/own-places.atlas" }, try AtlasSources(own, context: context))
    let words = try file.words { contents throws(GeoJSONError) in
      try OwnPlacesCompiler.compile(contents, files: own, within: bundled)
    }
    return Atlas(
      bundled.words, own: OwnPlaces(words, first: bundled.unitCount, files: names))
  }

  /// Throws what is wrong with a user's own file.
  package static func check(own file: String) throws {
    _ = try OwnPlace.all(in: try readFile(at: Array(file.utf8)), file: file)
  }
}

/// Words that follow from GeoJSON files, kept in a file so that they need no compiling.
private struct CompiledFile {
  /// nil: in memory alone.
  private let path: [UInt8]?
  private let sources: AtlasSources

  init(_ path: String?, _ sources: AtlasSources) {
    self.path = path.map { Array($0.utf8) }
    self.sources = sources
  }

  /// The kept ones if they are intact and stand for these very files, else those of `compile`.
  func words(
    _ compile: (consuming [[UInt8]]) throws(GeoJSONError) -> [UInt32]
  ) throws -> MappedWords {
    guard let path, let words = try? MappedWords(file: path), AtlasFormat.isIntact(words) else {
      return try compiled(try sources.read(), compile)
    }
    if words.hash(at: AtlasFormat.sources) == sources.stamp { return words }
    let contents = try sources.read()
    guard sources.digest(of: contents) == words.hash(at: AtlasFormat.digest) else {
      return try compiled(consume contents, compile)
    }
    // Files that were copied or touched are still the same files; only the record is renewed.
    var renewed = (0..<words.count).map { words[$0] }
    AtlasFormat.stamp(&renewed, sources.stamp)
    return try keep(renewed)
  }

  private func compiled(
    _ contents: consuming [[UInt8]],
    _ compile: (consuming [[UInt8]]) throws(GeoJSONError) -> [UInt32]
  ) throws -> MappedWords {
    let digest = sources.digest(of: contents)
    var words = try compile(consume contents)
    AtlasFormat.set(&words, at: AtlasFormat.digest, digest)
    AtlasFormat.stamp(&words, sources.stamp)
    return try keep(words)
  }

  private func keep(_ words: [UInt32]) throws(SystemError) -> MappedWords {
    if let path, let mapped = try? written(words, at: path) { return mapped }
    return try MappedWords(copying: words)
  }

  /// Maps what was written, so that the memory it was compiled in can go.
  private func written(
    _ words: [UInt32], at path: [UInt8]
  ) throws(SystemError) -> MappedWords? {
    try replaceFile(at: path, with: words)
    let mapped = try MappedWords(file: path)
    // Another process may have put its own there meanwhile.
    guard AtlasFormat.isIntact(mapped), mapped.count == words.count else { return nil }
    let isOurs = (0..<8).allSatisfy {
      mapped[AtlasFormat.digest + $0] == words[AtlasFormat.digest + $0]
    }
    return isOurs ? mapped : nil
  }
}

extension AtlasFormat {
  /// Records which files the words stand for, and seals them.
  static func stamp(_ words: inout [UInt32], _ stamp: Hash) {
    set(&words, at: sources, stamp)
    seal(&words)
  }

  /// Writes a digest, eight words in big-endian order.
  static func set(_ words: inout [UInt32], at offset: Int, _ digest: Hash) {
    for index in 0..<8 {
      words[offset + index] =
        digest.bytes[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

extension MappedWords {
  /// The digest that stands at an offset.
  func hash(at offset: Int) -> Hash? {
    Hash(
      bytes: (0..<32).map { index in
        UInt8(truncatingIfNeeded: self[offset + index / 4] >> (24 - 8 * (index % 4)))
      })
  }
}
