internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials

extension Context {
  /// Shows what is about to happen and asks whether it shall. `--yes` answers; without a terminal it fails and names
  /// that option.
  /// - Throws: ``SilentFailure`` when the answer is no, which is said.
  func ask(_ question: String, about lines: [String]) throws {
    if !globals.saysYes && terminal.isInputTerminal {
      for line in Self.shortened(lines) { note(line) }
    }
    guard try confirm(question) else {
      note("catalog: nothing was changed")
      throw SilentFailure(status: .failed)
    }
  }

  /// The first lines of many, and how many more there are.
  static func shortened(_ lines: [String], to count: Int = 40) -> [String] {
    lines.count <= count ? lines : lines.prefix(count - 1) + ["… and \(lines.count - count + 1) more lines"]
  }
}

extension Query {
  /// Reads a query written as one line: words and terms with blanks between them, double quotes around blanks that
  /// belong to a value.
  init(line: String, now: Date) throws {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in line + " " {
      if character == "\"" {
        isQuoted.toggle()
      } else if character.isWhitespace && !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    guard !isQuoted else { throw UsageError("the query \(line.quoted) lacks a closing quote") }
    guard !words.isEmpty else {
      throw UsageError("the query is empty", hint: "'id:1..' is everything; see 'catalog help query'")
    }
    try self.init(words, now: now)
  }
}
