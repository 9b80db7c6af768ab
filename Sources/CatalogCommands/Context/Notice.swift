internal import CommandLineKit

/// A line that a command tells its user, for a full-screen command or a page that shows it in its own place.
enum Notice: Sendable {
  /// A result, a question or a remark, in the user's language.
  case line(String)
  case hint(String)
  /// An error or a warning, with its hints.
  case failure(Failure)

  /// The question that it asks if `--yes` would answer it.
  var question: Message? {
    guard case .failure(let failure) = self, let need = failure.cause as? NeedsAnswer, need.option == "--yes" else {
      return nil
    }
    return need.question
  }
}

extension Context {
  /// The notices in one line for a full-screen command, errors as sentences at the end; nil for none.
  func spoken(_ notices: [Notice]) -> String? {
    var (lines, sentences): ([String], [String]) = ([], [])
    for notice in notices {
      switch notice {
      case .line(let text), .hint(let text): lines.append(text)
      case .failure(var failure):
        if let question = notice.question {
          failure.hint = "the same key again says yes"
          sentences.append(text(question).capitalizedFirst)
        } else {
          sentences.append(failure.spoken(on: terminal))
        }
        // A file's name at the end must be easy to copy, so no full stop follows it.
        let end = failure.kept == nil ? "." : ""
        sentences += [failure.hints].compactMap(\.self).map { text($0).capitalizedFirst + end }
      }
    }
    let said = (lines.isEmpty ? [] : [lines.joined(separator: "; ").capitalizedFirst]) + sentences
    return said.isEmpty ? nil : said.joined(separator: " ")
  }
}
