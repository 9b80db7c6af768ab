public import CatalogModel
internal import Processes

/// A file format of another program.
///
/// Each format has a file in `Formats/` and a line in ``all``. A format recognizes a file by its ``Shape``, never by
/// its name.
protocol FileFormat: Sendable {
  /// The id in lower case, for `--format` and for stored row keys: `letterboxd`.
  var id: String { get }
  /// The name for the user: `Letterboxd`.
  var name: String { get }
  func recognizes(_ shape: Shape) -> Bool
  /// The uses of its columns or members, in their order.
  func uses(in file: InputFile) throws -> [ColumnUse]
  /// Reads the file row by row, without keeping rows in memory.
  /// - Parameter each: receives a row and returns whether to continue.
  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws
  /// Reads the file to its end, to find errors that prevent reading.
  func check(_ file: InputFile) throws
  /// The format after an analysis of the whole file.
  func fitted(to file: InputFile) throws -> any FileFormat
  /// The remarks for the user on how the file is read.
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

public struct ColumnUse: Sendable, Hashable {
  /// The name in the file.
  public var column: String
  public var becomes: Role

  public enum Role: Sendable, Hashable {
    /// A field or another value of the catalog, in the user's words: `rating`.
    case kept(Message)
    /// The text is added to the item's note.
    case noted
    /// The column is ignored, for a reason in the user's words: `what others think`.
    case left(Message)
  }

  public init(_ column: String, _ becomes: Role) { (self.column, self.becomes) = (column, becomes) }
}

/// All formats, the most specific first: the first that recognizes a file is used.
enum Formats {
  static let all: [any FileFormat] = [
    Letterboxd(), CatalogNotes(), TableFormat.catalogListing, TableFormat.goodreads, TableFormat.storyGraph,
    TableFormat.libraryThing,
    TableFormat.discogsCollection,
    TableFormat.discogsWantlist, TableFormat.imdbRatings, TableFormat.imdbList, TableFormat.tmdb, TableFormat.simkl,
    TableFormat.trakt,
    TableFormat.rateYourMusic, NeoDB(), TableFormat.bookWyrm, TableFormat.bookWyrmAccount, TableFormat.openreads,
    TableFormat.jelu,
    TableFormat.hardcover, TableFormat.yamtrack, TableFormat.movieLens, TableFormat.calibre, TableFormat.calibreCatalog,
    TableFormat.beets, TableFormat.beetsJSON, TableFormat.goodbooks, TableFormat.tellico, TableFormat.collectorz,
    TableFormat.delicious1, TableFormat.delicious2, TableFormat.griffith, TableFormat.dataCrow, TableFormat.bibtex,
    TableFormat.ris, TableFormat.zotero, TableFormat.kindle, TableFormat.myAnimeList, TableFormat.aniList,
    TableFormat.criticker, TableFormat.kodi, TableFormat.gcstar, AnyTable(), PlainList(),
  ]
}
