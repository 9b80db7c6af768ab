import CommandLineKit
import Lookup
import Synchronization
import Testing

@testable import CatalogCommands

struct PauseLineTests {
  static let turn = Pause.Reason.rateLimit(RateLimit(requests: 20, per: 60))
  private let steps: [Pause.Step] = [
    .waiting(source: "itunes", seconds: 12, turn), .waiting(source: "itunes", seconds: 11, turn), .over,
    .askingAgain(source: "itunes"), .over, .waiting(source: "itunes", seconds: 5, turn), .over,
  ]

  private func said(on terminal: Terminal) -> [String] {
    let said = Mutex<[String]>([])
    let line = PauseLine(on: terminal) { text in said.withLock { $0.append(text) } }
    steps.forEach(line.tell)
    return said.withLock { $0 }
  }

  @Test func `a terminal shows a waiting line that counts down and is erased`() {
    let terminal = Terminal(isErrorTerminal: true, width: 80)
    #expect(
      said(on: terminal)
        == [
          "waiting 12 s: iTunes allows 20 a minute, Ctrl-C stops",
          "waiting 11 s: iTunes allows 20 a minute, Ctrl-C stops", "",
          "asking iTunes again, Ctrl-C stops", "", "waiting 5 s: iTunes allows 20 a minute, Ctrl-C stops", "",
        ].map { "\r\($0)\u{1B}[K" })
    let narrow = said(on: Terminal(isErrorTerminal: true, width: 20))
    #expect(narrow.allSatisfy { $0.dropFirst().dropLast(3).count < 20 })
  }

  @Test func `without a terminal each wait is reported once`() {
    #expect(
      said(on: Terminal()) == [
        "catalog: waiting 12 s: iTunes allows 20 a minute\n", "catalog: waiting 5 s: iTunes allows 20 a minute\n",
      ])
  }

  @Test(arguments: [
    (
      Pause.Step.waiting(source: "musicbrainz", seconds: 4, .rateLimit(RateLimit(requests: 1, per: 1))),
      "waiting 4 s: MusicBrainz allows 1 a second"
    ),
    (
      .waiting(source: "openlibrary", seconds: 9, .rateLimit(RateLimit(requests: 3, per: 3))),
      "waiting 9 s: Open Library allows 3 in 3 s"
    ),
    (.waiting(source: "discogs", seconds: 40, .request), "waiting 40 s: Discogs asked for a pause"),
  ])
  func `the waiting line names the rate limit or the request of the source`(step: Pause.Step, words: String) {
    #expect(step.words?.text(in: nil) == words)
  }
}
