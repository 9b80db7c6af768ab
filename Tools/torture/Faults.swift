import TestSupport

/// Injects failures of system calls, one at a time, and checks the command's messages and files.
struct Faults {
  var scenes: [Scene]
  var seed: UInt64
  var strace: Strace
  /// Called before each try.
  var begin: (Int) -> Void = { _ in }

  /// The errors of each system call. `ENOSPC` may persist, as on a full disk.
  private static let errors: [String: [String]] = [
    "openat": ["EIO", "EACCES", "EMFILE", "ENOSPC", "EINTR"], "open": ["EIO", "EACCES", "EMFILE", "ENOSPC", "EINTR"],
    "newfstatat": ["EIO", "EACCES"], "fstat": ["EIO"], "stat": ["EIO", "EACCES"], "lstat": ["EIO", "EACCES"],
    "statx": ["EIO", "EACCES"], "access": ["EIO", "EACCES"], "faccessat2": ["EIO", "EACCES"], "readlink": ["EIO"],
    "getdents64": ["EIO"], "getcwd": ["EACCES"], "read": ["EIO", "EINTR"], "pread64": ["EIO", "EINTR"],
    "write": ["EIO", "ENOSPC", "EINTR"], "pwrite64": ["EIO", "ENOSPC", "EINTR"], "writev": ["EIO", "ENOSPC"],
    "fsync": ["EIO", "ENOSPC"], "fdatasync": ["EIO", "ENOSPC"], "ftruncate": ["EIO", "ENOSPC"],
    "fallocate": ["EIO", "ENOSPC"], "unlink": ["EIO", "EACCES"], "unlinkat": ["EIO", "EACCES"],
    "rename": ["EIO", "ENOSPC", "EACCES"], "renameat2": ["EIO", "ENOSPC", "EACCES"],
    "link": ["EIO", "ENOSPC", "EPERM"],
    "linkat": ["EIO", "ENOSPC", "EPERM"], "mkdir": ["EACCES", "ENOSPC"], "mkdirat": ["EACCES", "ENOSPC"],
    "fcntl": ["EIO", "ENOLCK"], "flock": ["EINTR", "ENOLCK"], "lseek": ["EIO"], "chmod": ["EPERM"],
    "fchmod": ["EPERM", "EIO"], "fchown": ["EPERM"], "close": ["EIO"], "mmap": ["ENOMEM"], "getrandom": ["EINTR"],
    "vfork": ["EAGAIN"], "clone": ["EAGAIN"], "clone3": ["EAGAIN"], "wait4": ["EINTR"], "pipe2": ["EMFILE"],
  ]

  /// A fault, and where it is injected.
  private struct Try {
    var scene: Scene
    var fault: Fault
    var call: String
  }

  /// - Parameter count: how many faults are injected, the same number into each command where it has as many.
  func run(count: Int) throws -> Report {
    // In turn one of each command, so that any number of tries is spread over all.
    var random = SplitMix(seed: seed)
    var queues = try scenes.map { try tries(in: $0).shuffled(using: &random)[...] }
    var chosen: [Try] = []
    while chosen.count < count, queues.contains(where: { !$0.isEmpty }) {
      for index in queues.indices where chosen.count < count { queues[index].popFirst().map { chosen.append($0) } }
    }
    return try run(chosen)
  }

  /// Injects one fault into each command.
  func run(_ fault: Fault) throws -> Report {
    try run(scenes.map { scene in Try(scene: scene, fault: fault, call: try text(of: fault, in: scene)) })
  }

  private func run(_ tries: [Try]) throws -> Report {
    var report = Report(columns: "faults", "done", "failed", "no memory", "not reached")
    for (number, attempt) in tries.enumerated() {
      begin(number)
      let name = attempt.scene.command.name
      let performance = try attempt.scene.begin(
        under: strace.injecting(attempt.fault), adding: ["CATALOG_BUSY_TIMEOUT": "0.5"])
      let outcome = performance.finish()
      // The program may depend on the time, so that it does not reach the call.
      guard strace.calls().contains(where: { $0.text.contains("(INJECTED)") }) else {
        report.count("not reached", of: name)
        continue
      }
      report.count("faults", of: name)
      var problems = performance.launch.isHanging ? ["it hangs"] : []
      if attempt.fault.error == "ENOMEM", outcome.status > 128 {
        // Swift cannot continue without memory, but its files must be intact.
        report.count("no memory", of: name)
      } else {
        report.count(outcome.status == 0 ? "done" : "failed", of: name)
        problems += self.problems(of: outcome, attempt)
      }
      let verdict = attempt.scene.judge(outcome, looksFirst: true)
      problems += verdict.problems + self.problems(of: verdict, outcome, attempt) + attempt.scene.problemsOfRepeating()
      if !problems.isEmpty {
        report.fail(
          "\(attempt.call): \(problems.joined(separator: "; "))", of: name,
          again: "faults --deed '\(name)' --fault \(attempt.fault)")
      }
    }
    return report
  }

  // MARK: What to spoil

  /// All calls of a command after the loader has finished.
  private func calls(of scene: Scene) throws -> ArraySlice<Strace.Call> {
    _ = try scene.begin(under: strace.watching(Self.errors.keys.sorted() + ["rt_sigaction"])).finish()
    let calls = strace.calls()
    guard let start = calls.firstIndex(where: { $0.text.hasPrefix("rt_sigaction(SIGPIPE, {sa_handler=SIG_IGN") }) else {
      throw Trouble("\(scene.command.name): where the program starts cannot be told from its system calls")
    }
    return calls[start...]
  }

  private func tries(in scene: Scene) throws -> [Try] {
    try calls(of: scene).flatMap { call in
      (Self.errors[call.name] ?? []).flatMap { error in
        [false, true].filter { !$0 || error == "ENOSPC" }.map { persists in
          Try(
            scene: scene, fault: Fault(call: call.name, error: error, number: call.number, persists: persists),
            call: "\(error)\(persists ? " from here on" : ""): \(call.text)")
        }
      }
    }
  }

  private func text(of fault: Fault, in scene: Scene) throws -> String {
    try calls(of: scene).first { $0.name == fault.call && $0.number == fault.number }?.text ?? "\(fault)"
  }

  // MARK: What may not be

  /// Words that are no person's.
  private static let jargon = [
    "SELECT ", "INSERT ", "UPDATE ", "PRAGMA ", "SQLITE_", "SQLiteError", "SystemError", "Error Domain", "NSPOSIX",
    "NSCocoa", "CocoaError", "POSIXError", "Optional(", "Fatal error", "Swift/", ".swift:",
  ]
  private static let denials = ["nothing was changed", "nothing was written", "was not written", "no copy was made"]

  private func problems(of outcome: Outcome, _ attempt: Try) -> [String] {
    let (command, call) = (attempt.scene.command, attempt.call)
    let said = command.editor == nil ? outcome.errors : outcome.output
    guard (0...4).contains(outcome.status) else { return ["it ended with status \(outcome.status): \(said)"] }
    var problems: [String] = []
    if outcome.status == 0 {
      let (count, usual) = (outcome.lines.count, attempt.scene.outcome.lines.count)
      // A terminal shows messages too, and a lost message is no lost result.
      if command.editor == nil, count < usual {
        problems.append("status 0, and \(usual - count) lines of output are lost")
      }
    } else if !call.contains("write(2,"), attempt.fault.call != "write" || !attempt.fault.persists,
      !said.contains("catalog: "), outcome.output.isEmpty || outcome.output == attempt.scene.outcome.output
    {
      problems.append("status \(outcome.status), and not a word")
    }
    for word in Self.jargon where said.contains(word) { problems.append("it says: \(said)") }
    return problems
  }

  private func problems(of verdict: Scene.Verdict, _ outcome: Outcome, _ attempt: Try) -> [String] {
    var problems: [String] = []
    let said = outcome.output + outcome.errors
    if outcome.status == 0, !attempt.scene.command.onlyShows, let done = verdict.done,
      done != attempt.scene.command.whole
    {
      problems.append("status 0, and it is not done")
    }
    // With several parts, the message is about one of them.
    if attempt.scene.command.parts.isEmpty, let denial = Self.denials.first(where: { said.contains($0) }),
      verdict.done.map({ $0 != 0 }) == true
    {
      problems.append("it says that \(denial), and it was")
    }
    // A program that exits by itself leaves no files, or names them, unless removing fails.
    let cannotRemove = attempt.fault.call.hasPrefix("unlink")
    for file in verdict.left where outcome.status < 128 && !cannotRemove && !said.contains(file) {
      problems.append("it left \(file)")
    }
    return problems
  }
}
