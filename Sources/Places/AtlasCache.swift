import Digests
import Linux
import Model

extension Atlas {
  /// Opens the atlas of the GeoJSON files in the directory `resources`.
  ///
  /// The compiled one in the directory `cache` is used if it is intact and stands for these very
  /// files; else it is compiled and kept there. Where nothing can be kept, or without a cache, the
  /// atlas lives in memory.
  package static func open(resources: String, cache: String?) throws -> Atlas {
    let sources = try AtlasSources(directory: resources)
    guard let cache else { return try compile(sources, at: nil) }
    let path = Array((cache + "/places.atlas").utf8)
    guard let words = try? MappedWords(file: path), AtlasFormat.isIntact(words) else {
      return try compile(sources, at: path)
    }
    if words.stands(for: sources.fingerprints) { return Atlas(words) }
    return try refresh(Atlas(words), sources, at: path)
  }

  /// Files that were copied or touched are still the same files; then only the record is renewed.
  private static func refresh(
    _ atlas: Atlas, _ sources: AtlasSources, at path: [UInt8]
  ) throws -> Atlas {
    let contents = try sources.read()
    guard AtlasSources.digest(of: contents).description == atlas.digest else {
      return try compile(contents, sources.fingerprints, at: path)
    }
    var words = (0..<atlas.words.count).map { atlas.words[$0] }
    AtlasCompiler.stamp(&words, sources.fingerprints)
    return try keep(words, at: path)
  }

  private static func compile(_ sources: AtlasSources, at path: [UInt8]?) throws -> Atlas {
    try compile(try sources.read(), sources.fingerprints, at: path)
  }

  private static func compile(
    _ contents: [[UInt8]], _ fingerprints: [Fingerprint], at path: [UInt8]?
  ) throws -> Atlas {
    try keep(try AtlasCompiler.compile(contents, fingerprints), at: path)
  }

  private static func keep(_ words: [UInt32], at path: [UInt8]?) throws(SystemError) -> Atlas {
    if let path, let mapped = try? written(words, at: path) { return Atlas(mapped) }
    return Atlas(try MappedWords(copying: words))
  }

  /// Maps what was written, so that the memory it was compiled in can go.
  private static func written(
    _ words: [UInt32], at path: [UInt8]
  ) throws(SystemError) -> MappedWords? {
    try replaceFile(at: path, with: words)
    let mapped = try MappedWords(file: path)
    // Another process may have put its own there meanwhile.
    return AtlasFormat.isIntact(mapped) && mapped.hasDigest(of: words) ? mapped : nil
  }
}

extension MappedWords {
  fileprivate func stands(for fingerprints: [Fingerprint]) -> Bool {
    AtlasFormat.words(of: fingerprints).enumerated().allSatisfy { index, word in
      self[AtlasFormat.fingerprints + index] == word
    }
  }

  fileprivate func hasDigest(of words: [UInt32]) -> Bool {
    (0..<8).allSatisfy { self[AtlasFormat.digest + $0] == words[AtlasFormat.digest + $0] }
  }
}
