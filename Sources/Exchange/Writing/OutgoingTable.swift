public import CatalogModel

/// A table that another program reads, as a list of columns: one file a format, and one line in ``all``.
public struct OutgoingTable: Sendable {
  /// In lower case, as `export` takes it: `letterboxd`.
  public let id: String
  /// As a person knows it: `Letterboxd`.
  public let name: String
  /// What can go there.
  public let kind: Kind
  /// How large a file of it may be, in bytes; nil where nobody minds.
  public let mostBytes: Int?
  private let columns: [Column]
  private let lines: @Sendable (Outgoing) -> [Line]

  /// A column: its name, and the text of its cells.
  struct Column: Sendable {
    let name: String
    let value: @Sendable (Line) -> String

    init(_ name: String, _ value: @escaping @Sendable (Line) -> String) { (self.name, self.value) = (name, value) }

    /// A column that the catalog has no place for: the text that an import put into the note.
    init(_ name: String) { self.init(name) { $0.noted[name]?.joined(separator: "; ") ?? "" } }

    /// A column that nobody needs back: what others think, or what only the service needs.
    static func empty(_ name: String) -> Column { Column(name) { _ in "" } }
  }

  /// What a line is about: an item, or of it one time, one opinion, or one copy.
  struct Line {
    var item: Outgoing
    var time: Entry.Time?
    var opinion: Entry.Opinion?
    var copy: Entry.CopyOwned?
    /// Whether the item had been finished before.
    var isAgain = false
    /// Which line of the file it is, from 1 on.
    var number = 0
    /// The texts of columns that an import put into the note, by column.
    var noted: [String: [String]] = [:]

    var record: Record { item.record }
    var entry: Entry { item.entry }

    /// `Hardcover`: the format of the first copy, or of the edition.
    var format: String { entry.copies.first?.facts.format ?? noted[OutgoingTable.format]?.first ?? "" }
  }

  /// - Parameter lines: what an item becomes; none where the service has no place for it.
  init(
    _ id: String, _ name: String, of kind: Kind, mostBytes: Int? = nil,
    lines: @escaping @Sendable (Outgoing) -> [Line] = { [Line(item: $0)] }, columns: [Column]
  ) {
    (self.id, self.name, self.kind, self.mostBytes) = (id, name, kind, mostBytes)
    (self.lines, self.columns) = (lines, columns)
  }

  /// The names of the columns.
  public var header: [String] { columns.map(\.name) }

  /// The cells of the lines of an item.
  /// - Parameter count: how many lines stand before them.
  public func rows(of item: Outgoing, behind count: Int = 0) -> [[String]] {
    let noted = noted(in: item.record.note)
    return lines(item).enumerated().map { index, line in
      var line = line
      (line.number, line.noted) = (count + index + 1, noted)
      return columns.map { $0.value(line) }
    }
  }

  /// The name under which the note has the format of an edition that nobody owns.
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
