public import CatalogModel
internal import SQLite

/// What is wrong with the catalog, or with what was asked of it. Facts; another layer makes words of them.
public enum CatalogError: Error, Hashable {
  // The file.
  case isFolder(String)
  case notReadable(String)
  case cannotMakeFolder(String)
  /// It could not be opened or made.
  case cannotOpen(String)
  /// It can be read and not be written.
  case readOnly(String)
  case notDatabase(String)
  /// A database of another program.
  case foreign(String)
  case damaged(String)
  case newer(String, version: Int, known: Int)
  /// Another program is writing, and did not stop in time.
  case locked(String)
  case diskFull(String)
  case io(String)

  // What was asked.
  case noItem(ItemID)
  case noCard(CardID)
  case emptyCard
  case commentTooLong(Int)
  case emptyTitle
  case yearOutOfRange(Int)
  case notShelved(Kind)
  case noShelfPage(Int, of: Int)
  case noGenre(String)
  /// There is a genre of that name already.
  case genreExists(String)
  /// The first, wanted as a name, is another word for another genre.
  case genreWordTaken(String, by: String, insteadOf: String)
  /// A label that is to mean something else is the name of a genre.
  case labelIsGenre(String)
  /// The first is below the second, which can therefore not go below it.
  case genreCircle(String, isBelow: String)
  /// No name for a genre or a label.
  case badGenreName(String)
  /// A value that the file's rules refuse.
  case refused(String)

  /// The catalog's view of what SQLite said about the file at `path`.
  init(_ error: SQLiteError, path: String) {
    self =
      if error.isBusy { .locked(path) } else if error.isFull { .diskFull(path) } else if error.primaryCode == 26 {
        .notDatabase(path)
      } else if error.isCorrupt { .damaged(path) } else if error.isReadOnly { .readOnly(path) } else if error.cannotOpen
      { .cannotOpen(path) } else if error.isIO { .io(path) } else { .refused(error.message) }
  }
}
