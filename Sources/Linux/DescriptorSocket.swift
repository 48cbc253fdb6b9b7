import CLinux
import Glibc

/// One end of a connection between two processes that keeps messages apart, and through which open
/// files travel (SCM_RIGHTS, unix(7)).
package struct DescriptorSocket: ~Copyable, Sendable {
  let descriptor: FileDescriptor

  init(owning raw: CInt) {
    descriptor = FileDescriptor(owning: raw)
  }

  /// The one that a process was started with in place of its standard input.
  package static func inherited() -> DescriptorSocket { DescriptorSocket(owning: 0) }

  package var readiness: Readiness { Readiness(descriptor.raw) }

  /// Sends one message, and with it the files, at most `mostFiles`.
  package borrowing func send(
    _ message: [UInt8], with files: [SharedFile] = []
  ) throws(SystemError) {
    let descriptors = files.map { $0.file.raw }
    _ = try system("sendmsg", on: "decoder") {
      message.withUnsafeBytes {
        photoindexd_send(
          descriptor.raw, $0.baseAddress, $0.count, descriptors, descriptors.count)
      }
    }
  }

  /// How many files one message may have.
  package static let mostFiles = Int(PHOTOINDEXD_MOST_DESCRIPTORS)

  /// The next message, of at most `mostBytes`, and the descriptors in it; nil when the other end
  /// has gone.
  package borrowing func receive() throws(SystemError) -> ReceivedMessage? {
    var descriptors = [CInt](repeating: -1, count: Self.mostFiles)
    var count = 0
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { buffer, filled in
      do throws(SystemError) {
        filled = try system("recvmsg", on: "decoder") {
          photoindexd_receive(
            descriptor.raw, buffer.baseAddress, buffer.count, &descriptors, &count)
        }
      } catch {
        failure = error
      }
    }
    let files = ReceivedFiles(descriptors[..<count])
    if let failure { throw failure }
    return bytes.isEmpty ? nil : ReceivedMessage(bytes: bytes, files: files)
  }

  package static let mostBytes = 64 * 1024
}

package struct ReceivedMessage: ~Copyable {
  package let bytes: [UInt8]
  package var files: ReceivedFiles
}

/// Descriptors that came with a message. Whoever is not asked for closes with the list.
package struct ReceivedFiles: ~Copyable {
  private var descriptors: ArraySlice<CInt>

  fileprivate init(_ descriptors: ArraySlice<CInt>) {
    self.descriptors = descriptors
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  package var count: Int { descriptors.count }

  /// The next one, which is a file of this size by the word of who sent it.
  package mutating func next(size: Int64) -> OpenFile? {
    guard let raw = descriptors.popFirst() else { return nil }
    return OpenFile(received: FileDescriptor(owning: raw), size: size)
  }
}

/// A file that several may hold open; it closes when the last one lets it go.
package final class SharedFile: Sendable {
  package let file: OpenFile

  package init(_ file: consuming OpenFile) {
    self.file = file
  }
}
