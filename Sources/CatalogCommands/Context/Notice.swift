internal import CommandLineKit

/// A line that a command tells its user, for a full-screen command or a page that shows it in its own place.
enum Notice {
  /// A result, a question or a remark, in the user's language.
  case line(String)
  case hint(String)
  /// An error or a warning, with its hints.
  case failure(Failure)
}

extension Context {
  /// The notice as one text: an error has its hints behind it.
  func text(_ notice: Notice) -> String {
    switch notice {
    case .line(let text), .hint(let text): text
    case .failure(let failure):
      [text(failure.message), failure.hints.map { text("hint: \($0)") }].compactMap(\.self).joined(separator: "; ")
    }
  }
}
