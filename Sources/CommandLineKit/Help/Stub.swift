extension Program {
  func help(at path: [String]) -> @Sendable (Int) -> String { { _ in "" } }
  func help(for words: [String]) throws(UsageError) -> @Sendable (Int) -> String { { _ in "" } }
  func helpCandidates(beginning prefix: String) -> String { "" }
  func manualPage() -> String { "" }
  public func completionScript(for shell: Shell) -> String { "" }
}
