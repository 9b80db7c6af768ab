internal import CommandLineKit
internal import Lookup
internal import Processes

/// A command that is run for a browser as if it had been typed. It follows all rules of commands and is one operation
/// in the history. Its waiting does not block other requests.
struct CommandProcess: Sendable {
  /// The arguments, without the name of the program.
  var words: [String]
  /// The language of the output, two letters.
  var language = "en"
  /// The time limit in seconds. Sources answer within a minute, or not at all.
  var seconds = 90.0

  /// The result of the command.
  struct Outcome: Sendable {
    /// The exit status; nil when the command took too long.
    var status: Int32?
    var output: String
    var complaints: String
    var isDone: Bool { status == 0 }

    /// The printed lines without hints, which name commands to type.
    func lines(in translation: Translation?) -> [String] {
      let hint = ("hint: \(Message(verbatim: ""))" as Message).text(in: translation)
      return (output + "\n" + complaints).split(separator: "\n").filter { !$0.hasPrefix(hint) }.map { line in
        String(line.hasPrefix("catalog: ") ? line.dropFirst(9) : line)
      }
    }

    /// Whether the command needed an answer that `--yes` gives.
    var wantsYes: Bool { status == ExitStatus.misused.rawValue && complaints.contains("--yes") }
  }

  /// The most output in bytes, more than any command prints.
  private static let most = 4 << 20

  /// Runs the command and waits for its end.
  /// - Parameter program: the path of the executable.
  func run(by program: String, environment: [String: String]) throws -> Outcome {
    var running = try ChildProcess(
      [program] + words, environment: .adding(Self.variables(for: language, environment)),
      input: .null)
    defer { running.end() }
    let end = Uptime.now() + .seconds(seconds)
    while !running.isSilent, Uptime.now() < end, !Interrupt.isRequested, running.output.bytes.count < Self.most {
      ChildProcess.wait(for: [running], until: end)
      running.read()
    }
    let isWhole = running.isSilent
    let status = running.waitOrEnd(after: isWhole ? max(0, (end - Uptime.now()) / .seconds(1)) : 0)
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    var code: Int32?
    if isWhole, case .exited(let number) = status { code = number }
    return Outcome(status: code, output: text(running.output.bytes), complaints: text(running.error.bytes))
  }

  /// The variables that select the language of a program, whatever the locale of this one.
  private static func variables(for language: String, _ environment: [String: String]) -> [String: String] {
    var variables = environment.filter { KeyRequirement.isVariable($0.key) }
    variables["LANGUAGE"] = language
    if LocaleSetting(environment: environment).language != nil {
      variables["LC_ALL"] = language == "ko" ? "ko_KR.UTF-8" : "en_US.UTF-8"
    }
    return variables
  }
}
