internal import CResources
internal import CatalogModel
internal import Lookup

/// The columns of a format whose headings are known: Data/formats.tsv.
struct FormatColumns {
  /// The targets by the ``Cells/key(_:)`` of a heading.
  private(set) var exact: [String: ColumnMapping] = [:]
  /// The targets of headings that begin with a key.
  private(set) var prefixes: [(String, ColumnMapping)] = []
  /// The fields of the file that are none.
  private(set) var unknown: [String] = []

  /// - Parameter own: the meanings that only this format has.
  init(of format: String, own: [String: ColumnMapping]) {
    for (field, headings) in Self.all[format] ?? [] {
      guard let target = own[field] ?? .inFormats(field) else {
        unknown.append(field)
        continue
      }
      for heading in headings {
        if heading.hasSuffix("*") {
          prefixes.append((Cells.key(String(heading.dropLast())), target))
        } else if case let key = Cells.key(heading), exact[key] == nil {
          exact[key] = target
        }
      }
    }
  }

  /// The fields of each format, with their headings.
  static let all: [String: [(field: String, headings: [String])]] = {
    var all: [String: [(field: String, headings: [String])]] = [:]
    for line in catalog_formats().rows where line.count == 3 {
      let headings = line[2].split(separator: ";").map { String($0.trimmed) }
      for format in line[0].split(separator: " ") {
        all[String(format), default: []].append((String(line[1]), headings))
      }
    }
    return all
  }()
}

extension catalog_resource {
  /// The cells of its lines, without comments.
  var rows: [[Substring]] { lines.map { $0.split(separator: "\t") } }
}

extension ColumnMapping {
  /// The target of a field in Data/formats.tsv: `genre ,;`, `released mdy`, `later author`, `id:imdb`.
  static func inFormats(_ field: String) -> ColumnMapping? {
    if field.hasPrefix("later ") { return inFormats(String(field.dropFirst(6)))?.later }
    if field.hasPrefix("id:") {
      let parts = field.dropFirst(3).split(separator: "/", maxSplits: 1).map(String.init)
      return parts.first.map { .id($0, parts.count > 1 ? "\(parts[1])/" : "") }
    }
    let words = field.split(separator: " ", maxSplits: 1).map(String.init)
    guard let target = words.first.flatMap({ byName[$0] }), words.count == 2 else { return byName[field] }
    let marks = words[1].replacing("\\n", with: "\n")
    return DateOrder(rawValue: words[1]).map { target.written($0) }
      ?? (target.id == genre.id ? genres(of: marks) : target.each(of: marks))
  }

  private static let byName: [String: ColumnMapping] = {
    let usual = [
      title, subtitle, originalTitle, otherTitle, kind, creator, director, author, artist, translator, cast, year,
      released, summary, url, genre, imdb, language, country, minutes, isbn, publisher, published, pages, series,
      seriesNumber, barcode, label, catalogNumber, format, discs, ratedOn, review, reviewTitle, status, started,
      finished, droppedOn, isDone, count, again, remark, tags, pile, favorite, addedOn, owned, media, sleeve, place,
      price,
      acquiredOn, acquiredFrom, copyNote, holder, lentOn, wishNote, note,
    ]
    let variants: [String: ColumnMapping] = [
      "makers": .makers(), "makers-in-order": .makers(nil, .firstLast), "other-isbn": otherISBN,
      "rating": .rating(.asWritten), "rating-5": .rating(.five), "rating-10": .rating(.ten), "shelf": shelf,
      "tag": tag, "lists": piles, "others": others,
      "repeated": repeated, "ignore": inside,
      "tracks": left("its tracks come from the sources"), "old-price": left("it is an old price of a shop"),
      "type": left("it only distinguishes movies from series"), "episode": left("only series have one"),
    ]
    return Dictionary(usual.map { ($0.id, $0) }) { first, _ in first }.merging(variants) { $1 }
  }()
}
