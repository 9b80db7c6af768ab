internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import SQLite

/// A template of a line with fields: `$title ($year)`, `${creator}: $title`. `$$` is a dollar sign, `\t` a tab, `\n` a
/// line end and `\\` a backslash.
struct ListingTemplate: Sendable, Equatable, ArgumentValue {
  enum Part: Sendable, Equatable {
    case text(String)
    /// The index of a field in ``fields``.
    case field(Int)
  }

  private(set) var parts: [Part] = []
  /// The fields in the order of the template.
  private(set) var fields: [Field] = []

  static var valueName: String? { "TEXT" }

  /// - Throws: ``UsageError`` for an unknown field, or a missing closing brace.
  init(argument text: String) throws {
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      append(rest[..<dollar])
      rest = rest[dollar...].dropFirst()
      if rest.first == "$" {
        append("$")
        rest = rest.dropFirst()
      } else if rest.first == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw UsageError("\(text.quoted) lacks a closing brace", hint: "for example: '${title} (${year})'")
        }
        try append(field: rest[..<end].dropFirst())
        rest = rest[end...].dropFirst()
      } else {
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
        guard !name.isEmpty else {
          throw UsageError("'$' is not followed by a field in \(text.quoted)", hint: "'$$' is a dollar sign")
        }
        try append(field: name)
        rest = rest[name.endIndex...]
      }
    }
    append(rest)
  }

  private mutating func append(_ text: Substring) {
    if !text.isEmpty { parts.append(.text(Self.unescaped(text))) }
  }

  /// Replaces escapes; a backslash before any other character is kept.
  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let backslash = rest.firstIndex(of: "\\") {
      result += rest[..<backslash]
      rest = rest[backslash...].dropFirst()
      switch rest.first {
      case "t": result += "\t"
      case "n": result += "\n"
      case "\\": result += "\\"
      default:
        result += "\\"
        continue
      }
      rest = rest.dropFirst()
    }
    return result + rest
  }

  private mutating func append(field name: Substring) throws {
    parts.append(.field(fields.count))
    fields.append(try Field(argument: String(name)))
  }

  /// Writes the line of a row whose columns are ``fields``, with ratings as stars.
  func write(_ row: Cursor, to line: inout ListingLine) {
    for part in parts {
      switch part {
      case .text(let text): line.append(text: text)
      case .field(let place) where fields[place] == .rating:
        line.append(text: fields[place].shown(row, place, at: .utc))
      case .field(let place): line.appendText(fields[place].form, of: row, at: place)
      }
    }
  }
}
