import Decoding
import IndexStore
import Linux
import Places
import SQLite

/// The program's exit statuses, as in sysexits(3) where that has one.
enum ExitStatus: Int32 {
  case done = 0
  /// Something that was compared is not the same, or may not be.
  case notAll = 1
  case usage = 64
  case tokenExpired = 65
  /// There is no such root or directory.
  case noInput = 66
  /// A root is offline or held; the others were done.
  case unavailable = 69
  /// Our own fault.
  case software = 70
  case inputOutput = 74
  /// Locked by another process.
  case temporaryFailure = 75
  case noPermission = 77
  case configuration = 78
}

/// The status that says more of two roots' when one process can return only one: a fault of ours
/// comes before what hinders all roots, and that before what is wrong with one of them.
func mostSevere(_ first: ExitStatus, _ second: ExitStatus) -> ExitStatus {
  severity(second) > severity(first) ? second : first
}

private func severity(_ status: ExitStatus) -> Int {
  switch status {
  case .done, .notAll: 0
  case .unavailable: 1
  case .noInput: 2
  case .tokenExpired: 3
  case .usage: 4
  case .temporaryFailure: 5
  case .noPermission: 6
  case .configuration: 7
  case .inputOutput: 8
  case .software: 9
  }
}

/// A failure that ends the program, with what to say and how to exit.
struct Failure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Turns any error that reaches the top into words and a status.
  init(_ error: any Error, database: String?) {
    switch error {
    case let failure as Failure: self = failure
    case let error as ConfigurationError: self.init(.configuration, error.description)
    case let error as IndexError: self.init(.configuration, error.description)
    case let error as SQLiteError: self.init(error, database: database ?? "the index")
    case let error as SystemError:
      self.init(error.reason == .permission ? .noPermission : .inputOutput, error.description)
    case let error as DecoderError: self.init(.software, error.description)
    case let error as GeoJSONError: self.init(.configuration, "\(error)")
    default: self.init(.software, "internal error: \(error)")
    }
  }

  private init(_ error: SQLiteError, database: String) {
    let (status, advice): (ExitStatus, String) =
      if error.isBusy {
        (.temporaryFailure, "another program is writing to it; try again when that has ended")
      } else if error.isFull {
        (.inputOutput, "the disk is full; nothing was lost, free some space and run again")
      } else if error.isPermission || error.isReadOnly {
        (.noPermission, "this user may not write it")
      } else if error.isCannotOpen {
        (
          .inputOutput,
          "its directory must be there and writable, since SQLite keeps a log beside the file"
        )
      } else if error.isCorrupt || error.isNotADatabase {
        (
          .inputOutput,
          "the file is damaged; the next --rescan, or start of the service, makes a new one of what can be "
            + "read, and keeps this one beside it"
        )
      } else {
        (.inputOutput, "nothing was lost; put the cause right and run again")
      }
    self.init(status, "\(database): \(error.message) (SQLite error \(error.code)): \(advice)")
  }
}

/// Writes what failed to standard error, each line with the program's name.
func report(_ failure: Failure, in place: String = "") {
  for line in failure.message.split(separator: "\n") {
    printLog("\(place)\(line)", .error)
  }
}
