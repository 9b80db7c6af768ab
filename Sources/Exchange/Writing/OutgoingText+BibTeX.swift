internal import CatalogModel

// <https://ctan.org/pkg/bibtex>; UTF-8, as BibLaTeX and today's LaTeX read it.
extension OutgoingText {
  static let bibtex = OutgoingText("bibtex", "BibTeX", of: .book) { item, clean in
    let (record, book) = (item.record, item.record.book)
    let fields: [(String, String?)] = [
      ("title", clean(record.title).inBraces(keepsCase: true)),
      ("author", item.names(.author).map(clean).asAuthors),
      ("translator", item.names(.translator).map(clean).asAuthors),
      ("series", book.series.map { clean($0).inBraces() }),
      ("publisher", book.publisher.map { clean($0).inBraces() }),
      ("year", (book.published?.year ?? item.year).map { "{\($0)}" }),
      ("isbn", book.isbn.map { "{\($0.digits13)}" }),
      ("pagetotal", book.pages.map { "{\($0)}" }),
      ("langid", book.language.map { clean($0).inBraces() }),
      ("url", record.url.map { "{\(clean($0).filter { !"{}\\".contains($0) && !$0.isNewline })}" }),
      (
        "keywords",
        (item.genres + item.entry.tags).isEmpty
          ? nil : (item.genres + item.entry.tags).map(clean).joined(separator: ", ").inBraces()
      ),
    ]
    let lines = fields.compactMap { name, value in value.map { "  \(name) = \($0)" } }
    return "@book{\(item.citationKey),\n\(lines.joined(separator: ",\n"))\n}\n\n"
  }
}

extension Outgoing {
  /// The ASCII key for citations: `herbert-1965-dune-42`. The item's number makes it unique and keeps it stable.
  var citationKey: String {
    let name = names(.author).first ?? ""
    let author = (PartedName(name)?.last ?? name).split(separator: " ").last.map(String.init) ?? ""
    let words = [author, year.map { String($0.magnitude) } ?? "", record.title]
    let parts = words.map { Self.key($0) }.filter { !$0.isEmpty }
    return (parts + ["\(id)"]).joined(separator: "-")
  }

  /// The first three ASCII words of a text.
  private static func key(_ text: String) -> String {
    let words = Folding.fold(text).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.prefix(3).joined(separator: "-")
  }
}

extension [String] {
  /// The names joined by `and`, each in braces if BibTeX would read it as two.
  fileprivate var asAuthors: String? {
    guard !isEmpty else { return nil }
    let names = map { name in
      let isOdd = name.contains(",") || name.lowercased().split(separator: " ").contains("and")
      // BibTeX reads `King, Jr., Martin Luther` as a person. Other names with a comma are companies.
      if let parts = PartedName(name), name.contains(",") || parts.suffix != nil || parts.last.contains(" ") {
        return [parts.last, parts.suffix, parts.first].compactMap { $0?.asTeX }.joined(separator: ", ")
      }
      return isOdd ? "{\(name.asTeX)}" : name.asTeX
    }
    return "{\(names.joined(separator: " and "))}"
  }
}

extension String {
  /// The text in braces; a second pair keeps capital letters.
  fileprivate func inBraces(keepsCase: Bool = false) -> String { keepsCase ? "{{\(asTeX)}}" : "{\(asTeX)}" }

  /// The text in one line, with the special characters of TeX escaped.
  fileprivate var asTeX: String {
    var text = ""
    for character in self {
      switch character {
      case "\\": text += #"\textbackslash{}"#
      case "{", "}", "&", "%", "$", "#", "_": text += "\\\(character)"
      case "~": text += #"\textasciitilde{}"#
      case "^": text += #"\textasciicircum{}"#
      case _ where character.isNewline: text += " "
      // Two of them would be another sign.
      case "-", "'", "`": text += text.last == character ? "{}\(character)" : "\(character)"
      default: text.append(character)
      }
    }
    return text
  }
}
