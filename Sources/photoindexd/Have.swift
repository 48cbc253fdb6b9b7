import Digests
import IndexStore
import Library
import Linux
import Model
import Sync

/// The command `--have`: which files of a directory, a camera's card say, the index has elsewhere.
/// It writes nothing, neither there nor into the index.
struct Have {
  private let setting: Setting
  private let reader: IndexReader
  /// With its symbolic links resolved.
  private let directory: [UInt8]
  /// As it was named.
  private let argument: [UInt8]
  private let isMissingOnly: Bool
  private let endsWithNull: Bool

  init(_ setting: Setting, _ argument: [UInt8], _ invocation: Invocation) throws {
    self.setting = setting
    directory = try resolve(argument)
    reader = try setting.openReader()
    self.argument = argument
    isMissingOnly = invocation.missingOnly
    endsWithNull = invocation.endsWithNull
  }

  func run() throws -> ExitStatus {
    let card = CardFiles(directory)
    let progress = Progress(level: setting.configuration.logLevel)
    let sizes = try reader.photoSizes(among: Set(card.files.map(\.size)))
    var comparer = CardComparer(reader, sizes, directory)
    var counts = Counts()
    for (number, file) in card.files.enumerated() {
      progress.report(.hashing(done: number, of: card.files.count))
      let verdict = try comparer.verdict(on: file)
      counts.add(verdict)
      if let line = line(file.path, verdict) {
        progress.finish()
        try printOutput(bytes: line + [endsWithNull ? 0 : UInt8(ascii: "\n")])
      }
      if case .unsure(let error?) = verdict { setting.log("\(file.path): \(error)", .error) }
    }
    progress.finish()
    return report(card, counts)
  }

  private func report(_ card: CardFiles, _ counts: Counts) -> ExitStatus {
    for failure in card.failures { setting.log("\(failure.path): \(failure.message)", .error) }
    for path in card.marked { setting.log("\(path): left out by a .nomedia file", .warning) }
    let others = card.others == 0 ? "" : "; \(grouped(card.others)) other files were not looked at"
    setting.log(
      "\(grouped(counts.had)) have, \(grouped(counts.new)) new, \(grouped(counts.unsure)) unsure"
        + others, .info)
    if !card.failures.isEmpty || counts.isUnreadable { return .inputOutput }
    return counts.new + counts.unsure > 0 ? .notAll : .done
  }

  private func line(_ path: RelativePath, _ verdict: CardComparer.Verdict) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    let path = argument.last == slash ? argument + path.bytes : argument + [slash] + path.bytes
    if isMissingOnly {
      if case .have = verdict { return nil }
      return shown(path)
    }
    switch verdict {
    case .have(let copy): return Array("have ".utf8) + shown(path) + Array(" → ".utf8) + shown(copy)
    case .new: return Array("new ".utf8) + shown(path)
    case .unsure: return Array("unsure ".utf8) + shown(path)
    }
  }

  /// With NULs at the ends of lines, another program reads them and wants the exact bytes.
  private func shown(_ path: [UInt8]) -> [UInt8] {
    endsWithNull ? path : Array(printable(path).utf8)
  }
}

private struct Counts {
  var had = 0
  var new = 0
  var unsure = 0
  var isUnreadable = false

  mutating func add(_ verdict: CardComparer.Verdict) {
    switch verdict {
    case .have: had += 1
    case .new: new += 1
    case .unsure(let error):
      unsure += 1
      if error != nil { isUnreadable = true }
    }
  }
}

/// The files of a directory that would be photos if it were a root, by the rules that hold without
/// any configuration.
struct CardFiles {
  struct File {
    let path: RelativePath
    let size: Int64
  }

  private(set) var files: [File] = []
  /// How many files are no photos by their names.
  private(set) var others = 0
  private(set) var marked: [RelativePath] = []
  private(set) var failures: [(path: RelativePath, message: String)] = []

  init(_ directory: [UInt8]) {
    do throws(SystemError) {
      let tree = try RootTree(path: directory, rules: PhotoRules(), clock: wallClock)
      var waiting: [RelativePath] = [.root]
      while let path = waiting.popLast() { take(path, of: tree, &waiting) }
    } catch {
      failures.append((.root, error.message))
    }
    files.sort { $0.path < $1.path }
  }

  private mutating func take(
    _ path: RelativePath, of tree: RootTree, _ waiting: inout [RelativePath]
  ) {
    do throws(SystemError) {
      let listing = try tree.list(path)
      guard !listing.isMarkedExcluded else { return marked.append(path) }
      for photo in listing.photos {
        files.append(
          File(path: path.appending(Array(photo.name)), size: photo.fingerprint.size))
      }
      for failed in listing.unreadable {
        failures.append((path.appending(Array(failed.name)), failed.error.message))
      }
      waiting += listing.subdirectories.map { path.appending($0) }
      let rules = tree.rules.rules(in: path)
      _ = try tree.open(path).list { name, kind in
        if kind == .file, !rules.admits(name, kind) { others += 1 }
        return false
      }
    } catch {
      failures.append((path, error.message))
    }
  }
}

/// Compares files with the index, by their sizes and then by their bytes.
private struct CardComparer: ~Copyable {
  enum Verdict {
    case have([UInt8])
    case new
    /// Nobody can tell yet: a hash is not there, the copy is not as the index knows it, or the file
    /// could not be read.
    case unsure(SystemError?)
  }

  private let reader: IndexReader
  private let sizes: [Int64: Bool]
  private let directory: [UInt8]
  private var hasher = SHA256()
  private var buffer = [UInt8](repeating: 0, count: 256 * 1024)

  init(_ reader: IndexReader, _ sizes: [Int64: Bool], _ directory: [UInt8]) {
    self.reader = reader
    self.sizes = sizes
    self.directory = directory
  }

  mutating func verdict(on file: CardFiles.File) throws -> Verdict {
    guard let isPending = sizes[file.size] else { return .new }
    let (hash, status): (Hash, Linux.Status)
    do throws(SystemError) {
      let open = try Directory(absolutePath: directory).file(at: file.path.bytes, .refused)
      (hash, status) = (try digest(open), open.statusWhenOpened)
    } catch {
      return .unsure(error)
    }
    var isStale = false
    for copy in try reader.copies(ofSize: file.size, hash) {
      let path = copy.root + [UInt8(ascii: "/")] + copy.path.bytes
      switch look(at: copy, besides: status) {
      case .asIndexed: return .have(path)
      case .otherwise: isStale = true
      case .itself: continue
      }
    }
    return isPending || isStale ? .unsure(nil) : .new
  }

  private enum Look {
    case asIndexed
    case otherwise
    /// The card is a part of a root, or mounted in one: then the file is no copy of itself.
    case itself
  }

  /// What is to be deleted here must be there now, not only at the last scan. For a disk that is
  /// not there, the index has the last word.
  private func look(at copy: IndexedCopy, besides file: Linux.Status) -> Look {
    let root = realRoot(copy.root)
    guard !contains(directory, root + [UInt8(ascii: "/")] + copy.path.bytes) else { return .itself }
    guard copy.isOnline else { return .asIndexed }
    guard let status = try? Directory(absolutePath: root).status(at: copy.path.bytes, .followed)
    else { return .otherwise }
    let known = status.fingerprint
    if status.device == file.device, known.inode == file.fingerprint.inode { return .itself }
    return known.size == file.fingerprint.size && known.modified == copy.modified
      ? .asIndexed : .otherwise
  }

  private mutating func digest(_ file: borrowing OpenFile) throws(SystemError) -> Hash {
    file.expectSequentialReading()
    var offset: Int64 = 0
    do throws(SystemError) {
      while true {
        let count = try file.read(at: offset, into: &buffer)
        feed(buffer, first: count, to: &hasher)
        offset += Int64(count)
        if count < buffer.count { return hasher.finalize() }
      }
    } catch {
      _ = hasher.finalize()
      throw error
    }
  }
}

/// A function of its own, since a span of one part of a value forbids changes of its other parts.
private func feed(_ buffer: [UInt8], first count: Int, to hasher: inout SHA256) {
  hasher.update(buffer.span.extracting(first: count))
}
