import FoundationEssentials
import Glibc
import SQLite
import TestSupport

/// A command with all its permitted results: its starting state, and every state in which it may be interrupted.
struct Scene {
  let command: WriteCommand
  let program: String
  /// The starting state, and the folder of each try. The folder is always the same, so that outputs are comparable.
  private let template: Home
  let home: Home

  /// The permitted states of the home, each with the parts of the command that are then done, as a bit set.
  private let states: [(done: Int, state: State)]
  private let files: Set<String>
  /// The outcome without an interruption.
  let outcome: Outcome
  let microseconds: Int

  /// The command to run after each try. It must succeed in any state, and repairs what was left.
  private static let next = ["show", "1"]

  /// - Parameter folder: the folder for the homes.
  init(_ command: WriteCommand, in folder: String, shelf: Home, program: String) throws {
    (self.command, self.program) = (command, program)
    (template, home) = (Home(path: "\(folder)/template of \(command.name)"), Home(path: "\(folder)/home"))
    try Self.prepare(template, for: command, shelf: shelf, program: program)

    var performances: [(done: Int, perform: (Home) throws -> Outcome?)] = [(0, { _ in nil })]
    if let halfway = command.halfway { performances.append((0, { try $0.run(halfway, program: program) })) }
    for done in 1...command.whole {
      performances.append((done, { try command.doing(done).perform(in: $0, program: program) }))
    }
    var files = Set<String>()
    var last: (outcome: Outcome?, time: Duration) = (nil, .zero)
    states = try performances.map { [home, template] done, perform in
      try home.make(from: template)
      let start = ContinuousClock.now
      last.outcome = try perform(home)
      last.time = start.duration(to: .now)
      _ = try home.run(Self.next, program: program)
      files.formUnion(home.files)
      return (done, try State(of: home))
    }
    self.files = files
    guard let outcome = last.outcome, outcome.status == 0 else {
      throw Trouble("\(command.name) fails by itself: \(last.outcome?.output ?? "")\(last.outcome?.errors ?? "")")
    }
    (self.outcome, microseconds) = (outcome, Int(last.time / .microseconds(1)))
    guard Set(states.map(\.state)).count > command.whole else {
      throw Trouble("\(command.name): whether it is done cannot be seen")
    }
  }

  /// The scenes of some deeds.
  static func all(of commands: [WriteCommand] = WriteCommand.all, in folder: String, program: String) throws -> [Scene]
  {
    let shelf = Home(path: "\(folder)/shelf")
    try shelf.make()
    for line in shelfWords {
      let outcome = try shelf.run(line, program: program)
      guard outcome.status == 0 else { throw Trouble("\(line.joined(separator: " ")): \(outcome.errors)") }
    }
    // A mode that no mask makes: copies must have it too.
    chmod(shelf[Home.catalog], 0o640)
    let key = try shelf.run(["source", "key", "tmdb"], input: "\(WriteCommand.key)\n", program: program)
    guard key.status == 0 else { throw Trouble("source key: \(key.errors)") }
    return try commands.map { try Scene($0, in: folder, shelf: shelf, program: program) }
  }

  private static let shelfWords = [
    ["add", "book", "--title", "토지", "--creator", "박경리", "--year", "1969", "--genre", "Drama", "--genre", "Classics"],
    ["add", "vinyl", "--title", "Kind of Blue", "--creator", "Miles Davis", "--year", "1959", "--genre", "Modal Jazz"],
    ["add", "movie", "--title", "The Third Man", "--creator", "Carol Reed", "--year", "1949", "--genre", "Drama"],
    ["add", "book", "--title", "The Odyssey", "--creator", "Homer", "--year", "-700", "--genre", "Classics"],
    ["add", "vinyl", "--title", "Blue Train", "--creator", "John Coltrane", "--genre", "Hard Bop", "--genre", "Bebop"],
    ["card", "add", "1", "--stars", "4.5", "--comment", "다시"],
    ["card", "add", "1", "--rating", "9/10", "-c", "again"], ["card", "add", "4", "only words"],
    ["favorite", "1", "4", "5"],
    ["show", "4"], ["show", "2"], ["config", "set", "locale.country", "KR"], ["config", "set", "player", "mpv"],
  ]

  private static func prepare(_ home: Home, for command: WriteCommand, shelf: Home, program: String) throws {
    switch command.start {
    case .nothing: try home.make()
    case .shelf: try home.make(from: shelf)
    case .changed(let change):
      try home.make(from: shelf)
      try change(try Connection(.file(home[Home.catalog]), mode: .readWrite))
    case .after(let commands):
      try home.make(from: shelf)
      for words in commands {
        let outcome = try home.run(words, program: program)
        guard outcome.status == 0 else { throw Trouble("\(command.name): \(outcome.errors)") }
      }
    case .saved(let name):
      try home.make()
      let saved = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Tests/CatalogStoreTests/Databases/\(name)")
      try home.write(Array(try Data(contentsOf: saved)), to: Home.catalog)
      chmod(home[Home.catalog], 0o640)
    }
  }

  // MARK: A try

  /// Starts the command in a fresh home.
  func begin(under tracer: [String] = [], adding variables: [String: String] = [:]) throws -> WriteCommand.Performance {
    try home.make(from: template)
    return try command.begin(in: home, program: program, under: tracer, adding: variables)
  }

  /// The findings after a try.
  struct Verdict {
    /// The problems.
    var problems: [String] = []
    /// The parts of the command that were done; nil if the home is in a state that is not permitted.
    var done: Int?
    /// The parts that the program reported as done.
    var acknowledged = 0
    /// Unexpected files.
    var left: [String] = []
  }

  /// Checks the home after a try with this outcome.
  ///
  /// - Parameter looksFirst: whether the program opens the catalog before SQLite does.
  func judge(_ outcome: Outcome, looksFirst: Bool) -> Verdict {
    var verdict = Verdict()
    if !looksFirst { verdict.problems += home.problems(isSeen: false) }
    do {
      let next = try home.run(Self.next, program: program)
      // An empty catalog does not have the item.
      let hasCatalog = if case .nothing = command.start { false } else { true }
      if next.status != 0, hasCatalog { verdict.problems.append("afterwards, show 1: \(next.errors)") }
      // Reading the settings cleans up after an interrupted change.
      _ = try home.run(["config", "list"], program: program)
      verdict.problems += home.problems()
      let state = try State(of: home)
      verdict.done = states.filter { $0.state == state }.map(\.done).max()
      verdict.acknowledged = acknowledged(by: outcome)
      if let done = verdict.done {
        if verdict.acknowledged & ~done != 0 { verdict.problems.append("it was acknowledged, and is not there") }
      } else {
        let nearest = states.map { state.difference(from: $0.state) }.min { $0.count < $1.count } ?? ""
        verdict.problems.append("neither done nor undone: \(nearest)")
      }
    } catch {
      verdict.problems.append("it cannot be read: \(error)")
    }
    // A lock that is not held is harmless.
    verdict.left = home.files.subtracting(files).filter { !$0.hasSuffix(".lock") }.sorted()
    for file in verdict.left where home.bytes(of: file).contains(WriteCommand.key) {
      verdict.problems.append("\(file) is left with a key in it")
    }
    if verdict.done == 0, home.files.contains(WriteCommand.edited),
      !verdict.left.contains(where: { home.bytes(of: $0).contains(WriteCommand.typed) })
    {
      verdict.problems.append("what was typed in the editor is lost")
    }
    return verdict
  }

  /// Repeats the command after a try.
  /// - Returns: the problems.
  func problemsOfRepeating() -> [String] {
    guard command.isRepeatable else { return [] }
    do {
      let outcome = try command.perform(in: home, program: program)
      guard outcome.status == 0 else { return ["done again, it fails: \(outcome.errors)"] }
      let state = try State(of: home)
      let isDone =
        states.contains { $0.done == command.whole && $0.state.settings == state.settings }
        && state.tables.values.allSatisfy { $0 == state.tables[Home.catalog] }
      return (isDone ? [] : ["done again, it is not done"]) + home.problems().map { "done again: \($0)" }
    } catch {
      return ["done again, it cannot be read: \(error)"]
    }
  }

  /// The parts that the program reported as done: by its output, or by a successful exit.
  private func acknowledged(by outcome: Outcome) -> Int {
    if command.onlyShows { return 0 }
    if outcome.status == 0 { return command.whole }
    if command.tellsByStatus { return 0 }
    let (output, isWhole) = (outcome.output, command.parts.isEmpty)
    // The last line appears when all is done; with several parts, each has a line.
    let lines = isWhole ? self.outcome.lines.suffix(1) : self.outcome.lines[...]
    return lines.enumerated().reduce(0) { done, line in
      // The number of an added item depends on earlier additions.
      let words = isWhole ? line.element[...] : line.element.drop { $0 != ":" }
      return output.contains(words + "\n") ? done | 1 << line.offset : done
    }
  }
}
