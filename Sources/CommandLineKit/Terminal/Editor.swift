import Glibc
public import Processes

/// The program in which the user writes longer texts.
public enum Editor {
  /// `$VISUAL`, or `$EDITOR`, or `vi`, split at blanks.
  public static func words(_ environment: [String: String]) -> [String] {
    for name in ["VISUAL", "EDITOR"] {
      let words = Spawn.words(of: environment[name])
      if !words.isEmpty { return words }
    }
    return ["vi"]
  }

  /// Opens a file in the editor and waits until it exits; false when the editor reports a failure.
  ///
  /// Ctrl-C is left to the editor meanwhile, since the keyboard sends it to both.
  public static func edit(_ path: String, _ environment: [String: String]) throws(SystemError) -> Bool {
    var (ignored, usual) = (sigaction(), sigaction())
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGINT, &ignored, &usual)
    defer { sigaction(SIGINT, &usual, nil) }
    return try Spawn.run(words(environment) + [path]).isSuccess
  }
}
