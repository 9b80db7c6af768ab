import FoundationEssentials
import Glibc
import TestSupport

/// Kills commands by signals at random moments, and checks the remaining files.
struct Killer {
  var scenes: [Scene]
  var seed: UInt64
  /// Called before each try.
  var begin: (Int) -> Void = { _ in }

  /// Mostly without a warning.
  private static let signals =
    Array(repeating: SIGKILL, count: 11) + [
      SIGTERM, SIGTERM, SIGINT, SIGINT, SIGHUP, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT,
    ]

  func run(_ numbers: some Sequence<Int>) throws -> Report {
    var report = Report(columns: "tries", "in the middle", "acknowledged", "left behind")
    var left: [String: Int] = [:]
    // The time that each takes on this machine, as busy as it is now.
    var lasting = scenes.map { Double($0.microseconds) }
    for number in numbers {
      begin(number)
      let place = number % scenes.count
      let scene = scenes[place]
      let name = scene.command.name
      var random = SplitMix(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
      let signal = Self.signals.randomElement(using: &random) ?? SIGKILL
      let moment = Int(lasting[place] * Double.random(in: 0...1.1, using: &random))

      let performance = try scene.begin()
      usleep(UInt32(moment))
      performance.launch.send(signal)
      let outcome = performance.finish()
      lasting[place] *= outcome.status == 0 ? 0.93 : 1.03
      let verdict = scene.judge(outcome, looksFirst: number / scenes.count % 2 == 0)
      report.count("tries", of: name)
      if outcome.status == 128 + signal { report.count("in the middle", of: name) }
      if verdict.acknowledged != 0 { report.count("acknowledged", of: name) }
      if !verdict.left.isEmpty { report.count("left behind", of: name) }
      for file in verdict.left { left[file.withoutNumbers, default: 0] += 1 }

      var problems = verdict.problems
      if outcome.status != 0, outcome.status != 128 + signal {
        problems.append("it ended with status \(outcome.status): \(outcome.errors)")
      }
      if performance.launch.isHanging { problems.append("it hangs") }
      // A program that exits by itself leaves no files, or names them.
      if outcome.status == 0 || (outcome.output + outcome.errors).contains("catalog: stopped") {
        for file in verdict.left where !(outcome.output + outcome.errors).contains(file) {
          problems.append("it ended by itself, and left \(file)")
        }
      }
      problems += scene.problemsOfRepeating()
      if !problems.isEmpty {
        report.fail(
          "after signal \(signal) at \(moment) µs: \(problems.joined(separator: "; "))",
          of: name, again: "kill --seed \(seed) --only \(number)" + (scenes.count == 1 ? " --deed '\(name)'" : ""))
      }
    }
    report.notes = left.sorted { $0.key < $1.key }.map { "left behind \($0.value) times: \($0.key)" }
    return report
  }
}

extension String {
  /// The name of a file without its random parts.
  fileprivate var withoutNumbers: String {
    split(separator: "/").map { part in
      part.split(separator: ".").map { $0.allSatisfy(\.isNumber) ? "N" : String($0) }.joined(separator: ".")
    }.joined(separator: "/").replacing(/-[0-9a-z]{8,}/) { _ in "-N" }
  }
}
