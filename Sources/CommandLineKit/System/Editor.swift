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

  /// Opens a file in the editor and waits for its end; false when the editor says that it failed.
  public static func edit(_ path: String, _ environment: [String: String]) throws(SystemError) -> Bool {
    try Spawn.run(words(environment) + [path]).isSuccess
  }
}
