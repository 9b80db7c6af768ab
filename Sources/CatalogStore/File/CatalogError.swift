public import CatalogModel
internal import Glibc
public import SQLite

/// An error of a catalog, with its words for the user: one of its file, a name or number that nothing has, or a request
/// that cannot be carried out.
public enum CatalogError: MessageError, Hashable {
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

  // Numbers and names that nothing has.
  case noItem(ItemID)
  case noGenre(String)
  case noTag(String)
  case noPile(String)
  case noSavedQuery(String)

  /// The first date is after the second, as far as both are known.
  case endsBeforeStart(PartialDate, PartialDate)
  /// SQLite rejected a value, with this message.
  case refused(String)
  /// Another request that cannot be carried out. It is misused when other words would be understood.
  case request(Message, hint: Message?, isMisused: Bool)

  public var message: Message { words.message }
  /// The advice on what to type next.
  public var hint: Message? { words.hint }

  /// Whether the words of the user are wrong, not the state of the catalog.
  public var isMisuse: Bool {
    switch self {
    case .request(_, _, let isMisused): isMisused
    case .endsBeforeStart: true
    default: false
    }
  }

  /// Whether reading or writing stopped half-way.
  public var stoppedHalfway: Bool {
    switch self {
    case .diskFull, .tooLarge, .io, .notCopied: true
    default: false
    }
  }

  private var words: (message: Message, hint: Message?) {
    // The place of the error may not know the file.
    func named(_ path: String) -> Message { path.isEmpty ? "the catalog" : "the catalog \(path.quoted)" }
    return switch self {
    case .isFolder(let path):
      ("\(path.quoted) is a folder, not a catalog file", "name a file in it: --db \(path)/catalog.db")
    case .isSpecial(let path):
      ("\(path.quoted) is not a regular file, and was left unchanged", "name another file with --db FILE")
    case .unreachable(let path, let code):
      (
        Message(verbatim: "cannot reach \(path.quoted): \(String(cString: strerror(code)))"),
        "use another place: --db FILE, or set CATALOG_DB"
      )
    case .notReadable(let path):
      ("\(path.quoted) cannot be read", "check who may read it: ls -l \(path)")
    case .cannotMakeFolder(let path):
      ("the folder \(path.quoted) cannot be made", "use another place: --db FILE, or set CATALOG_DB")
    case .cannotOpen(let path):
      ("\(named(path)) cannot be opened or made", "use another place: --db FILE, or set CATALOG_DB")
    case .readOnly(let path):
      ("\(named(path)) cannot be written", "check who may write it and its folder: ls -ld")
    case .notDatabase(let path):
      ("\(path.quoted) is not a catalog: it is not an SQLite file", "name another file with --db FILE")
    case .foreign(let path):
      ("\(path.quoted) is a database of another program; it was not touched", "name another file with --db FILE")
    case .damaged(let path):
      (
        "\(named(path)) is damaged",
        """
        'catalog doctor' says more; 'sqlite3 FILE .recover' may save it; a backup goes back with: catalog restore FILE
        """
      )
    case .obstructed(let path):
      (
        "\(path.quoted) is in the way: SQLite keeps the journal of the catalog there, and it is not a regular file",
        "check what it is, and move it away: ls -ld \(path.shellWord)"
      )
    case .isJournal(let path, let owner):
      ("\(path.quoted) is where SQLite keeps the journal of \(owner.quoted)", "name another file with --db FILE")
    case .tooLargeValue(let path):
      ("\(named(path)) has a value that is too large for a catalog", "'catalog doctor' says more")
    case .endless(let path):
      (
        "\(named(path)) has a view or a trigger that never ends and was not made by this program",
        "'catalog doctor' names it; remove it with sqlite3"
      )
    case .otherSchema(let path, let words):
      ("\(named(path)) has an unexpected structure: \(words)", "'catalog doctor' says more")
    case .newer(let path, let version, let known):
      (
        "\(named(path)) was written by a newer program (version \(version), this one knows \(known))",
        "upgrade catalog; the file was not touched"
      )
    case .locked:
      ("another program is writing to the catalog", "try again when it is done")
    case .diskFull: ("the disk is full", "make room and try again")
    case .tooLarge(let path):
      ("\(named(path)) cannot grow: a limit was reached", "see what the limit is: ulimit -f")
    case .io(let path):
      ("reading or writing \(named(path)) failed", "check the disk")
    case .notCopied(let path, let error):
      (
        """
        \(named(path)) has an older format, and could not be copied before its conversion: \(error.message)
        """, error.hint
      )
    case .noItem(let id): ("there is no item \(id)", "find its number with 'catalog list WORDS'")
    case .endsBeforeStart(let start, let end):
      ("it ends on \(end.description), before it starts on \(start.description)", "check --on and --started")
    case .noGenre(let name):
      ("there is no genre \(name.quoted)", "see them all: catalog genre list --all")
    case .noTag(let name): ("there is no tag \(name.quoted)", "see them all: catalog tags")
    case .noPile(let name): ("there is no pile \(name.quoted)", "see them all: catalog pile list")
    case .noSavedQuery(let name):
      ("there is no saved query \(name.quoted)", "'catalog shelf saved' lists them")
    case .refused(let message): ("the catalog cannot store that: \(message)", nil)
    case .request(let message, let hint, _): (message, hint)
    }
  }

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

// MARK: - Requests

extension CatalogError {
  private static func failed(_ message: Message, hint: Message? = nil) -> Self {
    .request(message, hint: hint, isMisused: false)
  }

  private static func misused(_ message: Message, hint: Message? = nil) -> Self {
    .request(message, hint: hint, isMisused: true)
  }

  public static func noCard(_ id: CardID) -> Self {
    failed("there is no card \(id)", hint: "find its number with 'catalog card list'")
  }

  public static var emptyCard: Self {
    misused(
      "a card needs a rating or words", hint: "for example: catalog card add 42 --stars 4.5 \"again!\"")
  }

  public static func commentTooLong(_ length: Int) -> Self {
    misused("the comment has \(length) characters; at most \(Card.longestComment) fit")
  }

  public static func noCopy(_ id: CopyID) -> Self {
    failed("there is no copy \(id)", hint: "find its number with 'catalog copy list'")
  }

  public static func sleeveOnly(_ grade: Grade) -> Self {
    misused(
      "\(grade.rawValue.quoted) is a grade for sleeves only", hint: "use --sleeve for it")
  }

  /// A note or another text is too long; the value is its number of characters.
  public static func noteTooLong(_ length: Int) -> Self {
    misused("the text has \(length) characters; at most \(Copy.longestNote) fit")
  }

  public static func notRecord(_ id: ItemID) -> Self {
    misused("item \(id) is not a record", hint: "find one: catalog vinyl")
  }

  public static func cardOfEntry(_ card: CardID, _ entry: LogEntryID) -> Self {
    failed(
      "card \(card) belongs to entry \(entry) of the diary, and the entry has the date",
      hint: "catalog diary edit \(entry) --on DATE")
  }

  public static func noEntry(_ id: LogEntryID) -> Self {
    failed("there is no entry \(id) in the diary", hint: "find its number with 'catalog diary'")
  }

  public static func inProgressAlready(_ id: LogEntryID) -> Self {
    failed(
      "entry \(id) is in progress already",
      hint: "one at a time: finish it with 'catalog log REF', or 'catalog diary edit \(id) --done'")
  }

  public static func inProgressWithEnd(_ id: LogEntryID) -> Self {
    misused(
      "an entry in progress has no end date", hint: "finish it: catalog diary edit \(id) --done --on DATE")
  }

  public static func yetToCome(_ date: PartialDate) -> Self {
    misused(
      "\(date.description) is in the future: the diary is for what has happened",
      hint: "give a date up to today, or --undated")
  }

  public static func pageOfNoBook(_ kind: Kind) -> Self {
    misused(
      "\(kind.things) have no pages: only books do", hint: "leave out --page; for something unfinished use --ongoing")
  }

  public static func pageBeyond(_ page: Int, of pages: Int) -> Self {
    misused(
      "there is no page \(page): the book has \(pages.counted("page", "pages"))",
      hint: "if that is wrong: catalog edit REF pages=N")
  }

  public static var emptyTitle: Self { misused("the title is empty", hint: "give one with --title") }

  public static func yearOutOfRange(_ year: Int) -> Self {
    misused(
      "\(year) is out of range: years go from \(ReleaseYear.range.lowerBound) to \(ReleaseYear.range.upperBound)")
  }

  public static func notShelved(_ kind: Kind) -> Self {
    failed(
      "\(kind.plurals) cannot be shelved: movies, books and vinyl can",
      hint: kind == .music ? "shelve the album as a record: add --as vinyl" : nil)
  }

  public static func noShelfPage(_ number: Int, of pages: Int) -> Self {
    failed("there is no page \(number): the shelf has \(pages.counted("page", "pages"))")
  }

  public static func sameItem(_ id: ItemID) -> Self {
    misused("item \(id) is named twice", hint: "name two different items")
  }

  public static func otherKind(_ one: ItemID, _ other: ItemID) -> Self {
    misused(
      "items \(one) and \(other) are of different kinds", hint: "both must be movies, books or records")
  }

  public static var changedMeanwhile: Self {
    failed("it was changed elsewhere in the meantime", hint: "look at it again: catalog show NUMBER")
  }

  public static var emptyName: Self { misused("the name is empty") }

  /// The name of a tag, pile or saved query is too long; the value is its number of characters.
  public static func nameTooLong(_ length: Int) -> Self {
    misused("the name has \(length) characters; at most \(Store.longestName) fit")
  }

  public static func nameOfDigits(_ name: String) -> Self {
    misused(
      "\(name.quoted) cannot be the name of a query: \("@\(name)".quoted) is a recent item",
      hint: "add a letter")
  }

  public static var emptyQuery: Self {
    misused("the query is empty", hint: "for example: catalog shelf save fresh added:-2w..")
  }

  /// A tag with this name exists.
  public static func tagExists(_ name: String) -> Self {
    failed(
      "the tag \(name.quoted) was created in the meantime",
      hint: "run the command again; it asks whether to merge them")
  }

  public static func notOnPile(_ id: ItemID, _ name: String) -> Self {
    failed(
      "item \(id) is not on the pile \(name.quoted)", hint: "put it there: catalog pile add \(name.shellWord) \(id)")
  }

  public static func noConflict(_ number: Int64) -> Self {
    failed("there is no conflict \(number)", hint: "see them all: catalog sync conflicts --all")
  }

  public static func noImport(_ number: Int64) -> Self {
    failed("there is no import \(number)", hint: "find its number with 'catalog import list'")
  }

  public static func noWish(_ id: WishID) -> Self {
    failed("there is no wish \(id)", hint: "find its number with 'catalog wishes --all'")
  }

  /// A wish in words has none.
  public static var emptyWish: Self { misused("no item to wish for was named", hint: "for example: catalog wish r1") }

  public static func wishIsTied(_ id: WishID) -> Self {
    failed("the wish \(id) is already linked to an item", hint: "see it: catalog wishes --all")
  }

  public static func wishedAlready(_ item: ItemID, by id: WishID) -> Self {
    failed("item \(item) is already wished for, by \(id)", hint: "remove one of them: catalog wishes remove \(id)")
  }

  public static func copyIsOut(_ id: CopyID, _ holder: Copy.Holder) -> Self {
    failed(
      holder.since.map { "\(holder.person) has had the copy \(id) since \($0.words)" }
        ?? "\(holder.person) has the copy \(id)",
      hint: "when it is back: catalog return \(id)")
  }

  public static func copyIsIn(_ id: CopyID) -> Self {
    failed("the copy \(id) is not lent", hint: "see the lent copies: catalog loans")
  }

  public static func dueBeforeLent(_ due: PartialDate, lent: PartialDate) -> Self {
    misused("it cannot be due on \(due.words), before it is lent on \(lent.words)")
  }

  public static func backBeforeLent(_ back: PartialDate, lent: PartialDate) -> Self {
    misused("it cannot be back on \(back.words), before it was lent on \(lent.words)")
  }

  /// A saved query with this name exists.
  public static func savedQueryExists(_ name: String) -> Self {
    failed(
      "the saved query \(name.quoted) was created in the meantime", hint: "see what it is: catalog shelf saved")
  }

  public static func savedQueryInUse(_ name: String, by other: String) -> Self {
    failed(
      "the saved query \(other.quoted) uses \(name.quoted)", hint: "delete both, or save the other one again first")
  }

  public static func genreExists(_ name: String) -> Self {
    failed(
      "there is a genre \(name.quoted) already",
      hint: "to merge them: catalog genre merge FROM \(name.shellWord)")
  }

  public static func genreWordTaken(_ word: String, by genre: String, insteadOf wanted: String) -> Self {
    failed(
      "\(word.quoted) is another word for \(genre)",
      hint: "give it another meaning first: catalog genre alias \(word.shellWord) \(wanted.shellWord)")
  }

  public static func labelIsGenre(_ name: String) -> Self {
    failed(
      "\(name.quoted) is a genre, not only a label",
      hint: """
        to make it part of another: catalog genre merge \(name.shellWord) INTO; for the label of one source or kind \
        alone: --source, --kind
        """)
  }

  public static func genreCircle(_ lower: String, isBelow upper: String) -> Self {
    lower == upper
      ? misused("\(lower) cannot be below itself", hint: "name the genre above it")
      : failed(
        "\(lower) is below \(upper), so \(upper) cannot go there",
        hint: "move it out first: catalog genre parent \(lower.shellWord) OTHER")
  }

  public static func badGenreName(_ name: String) -> Self {
    misused(
      "\(name.quoted) cannot be the name of a genre",
      hint: "one line of at most \(Store.longestGenreName) characters, no ';'")
  }

  /// Only an empty catalog can be restored from a file.
  public static var notEmpty: Self { failed("the catalog is not empty", hint: "name a new file: --db FILE") }

  public static func noOperation(_ id: Int64) -> Self {
    failed("there is no operation \(id)", hint: "see them all: catalog history")
  }

  /// Fewer operations can be undone, or redone, than requested.
  public static func tooFewOperations(_ count: Int, isUndo: Bool) -> Self {
    if count == 0 {
      return isUndo
        ? failed("there is nothing to undo")
        : failed("there is nothing to redo", hint: "'redo' works after 'undo', until something else is changed")
    }
    let operations = count.counted("operation", "operations")
    return failed(
      isUndo ? "only \(operations) can be undone" : "only \(operations) can be redone",
      hint: "see them all: catalog history")
  }

  public static var historyWentOn: Self {
    failed("the catalog was changed by another program meanwhile; no operation was undone or redone", hint: "try again")
  }

  public static func operationUnreadable(_ id: Int64) -> Self {
    failed("the record of operation \(id) is damaged; nothing was changed", hint: "'catalog doctor' says more")
  }

  public static func operationIsOfOtherTables(_ id: Int64) -> Self {
    failed("operation \(id) was made by another version of the program, and can no longer be undone")
  }

  /// Rows would belong to another row of this table than before: its number or name was reused.
  public static func operationIsBlocked(_ id: Int64, table: String) -> Self {
    failed(
      """
      operation \(id) cannot be undone: another program has put something else in the place of \(Message(table: table)); \
      nothing was changed
      """)
  }

  /// A row that the operation would restore belongs to a row that no longer exists.
  public static var operationHasForeignKeyViolations: Self {
    failed(
      """
      that cannot be undone: what it would restore belongs to something that no longer exists; nothing was changed
      """,
      hint: "see what was done: catalog history")
  }
}
