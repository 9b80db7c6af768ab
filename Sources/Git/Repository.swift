internal import Glibc
public import Processes

/// A repository on this machine, through the program `git`. No shell is involved. Git runs with its own configuration:
/// ``PersonalSettings``.
public struct Repository: Sendable {
  /// The folder of the repository itself, with its objects and references.
  public let path: String
  /// The folder with the files of a version; nil where only commits count.
  public let files: String?
  public let settings: PersonalSettings

  /// - Parameters:
  ///   - path: absolute where there are files.
  ///   - files: the folder with files.
  public init(path: String, files: String? = nil) {
    (self.path, self.files, settings) = (path, files, PersonalSettings(path: path))
  }

  /// The reason why git failed.
  public struct Problem: Error, Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
      /// There is no program `git`.
      case noGit
      /// The host does not answer, or denies access.
      case unreachable
      /// There is no repository.
      case missing
      /// A file has been removed meanwhile.
      case gone
      /// Other commits came first and must be merged.
      case rejected
      /// The remote refuses the commits: by a rule, for lack of permission or of space.
      case refused
      /// Git was silent for too long.
      case silent
      /// The user interrupted the program.
      case ended
      /// Another git writes in the repository.
      case locked
      /// The file system of this machine is full.
      case noRoom
      /// Git does not know who commits.
      case noIdentity
      case other
    }

    public var reason: Reason
    /// The output of git: one line or more.
    public var words: String

    public init(_ reason: Reason, _ words: String) { (self.reason, self.words) = (reason, words) }
  }

  // MARK: Running git

  /// Names the repository and turns off hooks and programs of its settings.
  var place: [String] {
    let quiet = ["-c", "core.hooksPath=/dev/null"]
    guard let files else { return ["-C", path, "--git-dir", "."] + quiet }
    let ofFiles = ["fsmonitor=false", "fileMode=false", "excludesFile=/dev/null", "attributesFile=/dev/null"]
    return ["-C", files, "--git-dir", path, "--work-tree", "."] + quiet + ofFiles.flatMap { ["-c", "core.\($0)"] }
  }

  /// Runs git in the repository.
  /// - Parameters:
  ///   - reaches: whether it needs the person's settings, to commit or to reach a remote.
  ///   - index: the file of the index, in place of the repository's own.
  ///   - silence: the most seconds without output. A transfer reports its progress with `--progress`.
  ///   - limit: the most bytes of output.
  /// - Returns: the output.
  /// - Throws: ``Problem``.
  @discardableResult
  public func run(
    _ arguments: [String], reaches: Bool = false, index: String? = nil, input: Spawn.Input = .null,
    silence: Double = .infinity, limit: Int = 1 << 30
  ) throws(Problem) -> [UInt8] {
    let environment = environment(reaches: reaches, index: index)
    // A git process that outlived the one that started it ends soon.
    for _ in 1..<Self.mostTries {
      do throws(Problem) {
        return try Self.run(
          place + arguments, environment: environment, input: input, silence: silence, limit: limit)
      } catch {
        guard error.reason == .locked else { throw error }
        do { try Interrupt.wait(.milliseconds(200)) } catch { throw Problem(.ended, "") }
      }
    }
    return try Self.run(place + arguments, environment: environment, input: input, silence: silence, limit: limit)
  }

  private static let mostTries = 10

  /// The variables and settings of git. Where only commits count there is no index, whatever lies in the repository.
  func environment(reaches: Bool = false, index: String? = nil) -> Spawn.Environment {
    let settings = reaches ? settings.reaching : settings.own
    return settings.with("GIT_INDEX_FILE", index ?? (files == nil ? "no-index" : nil))
  }

  /// Runs git outside of any repository, with the person's settings where `reaches` says so.
  @discardableResult
  public static func runOutside(
    _ arguments: [String], reaches: Bool = false, silence: Double = .infinity
  ) throws(Problem) -> [UInt8] {
    let settings = PersonalSettings(path: nil)
    return try run(arguments, environment: reaches ? settings.reaching : settings.own, silence: silence)
  }

  /// Runs git with all settings of the person.
  @discardableResult
  public static func run(
    _ arguments: [String], environment: Spawn.Environment? = nil, input: Spawn.Input = .null,
    silence: Double = .infinity, limit: Int = 1 << 30
  ) throws(Problem) -> [UInt8] {
    var program: ChildProcess
    do {
      program = try ChildProcess(
        ["git"] + arguments, environment: environment ?? .only(PersonalSettings.variables), input: input)
    } catch {
      throw Problem(startingFailed: error)
    }
    // Git removes its locks when it is asked to end.
    defer { _ = program.waitOrEnd(after: 0) }
    func next() -> Duration? { silence.isFinite ? Uptime.now() + .seconds(silence) : nil }
    var end = next()
    func check() throws(Problem) {
      if Interrupt.isRequested { throw Problem(.ended, "") }
      if let end, Uptime.now() >= end { throw Problem(.silent, "") }
    }
    while !program.isSilent {
      try check()
      guard program.output.bytes.count <= limit else { throw Problem(.other, "git printed too much") }
      ChildProcess.wait(for: [program], until: end)
      let heard = program.output.bytes.count + program.error.bytes.count
      program.read()
      if program.output.bytes.count + program.error.bytes.count > heard { end = next() }
    }
    var status = program.poll()
    while status == nil {
      try check()
      ChildProcess.wait(for: [program], until: end)
      status = program.poll()
    }
    guard status == .exited(0) else { throw Problem(String(decoding: program.error.bytes, as: UTF8.self)) }
    return program.output.bytes
  }

  func lines(_ arguments: [String], reaches: Bool = false) throws(Problem) -> [String] {
    String(decoding: try run(arguments, reaches: reaches), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The first line of git's output; nil if git found nothing, which is no error.
  public func value(_ arguments: [String]) throws(Problem) -> String? {
    do {
      return try lines(arguments).first
    } catch {
      if error.reason == .noGit || error.reason == .ended { throw error }
      return nil
    }
  }
}

extension Repository.Problem {
  /// Whether the remote repository exists, but has no such branch yet.
  public var isOfNoBranch: Bool { words.contains("find remote ref") }

  /// The most informative line of git's output, without progress and hints.
  public var line: String? {
    let lines = words.split(whereSeparator: \.isNewline).map { line in
      var line = line.trimmed
      for prefix in ["remote:", "fatal:", "error:", "ssh:"] where line.hasPrefix(prefix) {
        line = line.dropFirst(prefix.count).trimmed
      }
      // The text inside a frame of @, as ssh draws one.
      return String(line.drop { $0 == "@" }.reversed().drop { $0 == "@" }.reversed()).trimmed
    }
    let said = lines.first { line in
      line.contains(where: \.isLetter) && !Self.chatter.contains { line.hasPrefix($0) }
    }
    guard reason == .refused || reason == .rejected else { return said.map(String.init) }
    // ' ! [remote rejected] main -> main (pre-receive hook declined)'
    let verdict = lines.first { $0.hasPrefix("!") }.flatMap { line in
      line.lastIndex(of: "(").map { String(line[$0...]) }
    }
    return [said.flatMap { $0.hasPrefix("!") ? nil : String($0) }, verdict].compactMap(\.self).joined(separator: " ")
  }

  /// The beginnings of lines that give no reason.
  private static let chatter = [
    "Warning: ", "warning: ", "hint: ", "To ", "From ", "Enumerating ", "Counting ", "Compressing ",
    "Delta compression ",
    "Writing ", "Receiving ", "Resolving ", "Unpacking ", "Total ", "Auto packing ",
  ]

  init(startingFailed error: SystemError) {
    self = error.code == ENOENT ? Self(.noGit, "") : Self(.other, "\(error)")
  }

  /// - Parameter words: git's standard error.
  init(_ words: String) {
    func says(_ some: String...) -> Bool { some.contains { words.contains($0) } }
    let reason: Reason =
      if says("Please tell me who you are", "unable to auto-detect email address", "empty ident name") {
        .noIdentity
      } else if says("[remote rejected]") {
        // Only one of two simultaneous runs gets the lock. A folder without write permission has no lock either.
        says("cannot lock ref", "failed to update ref", "incorrect old value")
          && !says("Permission denied", "Read-only file system", "No space left")
          ? .rejected : .refused
      } else if says("[rejected]") {
        .rejected
      } else if says("No space left on device", "Disk quota exceeded") {
        .noRoom
      } else if says("cannot lock ref", ".lock': File exists")
        || says("could not lock config file") && says(": File exists")
      {
        .locked
      } else if says("does not appear to be a git repository") {
        .missing
      } else if says(
        "Could not read from remote", "unable to access", "Could not resolve",
        "not found", "Authentication failed", "Permission denied", "timed out", "does not exist", "hung up",
        "early EOF",
        "unable to create", "Read-only file system", "No such file or directory",
        "insufficient permission")
      {
        .unreachable
      } else {
        .other
      }
    self.init(reason, words)
  }
}

extension StringProtocol {
  fileprivate var trimmed: Substring {
    let start = self[...].drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return Substring(start[...last])
  }
}

extension Spawn.Environment {
  /// The same variables with another one, if it has a value.
  fileprivate func with(_ name: String, _ value: String?) -> Self {
    guard let value, case .only(var variables) = self else { return self }
    variables[name] = value
    return .only(variables)
  }
}
