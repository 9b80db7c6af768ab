public import CatalogModel

/// A table that another program reads, as a list of columns: one file a format, and one line in ``all``.
public struct OutgoingTable: Sendable {
  /// In lower case, as `export` takes it: `letterboxd`.
  public let id: String
  /// As a person knows it: `Letterboxd`.
  public let name: String
  /// What can go there.
  public let kinds: Set<Kind>
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

    var record: Record { item.record }
    var entry: Entry { item.entry }
  }

  /// - Parameter lines: what an item becomes; none where the service has no place for it.
  init(
    _ id: String, _ name: String, of kind: Kind, mostBytes: Int? = nil,
    lines: @escaping @Sendable (Outgoing) -> [Line] = { [Line(item: $0)] }, columns: [Column]
  ) {
    (self.id, self.name, kinds, self.mostBytes) = (id, name, [kind], mostBytes)
    (self.lines, self.columns) = (lines, columns)
  }

  /// The names of the columns.
  public var header: [String] { columns.map(\.name) }

  /// The cells of the lines of an item.
  public func rows(of item: Outgoing) -> [[String]] { lines(item).map { line in columns.map { $0.value(line) } } }

  public static let all = [letterboxd, letterboxdWatchlist, goodreads, storygraph, discogs, imdb]
}
