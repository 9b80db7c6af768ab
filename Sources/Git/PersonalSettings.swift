@preconcurrency internal import Glibc
internal import Processes
internal import Synchronization

/// The variables and settings that git runs with.
///
/// A sync must not depend on a person's other use of git. Git gets only those of the person's variables and settings
/// that name the committer and reach a remote: no hooks, signatures, aliases, attributes or filters.
public final class PersonalSettings: Sendable {
  /// The repository whose conditional includes count; nil outside of any.
  private let path: String?
  private let loaded = Mutex<Loaded?>(nil)

  private struct Loaded {
    /// Keys and values, in git's order.
    var entries: [(key: String, value: String)] = []
    /// The reason why git cannot read the person's settings; nil if it can.
    var problem: String?
  }

  init(path: String?) { self.path = path }

  /// The reason why git cannot read the person's settings; nil if it can, or if they were not needed yet.
  public var problem: String? { loaded.withLock { $0?.problem } }

  /// The reason why git cannot read the user's settings; nil if it can. Loads the settings on the first call.
  func unreadable() -> String? { load().problem }

  /// Variables for git on this machine alone, with only the repository's settings.
  var own: Spawn.Environment {
    // Git refuses a folder of another user, unless the person's settings name the folder.
    if let path, !Self.isOurs(path) { return reaching }
    return .only(Self.variables.merging(Self.isolation) { $1 })
  }

  /// Variables for git that commits or reaches a remote, with the person's settings for that.
  var reaching: Spawn.Environment {
    let entries = load().entries
    var variables = Self.variables
    // Git reads this one from a file only, also when it serves a folder to another git.
    if entries.contains(where: { $0.key == "safe.directory" }) { return .only(variables) }
    variables.merge(Self.isolation) { $1 }
    variables["GIT_CONFIG_COUNT"] = String(entries.count)
    for (number, entry) in entries.enumerated() {
      variables["GIT_CONFIG_KEY_\(number)"] = entry.key
      variables["GIT_CONFIG_VALUE_\(number)"] = entry.value
    }
    return .only(variables)
  }

  // MARK: Variables

  /// The variables without those that redirect git, and without this program's own, which may be keys.
  static var variables: [String: String] {
    var variables = ["LC_ALL": "C.UTF-8"]
    var pointer = environ
    while let entry = pointer.pointee {
      pointer += 1
      let text = String(cString: entry)
      guard let sign = text.firstIndex(of: "="), case let name = String(text[..<sign]), isKept(name) else { continue }
      if variables[name] == nil { variables[name] = String(text[text.index(after: sign)...]) }
    }
    return variables
  }

  private static let isolation = ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]

  private static func isKept(_ name: String) -> Bool {
    if name.hasPrefix("CATALOG_") { return false }
    guard name.hasPrefix("GIT_") else { return true }
    return kept.contains(name) || ["GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_"].contains { name.hasPrefix($0) }
  }

  /// Variables that name the committer, reach a remote, or locate git and its settings.
  private static let kept: Set<String> = [
    "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_SSH", "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER",
    "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
  ]

  private static func isOurs(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 || status.st_uid == geteuid()
  }

  // MARK: Settings

  private static func isWanted(_ key: String) -> Bool {
    ["core.sshcommand", "core.askpass", "core.gitproxy", "safe.directory"].contains(key)
      || ["user.", "author.", "committer.", "credential.", "http.", "url.", "ssh.", "protocol."].contains {
        key.hasPrefix($0)
      }
  }

  /// Seconds after which settings that never end, such as those in a pipe, are given up.
  private static let patience = 5.0

  private func load() -> Loaded {
    loaded.withLock { known in
      if let known { return known }
      var found = Loaded()
      // Elsewhere the repository of the current folder would count.
      let place = path.map { ["-C", $0, "--git-dir", "."] } ?? ["-C", "/"]
      do throws(Repository.Problem) {
        let words = place + ["config", "--includes", "--show-scope", "--list", "-z"]
        let bytes = try Repository.run(
          words, environment: .only(Self.variables), silence: Self.patience, limit: 1 << 20)
        found.entries = Self.entries(in: bytes)
      } catch {
        // A git before 2.26 lacks the option, and reads the settings by itself.
        if !error.words.contains("unknown option") { found.problem = error.line ?? "git config does not end" }
      }
      known = found
      return found
    }
  }

  /// Reads `SCOPE NUL KEY LF VALUE NUL`, as `git config --show-scope --list -z` writes it.
  private static func entries(in bytes: [UInt8]) -> [(key: String, value: String)] {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    return stride(from: 0, to: parts.count - 1, by: 2).compactMap { place in
      guard ["system", "global"].contains(parts[place]) else { return nil }
      let words = parts[place + 1].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let key = words.first.map(String.init) ?? ""
      return isWanted(key) ? (key, words.count > 1 ? String(words[1]) : "true") : nil
    }
  }
}
