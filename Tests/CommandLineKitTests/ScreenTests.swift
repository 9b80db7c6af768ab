import Glibc
import Processes
import TestSupport
import Testing

@testable import CommandLineKit

struct CanvasTests {
  typealias Frame = Screen.Frame
  var canvas = Canvas()

  /// A terminal in the state after a program has taken the screen.
  private func terminal(_ size: Screen.Size) -> TerminalScreen {
    var terminal = TerminalScreen(columns: size.columns, lines: size.lines)
    terminal.feed("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l".utf8)
    return terminal
  }

  @Test func `a frame sets the lines and the cursor of the screen`() {
    var canvas = canvas
    let size = Screen.Size(columns: 10, lines: 3)
    var terminal = terminal(size)
    terminal.feed(canvas.bytes(for: Frame(["기생충", "", "0123456789"]), size: size))
    #expect(terminal.lines == ["기생충", "", "0123456789"])
    #expect(!terminal.isCursorShown)
    terminal.feed(canvas.bytes(for: Frame(["기생", "x"], cursor: .init(column: 4, line: 0)), size: size))
    #expect(terminal.lines == ["기생", "x", ""])
    #expect(terminal.cursor == (4, 0))
    #expect(terminal.isCursorShown)
    terminal.feed(canvas.bytes(for: Frame(["기생", "x"], cursor: .init(column: 0, line: 9)), size: size))
    #expect(!terminal.isCursorShown, "outside the screen")
    #expect(terminal.scrolls == 0)
    #expect(terminal.unknown == [])
  }

  @Test func `only changed lines are written`() {
    var canvas = canvas
    let size = Screen.Size(columns: 20, lines: 5)
    _ = canvas.bytes(for: Frame(["one", "two", "three"]), size: size)
    #expect(canvas.bytes(for: Frame(["one", "two", "three"]), size: size) == [])
    let second = canvas.bytes(for: Frame(["one", "zwei", "three"]), size: size)
    #expect(String(decoding: second, as: UTF8.self) == "\u{1B}[?25l\u{1B}[2;1H\u{1B}[0m\u{1B}[Kzwei\u{1B}[0m")
    canvas.forget()
    let all = String(decoding: canvas.bytes(for: Frame(["one", "zwei", "three"]), size: size), as: UTF8.self)
    #expect(all.contains("one"))
    #expect(all.contains("three"))
    #expect(all.contains("\u{1B}[2J"))
  }

  @Test func `long lines, extra lines and control characters do not move the screen`() {
    var canvas = canvas
    let size = Screen.Size(columns: 4, lines: 2)
    var terminal = terminal(size)
    terminal.feed(canvas.bytes(for: Frame(["a\nb\tc\r\u{7F}", "1234567기", "below"]), size: size))
    #expect(terminal.lines[0] == "abc")
    #expect(terminal.lines[1].hasPrefix("123"))
    #expect(terminal.scrolls == 0)
  }

  @Test func `a colour left on ends with its line`() {
    var canvas = canvas
    let size = Screen.Size(columns: 8, lines: 2)
    var terminal = terminal(size)
    terminal.feed(canvas.bytes(for: Frame(["\u{1B}[1;31mred", "plain"]), size: size))
    #expect(terminal.styles(ofLine: 0) == [[1, 31]])
    #expect(terminal.styles(ofLine: 1) == [[]])
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 2), (40, 10)])
  func `a frame can be drawn at any screen size`(columns: Int, lines: Int) {
    var canvas = canvas
    let size = Screen.Size(columns: columns, lines: lines)
    var terminal = terminal(size)
    let frame = Frame(
      Array(repeating: "가나다라", count: 12), cursor: .init(column: 0, line: 0),
      pixels: [.init(Array("\u{1B}Pq~\u{1B}\\".utf8), at: .init(column: 2, line: 1), height: 1)])
    for _ in 0..<2 {
      terminal.feed(canvas.bytes(for: frame, size: size))
      canvas.forget()
    }
    #expect(terminal.scrolls == 0)
    #expect(terminal.cursor == (0, 0))
    #expect(terminal.lines.count == lines)
  }

  @Test func `a picture is drawn again only when its lines change`() {
    var canvas = canvas
    let size = Screen.Size(columns: 20, lines: 5)
    var terminal = terminal(size)
    let pixels = Screen.Pixels(Array("\u{1B}Pq~-\u{1B}\\\n".utf8), at: .init(column: 2, line: 1), height: 2)
    terminal.feed(canvas.bytes(for: Frame(["box"], pixels: [pixels]), size: size))
    #expect(terminal.pictures == [Array("q~-".utf8)])
    #expect(terminal.cursor == (2, 1))
    #expect(terminal.scrolls == 0)
    #expect(canvas.bytes(for: Frame(["box"], pixels: [pixels]), size: size) == [])
    terminal.feed(canvas.bytes(for: Frame(["box", "", "its line"], pixels: [pixels]), size: size))
    #expect(terminal.pictures.count == 2)
    terminal.feed(canvas.bytes(for: Frame(["box 2", "", "its line", "below"], pixels: [pixels]), size: size))
    #expect(terminal.pictures.count == 2, "none of its lines was drawn")
    let without = canvas.bytes(for: Frame(["box 2", "", "its line", "below"]), size: size)
    #expect(String(decoding: without, as: UTF8.self).contains("\u{1B}[2J"), "only erasing takes a picture away")
  }

  @Test func `of several pictures only new ones or those with changed lines are drawn`() {
    var canvas = canvas
    let size = Screen.Size(columns: 20, lines: 8)
    var terminal = terminal(size)
    func pixels(_ name: String, line: Int) -> Screen.Pixels {
      .init(Array("\u{1B}Pq\(name)\u{1B}\\".utf8), at: .init(column: 0, line: line), height: 2)
    }
    let (a, b, c) = (pixels("a", line: 0), pixels("b", line: 2), pixels("c", line: 4))
    func drawn(_ lines: [String], _ pixels: [Screen.Pixels]) -> [String] {
      let before = terminal.pictures.count
      terminal.feed(canvas.bytes(for: Frame(lines, pixels: pixels), size: size))
      return terminal.pictures.dropFirst(before).map { String(decoding: $0.dropFirst(), as: UTF8.self) }
    }
    #expect(drawn(["1"], [a]) == ["a"])
    #expect(drawn(["1"], [a, b]) == ["b"])
    #expect(drawn(["1"], [a, b, c]) == ["c"])
    #expect(drawn(["1", "", "", "4"], [a, b, c]) == ["b"])
    #expect(drawn(["1", "", "", "4", "", "", "7"], [a, b, c]) == [])
    #expect(drawn(["1", "", "", "4", "", "", "7"], [a, c]) == ["a", "c"])
  }
}

/// Tests the reader of events, with pipes for keys and programs.
@Suite(.serialized)
final class EventReaderTests {
  private var reader: EventReader
  private var ends: [Int32] = []

  init() throws {
    var pair: [Int32] = [-1, -1]
    try #require(pipe(&pair) == 0)
    reader = EventReader(input: pair[0])
    ends = pair
    SelfPipe.drain()
  }

  deinit { for end in ends { close(end) } }

  @Test func `while the terminal is lent, Ctrl-C is ignored and other signals are not`() throws {
    let screen = Screen(size: { .init(columns: 1, lines: 1) }, show: { _ in }, next: { _, _ in .due })
    screen.lend { Interrupt.request(SIGINT) }
    #expect(!Interrupt.isRequested)
    screen.lend { Interrupt.request(SIGTERM) }
    #expect(Interrupt.signal == SIGTERM)
    Interrupt.reset()
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// A pipe to watch: its reading and its writing end.
  private func watched() throws -> (reading: Int32, writing: Int32) {
    var pair: [Int32] = [-1, -1]
    try #require(pipe(&pair) == 0)
    ends += pair
    return (pair[0], pair[1])
  }

  private func write(_ text: String, to end: Int32? = nil) {
    let bytes = Array(text.utf8)
    #expect(Glibc.write(end ?? ends[1], bytes, bytes.count) == bytes.count)
  }

  private let past = Duration.zero

  @Test func `keys come before the deadline, and the deadline before watched pipes`() throws {
    let other = try watched()
    write("기\u{1B}[Aq")
    write("x", to: other.writing)
    for key in [Key.character("기"), .up, .character("q")] {
      #expect(try reader.next(until: past, watching: [other.reading]) == .key(key))
    }
    #expect(try reader.next(until: past, watching: [other.reading]) == .due)
    #expect(try reader.next(until: nil, watching: [other.reading]) == .ready(other.reading))
    let later = Uptime.now() + .seconds(3600)
    #expect(try reader.next(until: later, watching: [other.reading]) == .ready(other.reading), "it was not read")
  }

  @Test func `watched pipes that are always ready take turns`() throws {
    let (first, second) = (try watched(), try watched())
    write("x", to: first.writing)
    write("y", to: second.writing)
    let all = [first.reading, second.reading]
    let events = try (0..<4).map { _ in try reader.next(until: nil, watching: all) }
    #expect(Set(events) == Set(all.map(ScreenEvent.ready)) && events[0] == events[2] && events[0] != events[1])
  }

  @Test func `the end of a watched pipe is reported as ready`() throws {
    let other = try watched()
    close(other.writing)
    ends.removeAll { $0 == other.writing }
    #expect(try reader.next(until: nil, watching: [other.reading]) == .ready(other.reading))
  }

  @Test func `Esc without more bytes is a key, and an incomplete sequence is none`() throws {
    write("\u{1B}")
    #expect(try reader.next(until: nil, watching: []) == .key(.escape))
    write("\u{1B}[")
    #expect(try reader.next(until: Uptime.now() + .milliseconds(80), watching: []) == .due)
    write("A")
    #expect(try reader.next(until: nil, watching: []) == .key(.character("A")))
  }

  @Test(arguments: [
    ("\u{1B}[1;5", "A", Key.up), ("\u{1B}]11;rgb:1e", "1e\u{7}a", .character("a")), ("", "기", .character("기")),
  ])
  func `what has surely begun may come in pieces`(beginning: String, rest: String, key: Key) throws {
    var pieces = [beginning, rest].map { Array($0.utf8) }
    if beginning.isEmpty { pieces = [Array(rest.utf8.prefix(1)), Array(rest.utf8.dropFirst())] }
    #expect(Glibc.write(ends[1], pieces[0], pieces[0].count) == pieces[0].count)
    #expect(try reader.next(until: Uptime.now() + .milliseconds(80), watching: []) == .due)
    #expect(Glibc.write(ends[1], pieces[1], pieces[1].count) == pieces[1].count)
    #expect(try reader.next(until: nil, watching: []) == .key(key))
  }

  @Test func `reading a key leaves the following bytes in the input`() throws {
    write("etyped ahead")
    #expect(try reader.next(until: nil, watching: []) == .key(.character("e")))
    var rest = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &rest, rest.count)
    #expect(String(decoding: rest.prefix(max(0, count)), as: UTF8.self) == "typed ahead")
  }

  @Test func `the end of the input is reported after the last key`() throws {
    write("a")
    close(ends[1])
    ends.remove(at: 1)
    #expect(try reader.next(until: nil, watching: []) == .key(.character("a")))
    #expect(try reader.next(until: nil, watching: []) == .ended)
    #expect(try reader.next(until: past, watching: []) == .ended)
  }

  @Test func `a signal before the wait ends the wait once`() throws {
    SelfPipe.wake()
    SelfPipe.wake()
    #expect(try reader.next(until: nil, watching: []) == nil)
    #expect(try reader.next(until: past, watching: []) == .due, "once")
  }
}

@Suite(.serialized)
struct ScreenTests {
  /// Records the calls to a screen, in order.
  private final class Record {
    var calls: [String] = []
  }

  private let record = Record()
  private var screen: Screen {
    let record = record
    return Screen(
      size: { Screen.Size(columns: 3, lines: 2) }, show: { record.calls.append("show \($0.lines)") },
      next: { deadline, watching in
        record.calls.append("next \(deadline ?? .zero) \(watching)")
        return .due
      }, giveBack: { record.calls.append("give back") }, takeAgain: { record.calls.append("take again") })
  }

  @Test func `a screen calls the closures it was made of`() throws {
    try screen.show(["a"])
    #expect(try screen.next(until: .seconds(1), watching: [7]) == .due)
    #expect(screen.size == Screen.Size(columns: 3, lines: 2))
    #expect(record.calls == ["show [\"a\"]", "next 1.0 seconds [7]"])
  }

  @Test func `a lent terminal is taken back, also after an error`() throws {
    #expect(screen.lend { 7 } == 7)
    #expect(throws: Interrupted.self) { try screen.lend { throw Interrupted() } }
    #expect(record.calls == ["give back", "take again", "give back", "take again"])
  }

  @Test func `a screen without a terminal is an error`() {
    let error = #expect(throws: SystemError.self) {
      try Screen.run(on: .memory(), terminal: Terminal(isInputTerminal: true)) { _ in }
    }
    #expect(error?.code == ENOTTY)
  }
}
