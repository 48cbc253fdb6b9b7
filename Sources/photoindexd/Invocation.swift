import Linux
import Model

/// What the command line asks for.
struct Invocation {
  enum Command: Equatable {
    /// Runs until it is told to stop.
    case serve([[UInt8]])
    case rescan([[UInt8]])
    case status
    case changesSince(String)
    case snapshot([UInt8])
    case have([UInt8])
    case exportUser([UInt8])
    case importUser([UInt8])
    case tokens
    case compareTokens(String)
    case locate(String)
    case explain([UInt8])
    case checkConfiguration
    case printDatabase
    case setTimeZone(String)
    case change(ControlRequest.Change)
    case resume(String)
    case help
    case version
  }

  let command: Command
  var configurationFile: String?
  var hashes = true
  /// The root whose removals are right.
  var confirmedRoot: String?
  /// The root that lies on another file system from now on.
  var acceptedRoot: String?
  /// Whether files are compared with their hashes.
  var scrubs = false
  var json = false
  /// With `--changes-since`: waits for more.
  var follows = false
  /// With `--have`: only the files that the index does not have.
  var missingOnly = false
  /// With `--have`: NULs at the ends of lines.
  var endsWithNull = false

  init(_ arguments: [[UInt8]]) throws {
    let parsed: ParsedArguments
    do throws(ArgumentError) {
      parsed = try parse(arguments, options)
    } catch {
      throw usageFailure(error)
    }
    var command: Command?
    for (name, value) in parsed.options {
      if let found = try Command(name, value, parsed) {
        guard command == nil else {
          throw Failure(.usage, "--\(name): only one command at a time\n" + seeHelp)
        }
        command = found
      }
    }
    configurationFile = parsed.text(of: "config")
    hashes = !parsed.has("no-hash")
    confirmedRoot = parsed.text(of: "confirm-removals")
    acceptedRoot = parsed.text(of: "accept-filesystem")
    scrubs = parsed.has("scrub")
    json = parsed.has("json")
    follows = parsed.has("follow")
    missingOnly = parsed.has("missing-only")
    endsWithNull = parsed.has("null")
    self.command = command ?? .serve(parsed.operands)
    try check(parsed)
  }

  /// An option that the command does not know of would be an order that nobody follows.
  private func check(_ parsed: ParsedArguments) throws {
    let takesOperands: Bool =
      switch command {
      case .rescan, .serve, .change(.forgetMissing), .change(.rename): true
      default: false
      }
    guard takesOperands || parsed.operands.isEmpty else {
      throw Failure(.usage, "\(printable(parsed.operands[0])): not expected here\n" + seeHelp)
    }
    if case .rescan = command {
    } else {
      guard hashes else { throw Failure(.usage, "--no-hash goes with --rescan\n" + seeHelp) }
      guard confirmedRoot == nil else {
        throw Failure(.usage, "--confirm-removals goes with --rescan\n" + seeHelp)
      }
      guard !scrubs else { throw Failure(.usage, "--scrub goes with --rescan\n" + seeHelp) }
      guard acceptedRoot == nil else {
        throw Failure(.usage, "--accept-filesystem goes with --rescan\n" + seeHelp)
      }
    }
    if case .change(.forget) = command {
    } else if parsed.has("with-marks") {
      throw Failure(.usage, "--with-marks goes with --forget\n" + seeHelp)
    }
    if case .changesSince = command {
    } else {
      guard !follows else {
        throw Failure(.usage, "--follow goes with --changes-since\n" + seeHelp)
      }
    }
    if case .have = command {
    } else {
      guard !missingOnly, !endsWithNull else {
        throw Failure(.usage, "--missing-only and -0 go with --have\n" + seeHelp)
      }
    }
    let printsJSON: Bool =
      switch command {
      case .status, .locate, .changesSince: true
      default: false
      }
    guard printsJSON || !json else {
      throw Failure(.usage, "--json goes with --status, --locate and --changes-since\n" + seeHelp)
    }
  }
}

extension Invocation.Command {
  fileprivate init?(_ name: String, _ value: [UInt8]?, _ parsed: ParsedArguments) throws {
    let text = String(decoding: value ?? [], as: UTF8.self)
    switch name {
    case "rescan": self = .rescan(parsed.operands)
    case "status": self = .status
    case "changes-since": self = .changesSince(text)
    case "snapshot": self = .snapshot(value ?? [])
    case "have": self = .have(value ?? [])
    case "export-user": self = .exportUser(value ?? [])
    case "import-user": self = .importUser(value ?? [])
    case "tokens": self = .tokens
    case "compare-tokens": self = .compareTokens(text)
    case "locate": self = .locate(text)
    case "explain": self = .explain(value ?? [])
    case "check-config": self = .checkConfiguration
    case "print-database": self = .printDatabase
    case "set-time-zone": self = .setTimeZone(text)
    case "forget":
      self = .change(.forget(root: text, withMarks: parsed.has("with-marks")))
    case "forget-missing":
      let roots = parsed.operands.map { String(decoding: $0, as: UTF8.self) }
      self = .change(.forgetMissing(roots: roots))
    case "accept": self = .change(.accept(value ?? []))
    case "rename-root":
      guard parsed.operands.count == 1, !parsed.operands[0].isEmpty else {
        throw Failure(.usage, "--rename-root: needs the old name and a new one\n" + seeHelp)
      }
      let name = String(decoding: parsed.operands[0], as: UTF8.self)
      self = .change(.rename(root: text, to: name))
    case "resume": self = .resume(text)
    case "help": self = .help
    case "version": self = .version
    default: return nil
    }
  }
}

extension ParsedArguments {
  fileprivate func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  fileprivate func text(of name: String) -> String? {
    options.last { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) }
  }
}

private let options = [
  LongOption("config", takesValue: true), LongOption("rescan"), LongOption("no-hash"),
  LongOption("confirm-removals", takesValue: true),
  LongOption("accept-filesystem", takesValue: true), LongOption("forget", takesValue: true),
  LongOption("scrub"), LongOption("accept", takesValue: true), LongOption("with-marks"),
  LongOption("forget-missing"),
  LongOption("rename-root", takesValue: true),
  LongOption("status"), LongOption("changes-since", takesValue: true), LongOption("json"),
  LongOption("locate", takesValue: true), LongOption("explain", takesValue: true),
  LongOption("snapshot", takesValue: true), LongOption("have", takesValue: true),
  LongOption("export-user", takesValue: true), LongOption("import-user", takesValue: true),
  LongOption("follow"), LongOption("tokens"), LongOption("compare-tokens", takesValue: true),
  LongOption("missing-only"),
  LongOption("null", letter: "0"), LongOption("check-config"),
  LongOption("print-database"),
  LongOption("set-time-zone", takesValue: true), LongOption("resume", takesValue: true),
  LongOption("help"), LongOption("version"),
]

private let seeHelp = "See photoindexd --help"

private func usageFailure(_ error: ArgumentError) -> Failure {
  switch error {
  case .unknown(let option):
    Failure(.usage, "\(printable(option.utf8)): no such option\n" + seeHelp)
  case .missingValue(let option):
    Failure(.usage, "\(printable(option.utf8)): needs a value\n" + seeHelp)
  case .needlessValue(let option):
    Failure(.usage, "\(printable(option.utf8)): takes no value\n" + seeHelp)
  }
}

let helpText = """
  Usage: photoindexd [--config FILE] [DIR...]
         photoindexd --rescan [--no-hash] [--scrub] [--confirm-removals ROOT] [--accept-filesystem ROOT]
                     [--config FILE] [DIR...]
         photoindexd --status [--json] | --explain PATH | --locate LAT,LON [--json]
         photoindexd --changes-since TOKEN [--json] [--follow] | --snapshot FILE
         photoindexd --export-user FILE | --import-user FILE
         photoindexd --forget ROOT [--with-marks] | --forget-missing [ROOT...] | --rename-root OLD NEW
         photoindexd --have DIR [--missing-only] [-0]
         photoindexd --tokens | --compare-tokens FILE
         photoindexd --check-config | --print-database | --set-time-zone ZONE
         photoindexd --resume ROOT
  Keep an SQLite index of photos: device, true time and place of each, offline.

    (no option)         scan all roots, then watch them and keep the index up to date, until a
                        signal: TERM ends it, HUP makes it read its configuration again
    --rescan            bring the index up to date with the disk, print a summary, exit;
                        without DIR, all roots of the configuration
    --no-hash           leave the content hashes to the next pass
    --confirm-removals ROOT  with --rescan: the photos that are gone from this root, which is
                        held because they are so many, are meant to be gone
    --accept-filesystem ROOT  with --rescan: this root, which is held because another disk is at
                        its path, is what is there from now on
    --scrub             with --rescan: compare files with their hashes, as many as are due by
                        `scrub` in the configuration, or without that all
    --accept PATH       this file, which --scrub found other than it was, is right
    --status            roots, counts, what is pending and why, the last scan, and what the
                        running service does
    --changes-since TOKEN  what has happened since, and the next token; 0 is the beginning
    --follow            with --changes-since: wait for more, until the service or you end it
    --export-user FILE  write what you wrote into the index, favourites, albums and so on, as
                        JSON; "-" is standard output
    --import-user FILE  write that into this index, whose photos it finds by path and content
    --snapshot FILE     copy the index, of one moment, to a new file of its own
    --forget ROOT       delete all that the index has of a root which the configuration does not name
                        any more; with --with-marks also photos that you marked
    --forget-missing [ROOT...]  delete the rows of photos that are gone, marked or not
    --rename-root OLD NEW  call a root otherwise; its photos keep all that they have
    --have DIR          which photos and videos in DIR, a camera's card say, the index has
                        elsewhere: "have", "new" or, as a hash is not there yet, "unsure"
    --missing-only      with --have: print only the paths of those that are not had
    -0, --null          with --have: end each line with a NUL, and print the exact bytes of paths
    --tokens            print the content token of each directory
    --compare-tokens FILE  which directories hold other photos here than where FILE, the output
                        of --tokens, is from; "-" reads standard input
    --explain PATH      why this file is, or is not, in the index
    --locate LAT,LON    the places and the time zone of a position; "-" reads lines
    --check-config      check the configuration and print the one in force
    --print-database    print the path of the index:
                        sqlite3 "$(photoindexd --print-database)"
    --resume ROOT       the disk of this root, which is held for disk errors, is well: read again
                        what could not be read
    --set-time-zone ZONE  the zone for photos that name none and have no position
    --config FILE       else $XDG_CONFIG_HOME/photoindexd/config.json, else
                        /etc/photoindexd/config.json, else none
    --json              print JSON, with --status, --locate and --changes-since
    --help, --version

  Exit status: 0 done, 1 something is not the same, or not there (--have, --compare-tokens,
  --import-user), 64 usage, 65 token expired, 66 no such directory, 69 a root is offline or held,
  70 internal error, 74 input or output failed, 75 locked by another process, 77 no permission, 78 bad configuration.

  """

let version = "0.1.0"
