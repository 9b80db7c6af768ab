import FoundationEssentials
import TestSupport

/// A fault of one system call: `pwrite64:ENOSPC:12`, or `pwrite64:ENOSPC:12+` for this call and all after it.
struct Fault: Hashable, CustomStringConvertible {
  var call: String
  var error: String
  /// Which of the program's calls of this name, from 1.
  var number: Int
  var persists = false

  var description: String { "\(call):\(error):\(number)\(persists ? "+" : "")" }

  init(call: String, error: String, number: Int, persists: Bool = false) {
    (self.call, self.error, self.number, self.persists) = (call, error, number, persists)
  }

  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let number = Int(parts[2].prefix { $0.isNumber }) else { return nil }
    self.init(call: String(parts[0]), error: String(parts[1]), number: number, persists: parts[2].hasSuffix("+"))
  }
}

/// The system calls of a program, seen and spoiled by the program `strace`. <https://strace.io>
struct Strace {
  /// One call as strace prints it.
  struct Call {
    var name: String
    /// Which of its name, from 1.
    var number: Int
    var text: String
  }

  private let program: String
  private let log: String

  /// Nil where there is no strace, or where it may not trace.
  init?(in folder: String) {
    let places = ["/usr/bin/strace", "/usr/local/bin/strace"]
    guard let program = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
    (self.program, log) = (program, "\(folder)/strace.log")
    let home = Home(path: folder)
    guard let trial = try? home.run(["-o", log, "-e", "trace=none", "/bin/true"], program: program), trial.status == 0
    else { return nil }
  }

  static var isAvailable: Bool { (try? TemporaryFolder()).flatMap { Strace(in: $0.path) } != nil }

  /// The words before the command line of a program to be traced.
  func watching(_ calls: some Sequence<String>) -> [String] {
    // `?` ignores system calls that this machine does not have.
    [program, "-o", log, "-e", "trace=" + calls.map { "?\($0)" }.joined(separator: ",")]
  }

  func injecting(_ fault: Fault) -> [String] {
    watching([fault.call]) + [
      "-e", "inject=\(fault.call):error=\(fault.error):when=\(fault.number)\(fault.persists ? "+" : "")",
    ]
  }

  /// The calls of the program that was traced last.
  func calls() -> [Call] {
    var numbers: [Substring: Int] = [:]
    let lines = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return lines.split(separator: "\n").compactMap { line in
      guard let end = line.firstIndex(of: "("), !line.hasPrefix("+++"), !line.hasPrefix("---") else { return nil }
      let name = line[..<end]
      numbers[name, default: 0] += 1
      return Call(name: String(name), number: numbers[name] ?? 0, text: String(line))
    }
  }
}
