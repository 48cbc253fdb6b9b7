import CLinux
import Glibc
package import Model

/// An open directory. All that it opens lies below it, whatever happens to names meanwhile.
package struct Directory: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  private init(owning raw: CInt) {
    descriptor = FileDescriptor(owning: raw)
  }

  var raw: CInt { descriptor.raw }

  /// Opens the directory at an absolute path, through symbolic links.
  package init(absolutePath path: [UInt8]) throws(SystemError) {
    let raw = try system("open", on: printable(path)) {
      path.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
    }
    self.init(owning: raw)
  }

  /// Opens a directory below this one; the root path opens it a second time.
  package func directory(at path: RelativePath, _ links: SymbolicLinks) throws(SystemError)
    -> Directory
  {
    Directory(owning: try open(path.isRoot ? [UInt8(ascii: ".")] : path.bytes, O_DIRECTORY, links))
  }

  /// Opens a regular file below this directory for reading.
  ///
  /// Whatever else has the name meanwhile, a FIFO or a device, is ENOENT for us: O_NONBLOCK and
  /// O_NOCTTY keep the opening itself harmless.
  package func file(at path: [UInt8], _ links: SymbolicLinks) throws(SystemError) -> OpenFile {
    let file = try OpenFile(descriptor: FileDescriptor(owning: try open(path, O_NOCTTY, links)))
    guard file.statusWhenOpened.kind == .file else {
      throw SystemError(call: "openat2", subject: printable(path), code: ENOENT)
    }
    return file
  }

  /// What stands at a path below this directory.
  package func status(at path: [UInt8], _ links: SymbolicLinks) throws(SystemError) -> Status {
    let object = FileDescriptor(owning: try open(path, pathOnly, links))
    return try statusOf(object.raw, printable(path))
  }

  package func status() throws(SystemError) -> Status {
    try statusOf(descriptor.raw, "directory")
  }

  package func fileSystem(
    _ names: FileSystemNames = FileSystemNames()
  ) throws(SystemError) -> FileSystem {
    try names.fileSystem(of: descriptor.raw)
  }

  /// Where the directory lies on its file system, wherever that is mounted; nil where the kernel
  /// does not say.
  package func pathOnFileSystem() -> [UInt8]? {
    guard let place = try? realPath(Array("/proc/self/fd/\(descriptor.raw)".utf8)),
      let mount = mountNumber(),
      let mounts = try? MountTable().mounts(),
      let found = mounts.first(where: { $0.identifier == mount })
    else { return nil }
    let slash = UInt8(ascii: "/")
    let top = found.path == [slash] ? [] : found.path
    guard place == found.path || place.starts(with: top + [slash]) else { return nil }
    let names = (found.root + [slash] + place.dropFirst(top.count)).split(separator: slash)
    return [slash] + names.joined(separator: [slash])
  }

  /// The line `mnt_id:\t36` of proc(5).
  private func mountNumber() -> Int? {
    let path = Array("/proc/self/fdinfo/\(descriptor.raw)".utf8)
    guard let file = try? OpenFile(absolutePath: path) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard let count = try? file.read(at: 0, into: &bytes) else { return nil }
    let key = Array("mnt_id:".utf8)
    let line = bytes[..<count].split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }
    let digits = line?.dropFirst(key.count).drop { $0 == UInt8(ascii: "\t") }
    return digits.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// Lists the entries that `admits` lets in; it is asked before an entry costs a system call.
  ///
  /// Files that vanish while the directory is being read are left out. One that fails is listed
  /// with its failure, for its neighbours are to be read.
  package func list(
    _ admits: (Span<UInt8>, EntryKind) -> Bool
  ) throws(SystemError) -> DirectoryListing {
    var listing = DirectoryListing()
    try withUnsafeTemporaryAllocation(byteCount: listingBufferSize, alignment: 8) {
      (buffer) throws(SystemError) in
      while true {
        let count = try system("getdents64", on: "directory") {
          photoindexd_getdents64(descriptor.raw, buffer.baseAddress, buffer.count)
        }
        guard count > 0 else { return }
        let records = UnsafeRawBufferPointer(buffer)[..<count]
        try append(UnsafeRawBufferPointer(rebasing: records), to: &listing, admits)
      }
    }
    return listing
  }

  private func append(
    _ records: UnsafeRawBufferPointer, to listing: inout DirectoryListing,
    _ admits: (Span<UInt8>, EntryKind) -> Bool
  ) throws(SystemError) {
    // struct linux_dirent64 { u64 d_ino; s64 d_off; u16 d_reclen; u8 d_type; char d_name[]; }
    let nameOffset = 19
    var start = 0
    while start + nameOffset < records.count {
      let length = Int(records.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
      guard length > nameOffset, start + length <= records.count else { return }
      defer { start += length }
      let bytes = UnsafeRawBufferPointer(
        rebasing: records[(start + nameOffset)..<(start + length)])
      let name = UnsafeRawBufferPointer(
        rebasing: bytes[..<(bytes.firstIndex(of: 0) ?? bytes.count)]
      ).assumingMemoryBound(to: UInt8.self)
      guard !isDotEntry(name) else { continue }
      let kind = EntryKind(direntType: records[start + 18])
      do throws(SystemError) {
        try append(name, kind, to: &listing, admits)
      } catch {
        guard error.isOfOneEntry else { throw error }
        let kinds = kind == .unknown ? [.file, .directory] : [kind]
        guard kinds.contains(where: { admits(Span(_unsafeElements: name), $0) }) else { continue }
        listing.append(name, kind, nil, failure: error)
      }
    }
  }

  private func append(
    _ name: UnsafeBufferPointer<UInt8>, _ told: EntryKind, to listing: inout DirectoryListing,
    _ admits: (Span<UInt8>, EntryKind) -> Bool
  ) throws(SystemError) {
    // Some file systems do not say what an entry is; then it must be asked.
    let kind = told == .unknown ? try status(name)?.kind ?? .other : told
    guard admits(Span(_unsafeElements: name), kind) else { return }
    guard kind == .file else { return listing.append(name, kind, nil) }
    guard let status = try status(name), status.kind == .file else { return }
    listing.append(name, .file, status.fingerprint)
  }

  /// The status of an entry, links not followed; nil when it has just gone.
  private func status(_ name: UnsafeBufferPointer<UInt8>) throws(SystemError) -> Status? {
    var buffer = statx()
    // The kernel ends each name in the buffer with a NUL.
    let result = UnsafeRawPointer(name.baseAddress!).withMemoryRebound(
      to: CChar.self, capacity: name.count + 1
    ) {
      photoindexd_statx(
        descriptor.raw, $0, CInt(AT_SYMLINK_NOFOLLOW) | noAutomount, wantedFields, &buffer)
    }
    if result == 0 { return Status(buffer) }
    let code = errno
    guard code != ENOENT else { return nil }
    throw SystemError(call: "statx", subject: printable(name), code: code)
  }

  private func open(
    _ path: [UInt8], _ flags: CInt, _ links: SymbolicLinks
  ) throws(SystemError) -> CInt {
    var resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS
    if links == .refused { resolve |= RESOLVE_NO_SYMLINKS }
    // O_PATH tolerates only the flags that matter to it.
    let reading = flags & pathOnly == 0 ? O_RDONLY | O_NONBLOCK : 0
    let wanted = UInt64(flags | reading | O_CLOEXEC)
    var result: CInt = -1
    var attempts = 0
    // EAGAIN: a rename elsewhere made the kernel unsure; openat2(2) says to try again. Or somebody
    // has a lease on the file, and then it stays so for a while.
    repeat {
      result = path.withCString { photoindexd_openat2(descriptor.raw, $0, wanted, UInt64(resolve)) }
      attempts += 1
    } while result == -1 && (errno == EAGAIN && attempts < mostAttempts || errno == EINTR)
    guard result != -1 else {
      throw SystemError(call: "openat2", subject: printable(path), code: errno)
    }
    return result
  }
}

/// Whether symbolic links are followed, and then only as long as they stay below the directory.
package enum SymbolicLinks: Sendable {
  case refused
  case followed
}

/// O_PATH, which Swift's Glibc module hides.
let pathOnly: CInt = 0o10_000_000
private let mostAttempts = 16
private let listingBufferSize = 64 * 1024
private let noAutomount = CInt(0x800)
let wantedFields = UInt32(STATX_TYPE | STATX_SIZE | STATX_MTIME | STATX_CTIME | STATX_INO)

private func isDotEntry(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
  let dot = UInt8(ascii: ".")
  return name.count == 1 && name[0] == dot || name.count == 2 && name[0] == dot && name[1] == dot
}

/// The status of an open descriptor.
func statusOf(_ descriptor: CInt, _ subject: @autoclosure () -> String) throws(SystemError)
  -> Status
{
  var buffer = statx()
  let emptyPath = CInt(0x1000)
  _ = try system("statx", on: subject()) {
    photoindexd_statx(descriptor, "", emptyPath, wantedFields, &buffer)
  }
  return Status(buffer)
}

extension [UInt8] {
  /// Calls `body` with the bytes as a C string. Paths of ours hold no NUL.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var terminated = self
    terminated.append(0)
    return terminated.withUnsafeBytes {
      body($0.baseAddress!.assumingMemoryBound(to: CChar.self))
    }
  }
}
