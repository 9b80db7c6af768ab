import CommandLineKit
import Foundation
import Synchronization
import TestSupport
import Testing

/// A screen without a terminal, with a person who follows the steps of a test, and a clock that only the steps advance.
final class TestScreen {
  /// A step of the person.
  enum Step {
    /// Presses keys, with this number of seconds before each.
    case keys([Key], every: Double = 0)
    /// Pastes a text, or types it faster than anyone looks.
    case paste(String)
    /// Waits for this number of seconds.
    case pass(Double)
    /// Waits until a source has answered, or other work has ended.
    case answer
    /// Checks that the screen shows these texts.
    case see([String], SourceLocation)
    /// Checks that the screen does not show this text.
    case miss(String, SourceLocation)
    case resize(columns: Int, lines: Int)
    case then(() -> Void)

    static func type(_ text: String, every seconds: Double = 0) -> Step {
      .keys(text.map { .character($0) }, every: seconds)
    }
    static func press(_ keys: Key...) -> Step { .keys(keys) }
    static func see(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> Step {
      .see(texts, location)
    }
    static func miss(_ text: String, at location: SourceLocation = #_sourceLocation) -> Step { .miss(text, location) }
  }

  private(set) var now = Duration.seconds(1000)
  private(set) var frames: [Screen.Frame] = []
  private(set) var lendings = 0
  private var size = Screen.Size(columns: 80, lines: 24)
  private var steps: [Step]
  /// The number of keys of the first step that were pressed.
  private var pressed = 0
  /// The end of the first step.
  private var end: Duration?

  init(_ steps: [Step]) { self.steps = steps }

  var screen: Screen {
    Screen(
      size: { self.size }, show: { self.show($0) }, next: { self.next($0, $1) }, giveBack: { self.lendings += 1 })
  }

  /// The current screen without styles and trailing blanks.
  var text: String {
    (frames.last?.lines ?? []).map { line in
      let plain = Self.plain(line)
      return String(plain[..<(plain.lastIndex { $0 != " " }.map(plain.index(after:)) ?? plain.startIndex)])
    }.joined(separator: "\n")
  }

  private var words: String { text.replacing(/\s+/, with: " ") }

  private static func plain(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  private func show(_ frame: Screen.Frame) {
    frames.append(frame)
    #expect(frame.lines.count <= size.lines)
    for line in frame.lines {
      let plain = Self.plain(line)
      #expect(plain.cellWidth <= size.columns, "too wide: \(plain)")
    }
  }

  private func next(_ deadline: Duration?, _ watching: [Int32]) -> ScreenEvent {
    // Asked for what is there already, which only a paste is.
    if deadline == .zero {
      guard case .paste(let text)? = steps.first, pressed < text.count else { return .due }
    }
    while let step = steps.first {
      switch step {
      case .keys(let keys, let seconds):
        guard pressed < keys.count else {
          pressed = 0
          steps.removeFirst()
          continue
        }
        let moment = end ?? now + .seconds(pressed == 0 ? 0 : seconds)
        end = moment
        if let deadline, deadline <= moment { return wake(at: deadline) }
        (now, end) = (moment, nil)
        pressed += 1
        return .key(keys[pressed - 1])
      case .paste(let text):
        let characters = Array(text)
        guard pressed < characters.count else {
          (pressed, steps) = (0, Array(steps.dropFirst()))
          continue
        }
        pressed += 1
        return .key(.pasted(characters[pressed - 1]))
      case .pass(let seconds):
        let moment = end ?? now + .seconds(seconds)
        end = moment
        if let deadline, deadline <= moment { return wake(at: deadline) }
        (now, end) = (moment, nil)
        steps.removeFirst()
      case .answer:
        if watching.isEmpty, let deadline { return wake(at: deadline) }
        guard !watching.isEmpty else {
          Issue.record("nobody was asked; there stands:\n\(text)")
          steps.removeFirst()
          continue
        }
        steps.removeFirst()
        return .ready(ready(among: watching))
      case .see(let texts, let location):
        for wanted in texts {
          // The message below may take several lines.
          #expect(text.contains(wanted) || words.contains(wanted), "there stands:\n\(text)", sourceLocation: location)
        }
        steps.removeFirst()
      case .miss(let unwanted, let location):
        #expect(!text.contains(unwanted), "there stands:\n\(text)", sourceLocation: location)
        steps.removeFirst()
      case .resize(let columns, let lines):
        size = Screen.Size(columns: columns, lines: lines)
        steps.removeFirst()
        return .resized
      case .then(let body):
        body()
        steps.removeFirst()
      }
    }
    return .ended
  }

  private func wake(at deadline: Duration) -> ScreenEvent {
    now = max(now, deadline)
    return .due
  }

  private func ready(among watching: [Int32]) -> Int32 {
    var descriptors = watching.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&descriptors, nfds_t(descriptors.count), Patience.milliseconds) > 0 else {
      Issue.record("no answer comes")
      return watching[0]
    }
    return descriptors.first { $0.revents != 0 }?.fd ?? watching[0]
  }
}
