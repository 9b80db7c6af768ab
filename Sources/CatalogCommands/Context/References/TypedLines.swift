internal import CatalogModel
internal import CommandLineKit

/// A line of standard input that names a thing, for `-` in place of words.
struct TypedLine {
  /// The number of the line, from 1, with all lines counted.
  var number: Int
  var text: String
  /// The text without what spreadsheets and lists put around a code.
  var name: String
  /// The reason why it names nothing.
  var problem: Failure?

  init(_ number: Int, _ text: String) {
    (self.number, self.text, name) = (number, text, text.unwrapped)
    let isReference = (try? Reference(argument: name))?.isWords == false || TypedCode(name).isMeant
    guard name.isRowOfTable, !isReference else { return }
    problem = Failure(
      "that is a row of a table: '-' takes one title, reference or code a line",
      hint: "of a file with columns take one: cut -d, -f1 FILE", status: .misused)
  }

  fileprivate init(unreadable number: Int) {
    (self.number, text, name) = (number, "…", "")
    problem = Failure("it is not valid UTF-8", status: .misused)
  }

  /// The text for a message, cut to 60 cells.
  var shown: String { text.truncated(to: 60).quoted }

  /// The members of a change or a row that name its line.
  var members: Change.Members { [("line", number), ("text", text)] }
}

/// The lines of standard input, without empty lines and comments.
struct TypedLines {
  let readLine: () throws -> String?
  private var number = 0

  init(readLine: @escaping () throws -> String?) { self.readLine = readLine }

  mutating func next() throws -> TypedLine? {
    while true {
      number += 1
      let line: String?
      do { line = try readLine() } catch is UsageError { return TypedLine(unreadable: number) }
      guard let line else { return nil }
      let text = (line.unicodeScalars.first == "\u{FEFF}" ? String(line.unicodeScalars.dropFirst()) : line)
        .trimmingBlanks
      if !text.isEmpty, !text.hasPrefix("#") { return TypedLine(number, text) }
    }
  }
}

extension String {
  /// The text without the characters that spreadsheets and lists put around a code: `="0140328726"`, `[0140328726]`,
  /// `"Dune"`.
  fileprivate var unwrapped: String {
    var text = trimmingBlanks[...]
    if text.hasPrefix("=\""), text.hasSuffix("\"") { text = text.dropFirst() }
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
    // A title may be in brackets, so they are removed from codes only.
    if text.hasPrefix("["), text.hasSuffix("]"), TypedCode(String(text.dropFirst().dropLast())).isMeant {
      text = text.dropFirst().dropLast()
    }
    return text.trimmingBlanks
  }

  /// Whether the text looks like a row of a table: it has a tab, or two commas or semicolons without a blank after
  /// them.
  fileprivate var isRowOfTable: Bool {
    let bytes = Array(utf8)
    func digits(from place: Int) -> Int { bytes[place...].prefix { (48...57).contains($0) }.count }
    let separators = bytes.indices.dropLast().filter { place in
      switch bytes[place] {
      case UInt8(ascii: ";"): bytes[place + 1] != 0x20
      // Three digits after a comma belong to a number: 1,000,000 Years
      case UInt8(ascii: ","): bytes[place + 1] != 0x20 && digits(from: place + 1) != 3
      default: false
      }
    }
    return bytes.contains(0x09) || separators.count >= 2
  }
}
