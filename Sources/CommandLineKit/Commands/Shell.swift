/// A shell that completes what is typed.
public enum Shell: String, CaseIterable, ArgumentValue {
  /// The shells there are scripts for.
  case bash, zsh, fish
}
