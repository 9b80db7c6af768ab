internal import CommandLineKit
internal import Lookup
internal import Processes

/// A command that is run for a browser, as if its person had typed it: so it follows every rule that commands follow, is one step of
/// the history, and nothing that it waits for keeps others waiting.
struct TypedCommand: Sendable {
  /// Behind the name of the program.
  var words: [String]
  /// What it speaks, two letters.
  var language = "en"
  /// How long it may take: sources answer within a minute, or not at all.
  var seconds = 90.0

  /// What came of it.
  struct Outcome: Sendable {
    /// Nil when it took too long.
    var status: Int32?
    var output: String
    var complaints: String
    var isDone: Bool { status == 0 }

    /// What it said to its person, a line each, but for what to type next: nobody types here.
    func lines(in translation: Translation?) -> [String] {
      let hint = ("hint: \(Message(verbatim: ""))" as Message).text(in: translation)
      return (output + "\n" + complaints).split(separator: "\n").filter { !$0.hasPrefix(hint) }.map { line in
        String(line.hasPrefix("catalog: ") ? line.dropFirst(9) : line)
      }
    }

    /// Whether it wanted to ask something, which `--yes` answers.
    var wantsYes: Bool { status == ExitStatus.misused.rawValue && complaints.contains("--yes") }
  }

  /// More than any command says.
  private static let most = 4 << 20

  /// Runs it, and waits for its end.
  /// - Parameter program: the path of the executable.
  func run(by program: String, environment: [String: String]) throws -> Outcome {
    var running = try Listener(
      [program] + words, environment: .adding(Self.variables(for: language, environment)),
      input: .null)
    defer { running.end() }
    let end = Uptime.now() + .seconds(seconds)
    while !running.isSilent, Uptime.now() < end, !Interrupt.isRequested, running.output.bytes.count < Self.most {
      Listener.wait(for: [running], until: end)
      running.read()
    }
    let isWhole = running.isSilent
    let status = running.waitOrEnd(after: isWhole ? max(0, (end - Uptime.now()) / .seconds(1)) : 0)
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    var code: Int32?
    if isWhole, case .exited(let number) = status { code = number }
    return Outcome(status: code, output: text(running.output.bytes), complaints: text(running.error.bytes))
  }

  /// What makes a program speak a language, whatever the locale of this one is.
  /// It gets the keys of sources as well, which no other program does.
  private static func variables(for language: String, _ environment: [String: String]) -> [String: String] {
    var variables = environment.filter { KeyNeed.variables.contains($0.key) }
    variables["LANGUAGE"] = language
    if LocaleSetting(environment: environment).language != nil {
      variables["LC_ALL"] = language == "ko" ? "ko_KR.UTF-8" : "en_US.UTF-8"
    }
    return variables
  }
}
