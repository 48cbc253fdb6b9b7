import Decoding
import IndexStore
import Library
import Linux
import Metadata
import Model

/// What stands beside a photo.
struct Beside: Sendable {
  private(set) var values: [SidecarValues] = []
  private(set) var readings: [SidecarReading] = []

  fileprivate mutating func add(_ sidecar: Sidecar, _ values: SidecarValues) {
    self.values.append(values)
    readings.append(SidecarReading(sidecar, values: values.text))
  }

  /// Adds one of which nothing counts.
  fileprivate mutating func add(_ sidecar: Sidecar, note: String? = nil) {
    readings.append(SidecarReading(sidecar, note: note))
  }
}

/// Reads what stands beside photos of one directory. A sidecar that cannot be read, or of which its
/// decoder dies, says nothing; it keeps no photo waiting.
struct SidecarReader {
  let decoder: any Decoder
  let countsInodes: Bool

  /// What is beside each task's photo; nil where a file is not as it was listed.
  func read(
    _ tasks: [ReadTask], in directory: borrowing Directory, _ tree: RootTree
  ) async throws -> [Beside?] {
    let wanted = tasks.flatMap { task in
      task.sidecars.files.filter(\.mayCount).map { Wanted(task.path, $0) }
    }
    var outcomes: [Outcome] = []
    for start in stride(from: 0, to: wanted.count, by: mostOpen) {
      let batch = wanted[start..<min(start + mostOpen, wanted.count)]
      outcomes += try await read(batch, in: directory, tree)
    }
    var rest = outcomes[...]
    return tasks.map { task in
      let own = rest.prefix(task.sidecars.files.count(where: \.mayCount))
      rest = rest.dropFirst(own.count)
      return beside(task.sidecars.files, own)
    }
  }

  private func read(
    _ wanted: ArraySlice<Wanted>, in directory: borrowing Directory, _ tree: RootTree
  ) async throws -> [Outcome] {
    var outcomes = [Outcome](repeating: .changed, count: wanted.count)
    var files: [(number: Int, sidecar: Sidecar, file: SharedFile)] = []
    for (number, wanted) in wanted.enumerated() {
      do throws(SystemError) {
        let file = SharedFile(try tree.file(at: wanted.path, in: directory))
        guard isAsListed(file.file.statusWhenOpened, wanted.sidecar) else { continue }
        files.append((number, wanted.sidecar, file))
      } catch {
        outcomes[number] = Outcome(.system(error))
      }
    }
    let found = try await decoder.sidecars(
      of: files.map { DecoderInput($0.file, sidecar: $0.sidecar.kind) })
    for (open, found) in zip(files, found) {
      outcomes[open.number] = outcome(of: open.file, open.sidecar, found)
    }
    return outcomes
  }

  private func outcome(
    of file: SharedFile, _ sidecar: Sidecar, _ found: Result<SidecarValues.Finding, DecoderFailure>
  ) -> Outcome {
    do throws(DecoderFailure) {
      let finding = try found.get()
      guard isAsListed(try status(of: file), sidecar) else { return .changed }
      return switch finding {
      case .values(let values): .values(values)
      case .unreadable(let fault): .unreadable(fault.rawValue)
      }
    } catch {
      return Outcome(error)
    }
  }

  private func isAsListed(_ status: Status, _ sidecar: Sidecar) -> Bool {
    status.isAsListed(sidecar.fingerprint, countsInodes: countsInodes)
  }

  private func beside(_ sidecars: [Sidecar], _ outcomes: ArraySlice<Outcome>) -> Beside? {
    var (beside, outcomes, hasXMP) = (Beside(), outcomes, false)
    for sidecar in sidecars {
      // That of the very file counts before that of the shot.
      guard sidecar.mayCount, let outcome = outcomes.popFirst(),
        !(sidecar.kind == .xmpOfShot && hasXMP)
      else {
        beside.add(sidecar)
        continue
      }
      switch outcome {
      case .values(let values):
        beside.add(sidecar, values)
        hasXMP = hasXMP || sidecar.kind == .xmp
      case .unreadable(let note): beside.add(sidecar, note: note)
      case .changed: return nil
      }
    }
    return beside
  }
}

extension Sidecar {
  fileprivate var mayCount: Bool { kind != .xmpOfVersion }
}

private func status(of file: SharedFile) throws(DecoderFailure) -> Status {
  do throws(SystemError) {
    return try file.file.status()
  } catch {
    throw .system(error)
  }
}

/// A sidecar to read.
private struct Wanted {
  let path: RelativePath
  let sidecar: Sidecar

  init(_ photo: RelativePath, _ sidecar: Sidecar) {
    path = photo.directory.appending(sidecar.name)
    self.sidecar = sidecar
  }
}

private enum Outcome {
  case values(SidecarValues)
  case unreadable(String)
  /// It is not as it was listed.
  case changed

  init(_ failure: DecoderFailure) {
    self = ReadFailure(failure).map { .unreadable($0.message) } ?? .changed
  }
}

extension Status {
  /// Whether the open file is still the one that the listing showed. The change time does not
  /// count, for a reading does not depend on it.
  func isAsListed(_ listed: Fingerprint, countsInodes: Bool) -> Bool {
    let now = fingerprint
    return now.size == listed.size && now.modified == listed.modified
      && (!countsInodes || now.inode == listed.inode)
  }
}

/// The number of sidecars open at a time, which is that of photos of one task.
private let mostOpen = 64
