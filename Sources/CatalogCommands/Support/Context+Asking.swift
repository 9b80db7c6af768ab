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

  /// Opens a text in the person's editor and reads what became of it.
  ///
  /// What `read` cannot understand is explained, and the text can be opened again; when the person gives up, the text
  /// stays where it is, and the error says where.
  /// - Parameter name: a word for the file's name.
  func edit<T>(_ text: String, named name: String, _ read: (String) throws -> T) throws -> T {
    guard terminal.isInputTerminal, terminal.isOutputTerminal else {
      throw Failure("the editor needs a terminal", hint: "give the new values as arguments instead", status: .misused)
    }
    let folder = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let path = "\(folder)/catalog-\(name)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).txt"
    try WholeFile.write(Array(text.utf8), to: path, isPrivate: true)
    while true {
      try output.flush()
      do {
        guard try Editor.edit(path, environment) else {
          throw Failure("the editor failed; nothing was changed", hint: "the text is kept in \(path)")
        }
      } catch let error as SystemError {
        try? FileManager.default.removeItem(atPath: path)
        throw error
      }
      do {
        let result = try read(try Self.text(of: path))
        try? FileManager.default.removeItem(atPath: path)
        return result
      } catch {
        let failure = Failure(error)
        note("catalog: \(failure.message)")
        if let hint = failure.hint { note("hint: \(hint)") }
        guard !globals.saysYes, try confirm("Open it again?") else {
          throw Failure("nothing was changed", hint: "the text is kept in \(path)")
        }
      }
    }
  }

  private static func text(of path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else { throw Failure("\(path.quoted) cannot be read") }
    guard let text = String(validating: data, as: UTF8.self) else { throw Failure("the text is not valid UTF-8") }
    return text
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
