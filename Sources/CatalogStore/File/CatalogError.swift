public import CatalogModel
internal import Glibc
public import SQLite

/// An error of the catalog or of a request. It holds facts; another layer words the message.
public enum CatalogError: Error, Hashable {
  // Errors of the file.
  case isFolder(String)
  /// A pipe, a device or a socket.
  case isSpecial(String)
  case notReadable(String)
  /// The path leads nowhere, with this `errno`.
  case unreachable(String, Int32)
  case cannotMakeFolder(String)
  /// The file could not be opened or created.
  case cannotOpen(String)
  /// The file can be read but not written.
  case readOnly(String)
  case notDatabase(String)
  /// A database of another program.
  case foreign(String)
  case damaged(String)
  /// Something other than a regular file is at this path, where SQLite keeps a journal.
  case obstructed(String)
  /// SQLite would take a file of this name for a part of the database.
  case isJournal(String, of: String)
  /// A value in the file is larger than any that a catalog keeps.
  case tooLargeValue(String)
  /// A view or trigger from another program does not end.
  case endless(String)
  /// The tables do not match the schema version of the file; the second value is SQLite's message.
  case otherSchema(String, String)
  case newer(String, version: Int, known: Int)
  /// Another program is writing, and did not finish in time.
  case locked(String)
  case diskFull(String)
  /// The process or the file system limits the size of files.
  case tooLarge(String)
  case io(String)
  /// The catalog must be migrated, and the copy to be kept of it cannot be made.
  indirect case notCopied(String, because: CatalogError)

  // Errors of requests.
  case noItem(ItemID)
  case noCard(CardID)
  case emptyCard
  case commentTooLong(Int)
  case noCopy(CopyID)
  /// A grade for sleeves was given for a record.
  case sleeveOnly(Grade)
  /// A note or another text is too long; the value is its number of characters.
  case noteTooLong(Int)
  /// Only a vinyl record can represent its owner.
  case notRecord(ItemID)
  /// The card belongs to a diary entry, which has the date.
  case cardOfEntry(CardID, LogEntryID)
  case noEntry(LogEntryID)
  case noImport(Int64)
  /// No sync conflict has this number.
  case noConflict(Int64)
  /// Another diary entry of the item is in progress.
  case inProgressAlready(LogEntryID)
  /// An entry in progress cannot have an end.
  case inProgressWithEnd(LogEntryID)
  /// The first date is after the second, as far as both are known.
  case endsBeforeStart(PartialDate, PartialDate)
  /// The date is in the future.
  case yetToCome(PartialDate)
  case pageOfNoBook(Kind)
  case pageBeyond(Int, of: Int)
  case emptyTitle
  case yearOutOfRange(Int)
  case notShelved(Kind)
  case noShelfPage(Int, of: Int)
  /// One item was given where two are needed.
  case sameItem(ItemID)
  /// The items are of different kinds, so they can be neither merged nor linked as editions.
  case otherKind(ItemID, ItemID)
  /// The catalog has changed since the user confirmed.
  case changedMeanwhile
  case noGenre(String)
  /// A genre with this name exists.
  case genreExists(String)
  /// The first name is a synonym of another genre.
  case genreWordTaken(String, by: String, insteadOf: String)
  /// The label is the name of a genre, so it cannot mean something else.
  case labelIsGenre(String)
  /// The first genre is below the second, so the second cannot go below the first.
  case genreCircle(String, isBelow: String)
  /// The name is not valid for a genre or a label.
  case badGenreName(String)
  /// The name of a tag, pile or saved query is empty.
  case emptyName
  /// The name of a tag, pile or saved query is too long; the value is its number of characters.
  case nameTooLong(Int)
  /// The name of a saved query is a number, which would mean a recent view.
  case nameOfDigits(String)
  case emptyQuery
  case noTag(String)
  /// A tag with this name exists.
  case tagExists(String)
  case noPile(String)
  /// The item is not on the pile with this name.
  case notOnPile(ItemID, String)
  case noWish(WishID)
  /// A wish in words has none.
  case emptyWish
  /// The wish is already for an item.
  case wishIsTied(WishID)
  /// The item already has an open wish.
  case wishedAlready(ItemID, by: WishID)
  /// The copy is lent out.
  case copyIsOut(CopyID, Copy.Holder)
  /// The copy is not lent out.
  case copyIsIn(CopyID)
  case dueBeforeLent(PartialDate, lent: PartialDate)
  case backBeforeLent(PartialDate, lent: PartialDate)
  case noSavedQuery(String)
  /// A saved query with this name exists.
  case savedQueryExists(String)
  /// The first query is used in the second, which would become invalid.
  case savedQueryInUse(String, by: String)
  /// Only an empty catalog can be restored from a file.
  case notEmpty
  /// SQLite rejected a value, with this message.
  case refused(String)

  // Errors of the history.
  case noOperation(Int64)
  /// Fewer operations can be undone, or redone, than requested. The value is how many can.
  case tooFewOperations(Int, isUndo: Bool)
  /// Another program changed the catalog while the user was asked.
  case historyWentOn
  /// The stored changes of the operation are damaged.
  case operationUnreadable(Int64)
  /// The operation was recorded with other tables, by another version.
  case operationIsOfOtherTables(Int64)
  /// Rows would belong to another row of this table than before: its number or name was reused.
  case operationIsBlocked(Int64, table: String)
  /// A row that the operation would restore belongs to a row that no longer exists.
  case operationHasForeignKeyViolations

  /// Converts an error of SQLite about the file at `path`.
  public init(_ error: SQLiteError, path: String) {
    self =
      switch true {
      case _ where error.obstacle == path: .isSpecial(path)
      case _ where error.obstacle != nil: .obstructed(error.obstacle ?? path)
      case error.isEndless: .endless(path)
      case error.isTooBig: .tooLargeValue(path)
      case error.isBusy: .locked(path)
      case error.isFull: .diskFull(path)
      case error.isNotDatabase: .notDatabase(path)
      case error.isCorrupt: .damaged(path)
      case error.isReadOnly: .readOnly(path)
      // SQLite has one code for a broken disk, a used-up quota and a file that may not grow.
      case error.findsNoRoom: CatalogError(error.systemCode, path: path)
      case error.isOfDisk: .io(path)
      case error.cannotOpen: .cannotOpen(path)
      case error.isGeneral: .otherSchema(path, error.message)
      default: .refused(error.message)
      }
  }

  /// Converts an `errno` about the file at `path`.
  init(_ code: Int32, path: String) {
    self =
      switch code {
      case ENOSPC, EDQUOT: .diskFull(path)
      case EFBIG: .tooLarge(path)
      case EROFS, EACCES, EPERM: .cannotOpen(path)
      case ENOTDIR, ELOOP, ENAMETOOLONG, ENOENT: .unreachable(path, code)
      default: .io(path)
      }
  }
}
