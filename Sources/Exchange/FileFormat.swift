public import CatalogModel
internal import Processes

/// A format of another program that can be read.
///
/// One file a format in `Formats/`, and one line in ``all``. What a file is, its ``Shape`` says; a format knows its own by that,
/// never by the file's name.
protocol FileFormat: Sendable {
  /// In lower case, as `--format` takes it and as the file remembers rows: `letterboxd`.
  var id: String { get }
  /// As a person knows it: `Letterboxd`.
  var name: String { get }
  func recognizes(_ shape: Shape) -> Bool
  /// What becomes of its columns or members, in their order.
  func uses(in file: InputFile) throws -> [ColumnUse]
  /// Reads the file, a row after the other, none kept in memory.
  /// - Parameter each: returning false ends the reading.
  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws
  /// Reads the file to its end, to know that nothing keeps it from being read.
  func check(_ file: InputFile) throws
  /// The format with all that has to be found out of the file first.
  func fitted(to file: InputFile) throws -> any FileFormat
  /// What a person should know of how the file is read.
  var remarks: [Entry.Remark] { get }
}

extension FileFormat {
  func fitted(to file: InputFile) throws -> any FileFormat { self }
  var remarks: [Entry.Remark] { [] }

  func check(_ file: InputFile) throws {
    try read(file) { _ in
      try Interrupt.check()
      return true
    }
  }
}

/// What becomes of a column.
public struct ColumnUse: Sendable, Hashable {
  /// As it stands in the file.
  public var column: String
  public var becomes: Fate

  public enum Fate: Sendable, Hashable {
    /// A field or a thing of the catalog, in a person's words: `rating`.
    case kept(Wording)
    /// Its text stands in the item's note.
    case noted
    /// It is left out for a reason, in a person's words: `what others think`.
    case left(Wording)
  }

  public init(_ column: String, _ becomes: Fate) { (self.column, self.becomes) = (column, becomes) }
}

/// All formats, the most particular first: what one knows, no later one is asked about.
enum Formats {
  static let all: [any FileFormat] = [
    Letterboxd(), CatalogNotes(), TableFormat.catalogListing, TableFormat.goodreads, TableFormat.storyGraph, TableFormat.libraryThing,
    TableFormat.discogsCollection,
    TableFormat.discogsWantlist, TableFormat.imdbRatings, TableFormat.imdbList, TableFormat.tmdb, TableFormat.trakt,
    TableFormat.rateYourMusic, NeoDB(), TableFormat.bookWyrm, TableFormat.bookWyrmAccount, TableFormat.openreads,
    TableFormat.jelu,
    TableFormat.hardcover, TableFormat.yamtrack, TableFormat.movieLens, TableFormat.calibre, TableFormat.calibreCatalog,
    TableFormat.beets, TableFormat.beetsJSON, TableFormat.goodbooks, Tellico(), TableFormat.collectorz,
    TableFormat.delicious1, TableFormat.delicious2, TableFormat.griffith, TableFormat.dataCrow, AnyTable(), PlainList(),
  ]
}
