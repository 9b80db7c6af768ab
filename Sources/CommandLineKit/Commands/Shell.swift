/// A shell with completion.
public enum Shell: String, CaseIterable, ArgumentValue {
  /// The shells there are scripts for.
  case bash, zsh, fish
}
