/// The digests of a file's bytes.
package struct FileHashes: Hashable, Sendable {
  package let content: Hash
  /// Of the coded picture without its metadata; nil where the format does not allow it.
  package let image: ImageHash?
  /// How the decoder died of the picture, which may have a hash then that nobody knows.
  package let imageFailure: String?

  package init(content: Hash, image: ImageHash?, imageFailure: String? = nil) {
    self.content = content
    self.image = image
    self.imageFailure = imageFailure
  }
}
