public import CatalogModel

/// A table for another program, as a list of columns. Each format has its own file and a line in ``all``.
public struct OutgoingTable: Sendable {
  /// The id in lower case, for `export`: `letterboxd`.
  public let id: String
  /// The name for the user: `Letterboxd`.
  public let name: String
  /// The kind of items in the table.
  public let kind: Kind
  /// The maximum size of a file in bytes; nil for no limit.
  public let mostBytes: Int?
  private var columns: [Column]
  /// The beginning of the names of columns that the person made at the service; nil if it has none.
  private let ownPrefix: String?
  private let lines: @Sendable (Outgoing) -> [Line]

  /// A column with its name and the text of its cells.
  struct Column: Sendable {
    let name: String
    let value: @Sendable (Line) -> String

    init(_ name: String, _ value: @escaping @Sendable (Line) -> String) { (self.name, self.value) = (name, value) }

    /// Creates a column without a field in the catalog. Its text comes from the note, where an import put it: of
    /// several lines with a text each, the line's own.
    init(_ name: String) {
      self.init(name) { line in
        let texts = line.noted[name] ?? []
        return texts.count == line.of && line.of > 1 ? texts[line.place] : texts.joined(separator: "; ")
      }
    }

    /// A column that stays empty: public numbers, or data that only the service needs.
    static func empty(_ name: String) -> Column { Column(name) { _ in "" } }
  }

  /// The content of a line: an item, optionally with one time, opinion or copy of it.
  struct Line {
    var item: Outgoing
    var time: Entry.Time?
    var opinion: Entry.Opinion?
    var copy: Entry.CopyOwned?
    /// Whether the item had been finished before.
    var isAgain = false
    /// The number of the line in the file, from 1.
    var number = 0
    /// The place of the line among those of the item, from 0, and their number.
    var place = 0
    var of = 1
    /// The texts of columns that an import put into the note, by column.
    var noted: [String: [String]] = [:]

    var record: Record { item.record }
    var entry: Entry { item.entry }

    /// The format of the first copy or of the edition: `Hardcover`.
    var format: String { entry.copies.first?.facts.format ?? noted[OutgoingTable.format]?.first ?? "" }
  }

  /// - Parameter lines: returns the lines of an item; none if the service cannot store it.
  init(
    _ id: String, _ name: String, of kind: Kind, mostBytes: Int? = nil, ownPrefix: String? = nil,
    lines: @escaping @Sendable (Outgoing) -> [Line] = { [Line(item: $0)] }, columns: [Column]
  ) {
    (self.id, self.name, self.kind, self.mostBytes) = (id, name, kind, mostBytes)
    (self.lines, self.columns, self.ownPrefix) = (lines, columns, ownPrefix)
  }

  /// Whether the person may have made columns at the service.
  public var mayHaveOwnColumns: Bool { ownPrefix != nil }

  /// Adds the columns of the person's own that an import put into the note of an item.
  public mutating func addOwnColumns(of item: Outgoing) {
    guard let ownPrefix, let note = item.record.note else { return }
    for part in note.split(separator: "; ") {
      guard part.hasPrefix(ownPrefix), let end = part.firstRange(of: ": "), case let name = part[..<end.lowerBound],
        name.utf8.count <= 100, !columns.contains(where: { $0.name == name })
      else { continue }
      columns.append(Column(String(name)))
    }
  }

  public var header: [String] { columns.map(\.name) }

  /// The cells of the lines of an item.
  /// - Parameter count: the number of lines before them.
  public func rows(of item: Outgoing, behind count: Int = 0) -> [[String]] {
    let noted = noted(in: item.record.note)
    let lines = lines(item)
    return lines.enumerated().map { index, line in
      var line = line
      (line.number, line.noted) = (count + index + 1, noted)
      (line.place, line.of) = (index, lines.count)
      return columns.map { $0.value(line) }
    }
  }

  /// The name in notes for the format of an edition that is not owned.
  private static let format = "Format"

  /// The parts of a note that begin with the name of a column, as imports write them: `Recommended By: Ada; BCID: 7`.
  private func noted(in note: String?) -> [String: [String]] {
    guard let note else { return [:] }
    let names = Set(header).union([Self.format])
    var (texts, column): ([String: [String]], String?) = ([:], nil)
    for part in note.split(separator: "; ").map(String.init) {
      if let end = part.firstRange(of: ": "), names.contains(String(part[..<end.lowerBound])) {
        column = String(part[..<end.lowerBound])
        texts[column ?? "", default: []].append(String(part[end.upperBound...]))
      } else if let column, let last = texts[column]?.popLast() {
        texts[column]?.append("\(last); \(part)")
      }
    }
    return texts
  }

  public static let all = [letterboxd, letterboxdWatchlist, goodreads, storygraph, discogs, imdb]
}
