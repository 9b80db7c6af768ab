internal import CatalogModel
internal import Lookup

/// The properties at the head of a Markdown note, and the text below them: the YAML that Obsidian writes, which is a
/// part of YAML.
struct FrontMatter: Sendable {
  /// The names and values, in their order; a list has its name several times, and a map in a map a path: `movie.year`.
  var properties: [(name: String, value: String)] = []
  var body = ""

  /// Nil for a text without properties at its head.
  init?(_ text: String) {
    var text = text[...]
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first.map({ $0.trimmed == "---" }) == true,
      let end = lines.dropFirst().firstIndex(where: { ["---", "..."].contains($0.trimmed) && !$0.hasPrefix(" ") })
    else { return nil }
    read(lines[1..<end])
    body = lines[(end + 1)...].joined(separator: "\n")
  }

  private mutating func read(_ lines: ArraySlice<Substring>) {
    /// The names of the maps around a line, with their indentation.
    var path: [(indent: Int, name: String)] = []
    var place = lines.startIndex
    while place < lines.endIndex {
      let line = lines[place]
      place += 1
      let indent = line.prefix { $0 == " " }.count
      let text = String(line).trimmed
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      if text.hasPrefix("- ") || text == "-" {
        // A list may stand as far to the left as its name.
        while let last = path.last, last.indent > indent { path.removeLast() }
        add(String(text.dropFirst()).trimmed, to: path.map(\.name))
        continue
      }
      while let last = path.last, last.indent >= indent { path.removeLast() }
      guard let (name, value) = Self.pair(text) else { continue }
      let names = path.map(\.name) + [name]
      switch value.first {
      case nil: path.append((indent, name))
      case "|", ">":
        let block = lines[place...].prefix { $0.trimmed.isEmpty || $0.prefix { $0 == " " }.count > indent }
        place += block.count
        let parts = block.map { String($0).trimmed }
        add(plain: parts.joined(separator: value.hasPrefix(">") ? " " : "\n").trimmed, to: names)
      default: add(value, to: names)
      }
    }
  }

  /// `title: Dune`, `"a: b": c`
  private static func pair(_ text: String) -> (name: String, value: String)? {
    if text.hasPrefix("\"") || text.hasPrefix("'"), let (name, rest) = quoted(text[...]) {
      let rest = String(rest).trimmed
      return rest.hasPrefix(":") ? (name, String(rest.dropFirst()).trimmed) : nil
    }
    if let end = text.firstRange(of: ": ") {
      return (String(text[..<end.lowerBound]).trimmed, String(text[end.upperBound...]).trimmed)
    }
    return text.hasSuffix(":") ? (String(text.dropLast()).trimmed, "") : nil
  }

  private mutating func add(_ value: String, to names: [String]) {
    if value.hasPrefix("["), !value.hasPrefix("[["), value.hasSuffix("]") {
      var rest = value.dropFirst().dropLast()
      while !rest.isEmpty {
        rest = rest.drop { $0 == " " || $0 == "," }
        if let (text, after) = Self.quoted(rest) {
          add(plain: text, to: names, isQuoted: true)
          rest = after.drop { $0 != "," }
        } else {
          let part = rest.hasPrefix("[[") ? rest.firstRange(of: "]]").map { rest[..<$0.upperBound] } : nil
          let text = part ?? rest.prefix { $0 != "," }
          add(plain: String(text).trimmed, to: names)
          rest = rest[text.endIndex...]
        }
      }
    } else if let (text, rest) = Self.quoted(value[...]), rest.trimmed.isEmpty || rest.trimmed.hasPrefix("#") {
      add(plain: text, to: names, isQuoted: true)
    } else {
      let comment = value.firstRange(of: " #")
      add(plain: String(comment.map { value[..<$0.lowerBound] } ?? value[...]).trimmed, to: names)
    }
  }

  /// - Parameter text: without quotes. A link of Obsidian is its name: `[[People/Frank Herbert|Herbert]]`.
  private mutating func add(plain text: String, to names: [String], isQuoted: Bool = false) {
    var text = text
    if text.hasPrefix("[["), text.hasSuffix("]]") {
      let link = text.dropFirst(2).dropLast(2)
      let name = link.split(separator: "|").last ?? link
      text = String(name.split(separator: "/").last ?? name).trimmed
    }
    guard !names.isEmpty, !text.isEmpty, isQuoted || !["null", "~"].contains(text.lowercased()) else { return }
    properties.append((names.joined(separator: "."), text))
  }

  /// A text in quotes, and what stands behind it; nil where none begins.
  private static func quoted(_ text: Substring) -> (text: String, rest: Substring)? {
    guard let quote = text.first, quote == "\"" || quote == "'" else { return nil }
    var result = ""
    var place = text.index(after: text.startIndex)
    while place < text.endIndex {
      let character = text[place]
      let next = text.index(after: place)
      if character == quote {
        guard quote == "'", next < text.endIndex, text[next] == "'" else { return (result, text[next...]) }
        result += "'"
        place = text.index(after: next)
      } else if character == "\\", quote == "\"", next < text.endIndex {
        place = text.index(after: next)
        switch text[next] {
        case "n": result += "\n"
        case "t": result += "\t"
        case "u":
          let digits = text[place...].prefix(4)
          guard digits.count == 4, let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
            break
          }
          result.unicodeScalars.append(scalar)
          place = digits.endIndex
        case let other: result.append(other)
        }
      } else {
        result.append(character)
        place = next
      }
    }
    return nil
  }
}
