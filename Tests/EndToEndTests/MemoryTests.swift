import Foundation
import TestSupport
import Testing

/// Tests the memory that the program needs for a source's answer, by a limit that the kernel enforces (`ulimit -d`).
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct MemoryTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  /// 64 MiB, plus the memory that the program needs to start.
  static let limit = (64 + 8) << 10

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var reply: LoopbackServer.Reply
    var message: String
    var testDescription: String { name }

    init(_ name: String, _ reply: LoopbackServer.Reply, _ message: String) {
      (self.name, self.reply, self.message) = (name, reply, message)
    }
  }

  static func list(of element: String, bytes: Int = 8_000_000) -> LoopbackServer.Reply {
    let elements = repeatElement(element, count: bytes / (element.utf8.count + 1)).joined(separator: ",")
    return SourceServer.json(#"{"results": [\#(elements)]}"#)
  }

  /// Endless zeros, compressed to 1/150: <https://www.rfc-editor.org/rfc/rfc1951>.
  static let bomb = LoopbackServer.Reply { connection in
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n"
    // A block with the fixed codes: one zero, then again and again the 258 bytes before, 13 bits each time.
    var bits: [UInt8] = [0, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
    let more: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
    while bits.count % 8 != 0 || bits.count < 8 * 13 * 512 { bits += more }
    let packed = stride(from: 0, to: bits.count, by: 8).map { at in
      bits[at..<at + 8].reversed().reduce(0 as UInt8) { $0 << 1 | $1 }
    }
    let again = Array(repeatElement(more, count: 8 * 512).joined())
    let rest = stride(from: 0, to: again.count, by: 8).map { at in
      again[at..<at + 8].reversed().reduce(0 as UInt8) { $0 << 1 | $1 }
    }
    connection.send(Array(head.utf8) + [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + packed)
    for _ in 0..<16_000_000 / rest.count where connection.isOpen { connection.send(rest) }
  }

  static let tooMuch = "iTunes sent an answer that is too large to read"

  @Test(arguments: [
    Case("two million elements", list(of: "{}"), tooMuch), Case("four million numbers", list(of: "1"), tooMuch),
    Case("lists in lists", list(of: "[[[[]]]]"), tooMuch),
    Case(
      "as many as are read",
      list(of: #"{"wrapperType":"track","kind":"song","trackId":7,"trackName":"x"}"#, bytes: 120_000), ""),
    Case("one long text", list(of: "\"" + String(repeating: "x", count: 7_900_000) + "\""), tooMuch),
    Case("escapes", list(of: "\"" + String(repeating: #"\u0041"#, count: 1_300_000) + "\""), tooMuch),
    Case("long texts", list(of: "\"" + String(repeating: "x", count: 1_000_000) + "\""), ""),
    Case("gigabytes of zeros in gzip", bomb, "iTunes sent more than allowed (HOST)"),
  ])
  func `no answer takes more than 64 MiB`(hostile: Case) throws {
    let sources = try SourceServer { $0.path.hasPrefix("/itunes/") ? hostile.reply : nil }
    try sandbox.configure(sources.configuration)
    // Twice: as it comes, and as it is kept.
    for _ in 0..<2 {
      let words = [
        "-c", "ulimit -d \(Self.limit); exec \"$0\" \"$@\"", Launch.program, "search", "x", "--kind", "music",
      ]
      let outcome = try sandbox.launch(words.map { Array($0.utf8) }, program: "/bin/sh").finish()
      let message = hostile.message.replacing("HOST", with: "127.0.0.1:\(sources.server.port)")
      #expect(message.isEmpty || outcome.errors.contains(message), "\(outcome)")
      #expect([0, 1, 3].contains(outcome.status))
    }
  }

  @Test func `an import takes at most 64 MiB for a file of any length`() throws {
    // Kept in memory, it would be 24 MiB beside what the pages of the catalog take.
    let note = String(repeating: "word ", count: 1_900)
    let rows = (0..<2_500).map { "book,Story number \($0),\(1900 + $0 % 120),Writer \($0 % 500),\(note)" }
    let file = sandbox.path("long.csv")
    try Data((["Kind,Title,Year,Creator,Notes"] + rows).joined(separator: "\n").utf8).write(to: URL(filePath: file))
    let words = [
      "-c", "ulimit -d \(Self.limit); exec \"$0\" \"$@\"", Launch.program, "import", "--yes", "--no-lookup", file,
    ]
    let outcome = try sandbox.launch(words.map { Array($0.utf8) }, program: "/bin/sh").finish()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("2500 new items"), "\(outcome)")
  }
}
