import Foundation
import Processes
import TestSupport
import Testing

@testable import CommandLineKit

/// A small program with what a real one has: options of its own, a group, a default, topics.
let program = Program<Globals, Notes>(
  name: "catalog", version: "1.0", summary: "A catalog of movies, books and records.",
  discussion: "It starts with no account, no key and no network.",
  examples: [Example("catalog search 기생충", "Asks the sources for a movie.")],
  default: AnyCommand(HomeCommand.self),
  sections: [
    CommandSection("Find", [.command(ListCommand.self)]),
    CommandSection(
      "Keep",
      [
        .command(AddCommand.self),
        .group(
          CommandGroup(
            "card", summary: "Comment cards.",
            [.command(CardAddCommand.self), .command(ListCommand.self), .command(LendCommand.self)])),
        .command(LendCommand.self),
      ]),
    CommandSection("Set up", [.completion, .help, .manual]),
  ],
  topics: [
    HelpTopic(
      "exit-status", summary: "What the exit status says.",
      text: "The exit status is one of these.\n\n  0  done\n  1  failed\n\n.dangerous 'text' \\begins")
  ])

struct HomeCommand: Command {
  static let info = CommandInfo<Self>(
    "home", summary: "Show home.", arguments: [.flag("wide", \.wide, help: "Use the whole line.")])
  var wide = false
  func run(in context: Notes) throws { context.lines.append("home") }
}

struct CardAddCommand: Command {
  static let info = CommandInfo<Self>(
    "add", summary: "Add a card.",
    arguments: [
      .positional("ref", \.reference, completion: .dynamic("items"), help: "Which item."),
      .option("stars", \.stars, isRequired: true, help: "How many stars."),
    ])
  var reference = ""
  var stars = 0.0
  func run(in context: Notes) throws {}
}

extension SplitMix {
  /// A text that mixes letters of many scripts, controls, marks and emoji.
  mutating func text(upTo count: Int = 24) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...count, using: &self) {
      let range: ClosedRange<UInt32> =
        [
          0...0x7F, 0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x900...0x97F, 0x1100...0x11FF, 0x2000...0x206F,
          0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFE00...0xFE0F, 0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF, 0...0x10FFFF,
        ].randomElement(using: &self) ?? 0...0x7F
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

/// Runs a program and gives what it wrote to standard output and error.
func run(_ words: [String], environment: [String: String] = [:]) throws -> (
  status: Processes.ExitStatus, text: String
) {
  let folder = try TemporaryFolder()
  let script = try folder.write("exec >\"$OUT\" 2>&1\nexec \"$@\"\n", to: "run.sh")
  let status = try Spawn.run(
    ["sh", script] + words, environment: .adding(environment.merging(["OUT": folder.path("out")]) { a, _ in a }),
    input: .null)
  return (status, try String(contentsOfFile: folder.path("out"), encoding: .utf8))
}

/// Whether a program is installed. `make test` installs those that tests need. Without it, a test prints that it checks
/// nothing; in CI it fails.
func isInstalled(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
  let paths = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
  if paths.contains(where: { access("\($0)/\(name)", X_OK) == 0 }) { return true }
  if ProcessInfo.processInfo.environment["CI"] != nil {
    Issue.record("\(name) is not installed", sourceLocation: sourceLocation)
  }
  print("skipped: \(name) is not installed")
  return false
}
