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

  /// A column: its name, and what stands in it.
  struct Column: Sendable {
    let name: String
    let value: @Sendable (Line) -> String

    init(_ name: String, _ value: @escaping @Sendable (Line) -> String = { _ in "" }) {
      (self.name, self.value) = (name, value)
    }
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

    var record: Record { item.record }
    var entry: Entry { item.entry }
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
    lines(item).enumerated().map { index, line in
      var line = line
      line.number = count + index + 1
      return columns.map { $0.value(line) }
    }
  }

  public static let all = [letterboxd, letterboxdWatchlist, goodreads, storygraph, discogs, imdb]
}
