/// A shell that completes what is typed.
public enum Shell: String, CaseIterable, ArgumentValue {
  case bash, zsh, fish
}
