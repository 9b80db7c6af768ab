public import CatalogModel
internal import Glibc
public import SQLite

/// What is wrong with the catalog, or with what was asked of it. Facts; another layer makes words of them.
public enum CatalogError: Error, Hashable {
  // The file.
  case isFolder(String)
  /// A pipe, a device or a socket.
  case isSpecial(String)
  case notReadable(String)
  /// The way there leads nowhere, for this `errno`.
  case unreachable(String, Int32)
  case cannotMakeFolder(String)
  /// It could not be opened or made.
  case cannotOpen(String)
  /// It can be read and not be written.
  case readOnly(String)
  case notDatabase(String)
  /// A database of another program.
  case foreign(String)
  case damaged(String)
  /// What is no ordinary file lies at this path, where SQLite keeps a journal.
  case obstructed(String)
  /// A value in it is larger than any that a catalog keeps.
  case tooLargeValue(String)
  /// A view or a trigger of others' does not end.
  case endless(String)
  /// Its tables are not those of its version: what SQLite said.
  case otherSchema(String, String)
  case newer(String, version: Int, known: Int)
  /// Another program is writing, and did not stop in time.
  case locked(String)
  case diskFull(String)
  /// A limit of the process or the file system says how large a file may be.
  case tooLarge(String)
  case io(String)
  /// An older catalog cannot be brought up to date, because the copy that is kept of it cannot be made.
  indirect case notCopied(String, because: CatalogError)

  // What was asked.
  case noItem(ItemID)
  case noCard(CardID)
  case emptyCard
  case commentTooLong(Int)
  case noCopy(CopyID)
  /// What is said of sleeves alone, said of a record.
  case sleeveOnly(Grade)
  /// A note, or another text beside it, of so many characters.
  case noteTooLong(Int)
  /// Only a record can represent its owner.
  case notRecord(ItemID)
  /// The date of a card that was written for an entry of the diary is the entry's.
  case cardOfEntry(CardID, LogEntryID)
  case noEntry(LogEntryID)
  case noImport(Int64)
  /// Nothing that two devices said differently has this number.
  case noConflict(Int64)
  /// Something else of the item is in progress.
  case inProgressAlready(LogEntryID)
  /// What is in progress has no end.
  case inProgressWithEnd(LogEntryID)
  /// The first date is behind the second, as far as both are known.
  case endsBeforeStart(PartialDate, PartialDate)
  /// Nothing was seen on a day that is yet to come.
  case yetToCome(PartialDate)
  case pageOfNoBook(Kind)
  case pageBeyond(Int, of: Int)
  case emptyTitle
  case yearOutOfRange(Int)
  case notShelved(Kind)
  case noShelfPage(Int, of: Int)
  /// One item where two are needed.
  case sameItem(ItemID)
  /// The two are of two kinds, and so are neither one thing nor editions of one work.
  case otherKind(ItemID, ItemID)
  /// It is not any more what a person agreed to.
  case changedMeanwhile
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
  /// No name for a tag, a pile or a saved query.
  case emptyName
  /// The same, with so many characters.
  case nameTooLong(Int)
  /// The name of a saved query, which would be a recent.
  case nameOfDigits(String)
  case emptyQuery
  case noTag(String)
  /// There is a tag of that name already.
  case tagExists(String)
  case noPile(String)
  /// The item is not on the pile of that name.
  case notOnPile(ItemID, String)
  case noWish(WishID)
  /// A wish by words, without any.
  case emptyWish
  /// A wish that is for an item already.
  case wishIsTied(WishID)
  /// What is wished for already.
  case wishedAlready(ItemID, by: WishID)
  /// A copy that somebody has.
  case copyIsOut(CopyID, Copy.Holder)
  /// A copy that nobody has.
  case copyIsIn(CopyID)
  case dueBeforeLent(PartialDate, lent: PartialDate)
  case backBeforeLent(PartialDate, lent: PartialDate)
  case noSavedQuery(String)
  /// There is a saved query of that name already.
  case savedQueryExists(String)
  /// The first stands within the second, which would be no query any more.
  case savedQueryInUse(String, by: String)
  /// Only an empty catalog can become what a file says.
  case notEmpty
  /// A value that the file's rules refuse.
  case refused(String)

  // The history.
  case noStep(Int64)
  /// So many steps can be undone, or made again.
  case tooFewSteps(Int, isUndo: Bool)
  /// Another program changed the catalog while a question stood.
  case historyWentOn
  /// What is kept of a step is damaged.
  case stepUnreadable(Int64)
  /// A step of a version whose tables were others.
  case stepIsOfOtherTables(Int64)
  /// Rows would belong to another row of this table than they did: its number or name was taken since.
  case stepStandsAgainst(Int64, table: String)
  /// Something that the step would bring back belongs to what is not there any more.
  case stepHasLooseEnds

  /// The catalog's view of what SQLite said about the file at `path`.
  public init(_ error: SQLiteError, path: String) {
    self =
      switch true {
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

  /// The catalog's view of an `errno` about the file at `path`.
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
