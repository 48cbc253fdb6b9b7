import IndexStore
import Linux
import Model

/// The command `--changes-since`.
struct Changes {
  private let setting: Setting
  private let json: Bool

  init(_ setting: Setting, json: Bool) {
    self.setting = setting
    self.json = json
  }

  /// Prints what has happened since the token, `0` being the beginning, and the next token last.
  func run(since text: String) throws -> ExitStatus {
    _ = try print(since: text, from: setting.openReader())
    return .done
  }

  /// The same, and then what happens, until a signal, the end of the service, or that nobody reads
  /// it any more.
  ///
  /// Once a second it asks the index, in memory that all who use it share, whether somebody has
  /// written: also a person with the shell, of whom the service does not hear.
  func follow(since text: String, _ signals: consuming Signals) throws {
    let reader = try setting.openReader()
    var version = try reader.version()
    guard var token = try print(since: text, from: reader) else { return }
    guard let service = try setting.connectToService() else {
      throw Failure(
        .temporaryFailure, "no service writes this index, so that nothing more will come")
    }
    while true {
      let ready = try wait(
        for: [signals.readiness, service.readiness, .closedOutput], atMost: .seconds(1))
      if ready.contains(signals.readiness) || ready.contains(.closedOutput) { return }
      // It says nothing unasked: this is its end.
      let isEnd = ready.contains(service.readiness) && service.receive() == .end
      let now = try reader.version()
      if now != version || isEnd {
        version = now
        guard let next = try printMore(since: token, from: reader) else { return }
        token = next
      }
      guard !isEnd else {
        setting.log("the service has ended", .info)
        return
      }
    }
  }

  /// nil: nobody reads it any more.
  private func print(since text: String, from reader: IndexReader) throws -> FeedToken? {
    let token = FeedToken(text)
    guard token != nil || text == "0" else {
      throw Failure(
        .usage, "--changes-since \(printable(text.utf8)): not a token; 0 is the beginning")
    }
    return try print(since: token, named: text, from: reader)
  }

  /// Nothing is printed when nothing has happened to what the feed tells of.
  private func printMore(since token: FeedToken, from reader: IndexReader) throws -> FeedToken? {
    var isAny = false
    let next = try reader.changes(since: token, showing: .names) { _ in isAny = true }
    guard isAny else { return next }
    return try print(since: token, named: token.description, from: reader)
  }

  private func print(
    since token: FeedToken?, named text: String, from reader: IndexReader
  ) throws -> FeedToken? {
    do {
      var output = ChangeOutput(json: json)
      let next = try reader.changes(since: token, showing: json ? .all : .names) { change in
        try output.print(change)
      }
      try output.print(next: next, isFresh: token == nil)
      return output.isRead ? next : nil
    } catch is FeedTokenExpired {
      if json { try printOutput("{\"fresh\":true}\n") }
      throw Failure(
        .tokenExpired,
        "\(text): this index does not know the token, or not any more. Start anew with 0, and "
          + "forget what you have")
    }
  }
}
