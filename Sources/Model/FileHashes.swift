/// The digests of a file's bytes.
package struct FileHashes: Hashable, Sendable {
  package let content: Hash
  /// Of the coded picture without its metadata; nil where the format does not allow it.
  package let image: Hash?

  package init(content: Hash, image: Hash?) {
    self.content = content
    self.image = image
  }
}
