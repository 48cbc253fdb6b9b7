/// What the fault layer (Tests/FaultLayer) is to do to a program.
struct Faults {
  /// The call at which the program is killed, or from which on calls fail.
  var at = 0
  var isKill = false
  /// After the kill, what was not synced is lost in part.
  var cutsPower = false
  /// How many calls fail; nil: all.
  var times: Int?
  /// The path at and below which calls fail.
  var below: String?
  var listing: ErrorNumber?
  var opening: ErrorNumber?
  var writing: ErrorNumber?
  /// A file that somebody renames meanwhile.
  var rename: (old: String, new: String)?

  enum ErrorNumber: Int {
    case notThere = 2
    case inputOutput = 5
    case permission = 13
    case noSpace = 28
    case stale = 116
  }

  var variables: [String] {
    let all: [(String, String?)] = [
      (isKill ? "KILL" : "FROM", String(at)),
      ("TIMES", times.map { String($0) }),
      ("BELOW", below),
      ("LISTING", listing.map { String($0.rawValue) }),
      ("OPENING", opening.map { String($0.rawValue) }),
      ("WRITING", writing.map { String($0.rawValue) }),
      ("RENAME", rename.map { $0.old + "\n" + $0.new }),
    ]
    return all.compactMap { name, value in value.map { "FAULTS_\(name)=\($0)" } }
  }
}
