import Sync
import Testing

@testable import photoindexd

/// What travels between the service and who asks it.
struct ControlTests {
  @Test func `a request keeps its paths, whatever bytes they have`() {
    let request = ControlRequest.rescan(
      ControlRequest.Rescan(
        directories: [Array("/a\nb".utf8), [0x2f, 0xff], Array("/".utf8)], hashes: false,
        confirmedRoot: "둘", acceptedRoot: "셋", scrubs: true))
    #expect(ControlRequest(message: request.message) == request)
    let plain = ControlRequest.rescan(
      ControlRequest.Rescan(directories: [], hashes: true, confirmedRoot: nil))
    #expect(ControlRequest(message: plain.message) == plain)
    #expect(ControlRequest(message: ControlRequest.status.message) == .status)
    let resumption = ControlRequest.resume("둘")
    #expect(ControlRequest(message: resumption.message) == resumption)
  }

  @Test func `a change of the index is the same on both sides`() {
    let changes: [ControlRequest.Change] = [
      .forget(root: "가족", withMarks: true), .forget(root: "a", withMarks: false),
      .forgetMissing(roots: []), .forgetMissing(roots: ["a", "b c"]), .rename(root: "a", to: "b"),
      .accept([0x2f, 0xff, 0x0a]),
    ]
    for change in changes {
      let request = ControlRequest.change(change)
      #expect(ControlRequest(message: request.message) == request)
    }
  }

  @Test(arguments: ["", "rescan", "rename\0a", "status\0more", "resume", "forget", "\0\0\0"])
  func `what is no request is none`(text: String) {
    #expect(ControlRequest(message: Array(text.utf8)) == nil)
  }

  @Test func `answers come as they were sent`() throws {
    let step = try #require(ProgressStep(.hashing(done: 3, of: 10)))
    let answers: [ControlAnswer] = [
      .output("family: 3 added\n"), .error(""), .progress(step),
      .status(LiveStatus(pid: 7, activity: "watching 3 directories", decoder: "child")), .end(69),
    ]
    for answer in answers { #expect(ControlAnswer(message: answer.message) == answer) }
    for text in ["", "x", "xy", "p{}", "s1", "?"] {
      #expect(ControlAnswer(message: Array(text.utf8)) == nil)
    }
  }

  @Test func `progress means the same on both sides`() throws {
    for event: SyncEvent in [
      .surveying(directories: 3, files: 400), .reading(done: 1, of: 2), .hashing(done: 5, of: 9),
      .verifying(done: 1, of: 3),
      .settling(.milliseconds(1500)),
    ] {
      let step = try #require(ProgressStep(event))
      #expect("\(String(describing: step.event))" == "\(String(describing: Optional(event)))")
    }
  }
}
