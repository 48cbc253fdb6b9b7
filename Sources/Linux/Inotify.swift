import CLinux
import Glibc

/// The kernel's news of the directories that it was asked to watch (inotify(7)).
package struct Inotify: ~Copyable, Sendable {
  /// The kernel's number for a watched directory. It stays with the directory when that is renamed,
  /// and is not given to another one.
  package typealias Watch = CInt

  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let raw = try system("inotify_init1", on: "inotify") {
      inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    }
    descriptor = FileDescriptor(owning: raw)
  }

  package var readiness: Readiness { Readiness(descriptor.raw) }

  /// Starts to report changes to the entries of a directory, whatever its name is meanwhile.
  package borrowing func watch(
    _ directory: borrowing Directory, _ mask: Mask
  ) throws(SystemError) -> Watch {
    // By its descriptor: the kernel takes a path, and a link in that could lead elsewhere.
    try system("inotify_add_watch", on: "directory") {
      inotify_add_watch(
        descriptor.raw, "/proc/self/fd/\(directory.raw)",
        mask.union([.onlyDirectories, .notOfUnlinked]).rawValue)
    }
  }

  /// Ends it. One that the kernel has ended already needs no end.
  package borrowing func unwatch(_ watch: Watch) {
    inotify_rm_watch(descriptor.raw, watch)
  }

  /// The events that are waiting, as many as one read gives; it never blocks.
  package borrowing func read() throws(SystemError) -> [Event] {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count: Int
    do throws(SystemError) {
      count = try system("read", on: "inotify") {
        buffer.withUnsafeMutableBytes { Glibc.read(descriptor.raw, $0.baseAddress, $0.count) }
      }
    } catch {
      guard error.code == EAGAIN else { throw error }
      return []
    }
    return Event.decode(buffer.span.bytes.extracting(first: count))
  }
}

extension Inotify {
  package struct Event: Hashable, Sendable {
    package let watch: Watch
    package let mask: Mask
    /// The entry; empty when the event is of the directory itself.
    package let name: [UInt8]

    package init(watch: Watch, mask: Mask, name: [UInt8] = []) {
      self.watch = watch
      self.mask = mask
      self.name = name
    }
  }

  package struct Mask: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    package static let modified = Mask(rawValue: 0x2)
    package static let attributes = Mask(rawValue: 0x4)
    package static let closedAfterWriting = Mask(rawValue: 0x8)
    package static let movedFrom = Mask(rawValue: 0x40)
    package static let movedTo = Mask(rawValue: 0x80)
    package static let created = Mask(rawValue: 0x100)
    package static let deleted = Mask(rawValue: 0x200)
    package static let selfDeleted = Mask(rawValue: 0x400)
    package static let selfMoved = Mask(rawValue: 0x800)
    package static let unmounted = Mask(rawValue: 0x2000)
    package static let overflow = Mask(rawValue: 0x4000)
    /// The kernel has ended the watch.
    package static let ended = Mask(rawValue: 0x8000)
    /// The entry is a directory.
    package static let directory = Mask(rawValue: 0x4000_0000)
    fileprivate static let onlyDirectories = Mask(rawValue: 0x0100_0000)
    fileprivate static let notOfUnlinked = Mask(rawValue: 0x0400_0000)
  }
}

extension Inotify.Event {
  /// Decodes what the kernel writes; a record that is cut off is left out.
  package static func decode(_ bytes: RawSpan) -> [Inotify.Event] {
    // struct inotify_event { int wd; uint32_t mask, cookie, len; char name[len]; }
    let headerSize = 16
    var events: [Inotify.Event] = []
    var start = 0
    while bytes.byteCount - start >= headerSize {
      let watch = bytes.unsafeLoadUnaligned(fromByteOffset: start, as: CInt.self)
      let mask = bytes.unsafeLoadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
      let length = bytes.unsafeLoadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
      let end = start + headerSize + Int(length)
      guard end <= bytes.byteCount else { break }
      let name = bytes.extracting((start + headerSize)..<end).bytesBeforeZero()
      events.append(Inotify.Event(watch: watch, mask: Inotify.Mask(rawValue: mask), name: name))
      start = end
    }
    return events
  }
}

extension RawSpan {
  fileprivate func bytesBeforeZero() -> [UInt8] {
    var bytes: [UInt8] = []
    for offset in byteOffsets {
      let byte = unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if byte == 0 { break }
      bytes.append(byte)
    }
    return bytes
  }
}
