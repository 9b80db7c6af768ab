internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Lookup
internal import Processes
internal import SQLite

/// The exit status of the program. This is its table, which `catalog help exit-status` and docs/output.md print.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case misused = 2
  case sourceFailed = 3
  case keyNeeded = 4
  case rowsLeft = 5
  case overdue = 6

  /// The cases in which a command ends with it, in indented lines of at most 79 columns.
  var meaning: Message {
    switch self {
    case .done: "It was done, or was so already; a listing has rows."
    case .failed:
      """
      Nothing was found, you do not own it, several things are meant, or it
           could not be done; also an import that kept nothing.
      """
    case .misused:
      """
      The line was not understood: an unknown word, a value that does not fit,
           a question without a terminal.
      """
    case .sourceFailed:
      """
      A source or the network failed, so that all or a part is missing. Never
           with --offline.
      """
    case .keyNeeded:
      """
      A key is missing or was refused, and no copy on this computer answers
           instead.
      """
    case .rowsLeft:
      """
      An import left rows out, since it could not read or store them; it kept
           the others.
      """
    case .overdue: "'catalog loans --overdue' found some."
    }
  }
}

/// An error in the user's words: what happened, and what to type next.
struct Failure: Error, Equatable {
  /// Starts in lower case, quotes the user's words, contains no SQL and no key.
  var message: Message
  var hint: Message?
  /// The command that writes the person's kept text after all; printed however the program ends.
  var kept: String?
  var status = ExitStatus.failed
  /// Whether the end of the program says which changes were made.
  var ambiguity = Ambiguity.none
  /// The error described by these words, for callers that need more than the words.
  var cause: (any Error)?

  enum Ambiguity {
    case none
    /// The end says it when something was changed before the error.
    case ofChanges
    /// The end always says it: reading or writing stopped half-way.
    case ofAll
  }

  init(_ message: Message, hint: Message? = nil, status: ExitStatus = .failed, ambiguity: Ambiguity = .none) {
    (self.message, self.hint, self.status, self.ambiguity) = (message, hint, status, ambiguity)
  }

  /// Compares the words and the status, but not the causes.
  static func == (a: Failure, b: Failure) -> Bool {
    a.message == b.message && a.hint == b.hint && a.kept == b.kept && a.status == b.status && a.ambiguity == b.ambiguity
  }

  /// Whether a source could not be asked, so that a copy of it may answer instead: it failed, lacks its key or was not
  /// to be asked.
  var isOfAbsence: Bool {
    guard case SourceError.network(.offline)? = cause as? SourceError else {
      return status == .sourceFailed || status == .keyNeeded
    }
    return true
  }

  /// The hint, and the place of the kept text.
  var hints: Message? {
    let parts = [hint, kept.map { "your text is kept: \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The lines printed for this error, outside a full-screen command.
  var lines: [Message] {
    [Message(verbatim: "catalog: ") + message] + (hint.map { ["hint: \($0)"] } ?? [])
  }
}

extension Failure {
  /// Describes any error.
  /// - Parameter catalog: the file that an SQLite error is about.
  init(_ error: any Error, catalog: String? = nil) {
    if let failure = error as? Failure {
      self = failure
    } else {
      self.init(words: error, catalog: catalog)
      cause = error
    }
  }

  private init(words error: any Error, catalog: String?) {
    switch error {
    case let error as NeedsAnswer:
      self.init(
        "cannot ask without a terminal: \(error.question)", hint: "\(error.option) answers yes", status: .misused)
    case let error as UsageError: self.init(error.message, hint: error.hint, status: .misused)
    case let error as Query.Problem: self.init(error)
    case let error as Field.Problem:
      self.init(error.message, hint: error.hint, status: .misused)
    case let error as Reference.Problem:
      self.init(error.message, hint: "see 'catalog help references'", status: .misused)
    case let error as Rating.Problem:
      self.init(error.message, hint: "see 'catalog help ratings'", status: .misused)
    case let error as ISBN.Problem: self.init(error.message, status: .misused)
    case let error as Barcode.Problem: self.init(error.message, status: .misused)
    case let error as DocumentProblem:
      let words = error.message
      self.init(error.line.map { "line \($0): \(words)" } ?? words)
    case let error as CatalogError: self.init(error)
    case let error as SourceError: self.init(error, named: "the source")
    case Chafa.Failure.isMissing:
      self.init(
        "covers are drawn by the program chafa, which is not installed",
        hint: "apt-get install chafa; 'catalog cover --save FILE' keeps a picture without it")
    case Chafa.Failure.hasFailed:
      self.init("chafa could not draw the cover", hint: "'catalog cover --save FILE' keeps the picture")
    case RSVG.Failure.isMissing:
      self.init(
        "a PNG is drawn by the program rsvg-convert, which is not installed",
        hint: "apt-get install librsvg2-bin; or name a file that ends in .svg or .html")
    case RSVG.Failure.hasFailed:
      self.init("rsvg-convert could not draw the poster", hint: "name a file that ends in .svg or .html")
    case let error as SystemError: self.init(Message(verbatim: error.description))
    case let error as SQLiteError where error.isInterrupted: self.init("interrupted")
    case let error as SQLiteError: self.init(CatalogError(error, path: catalog ?? ""))
    case let error as ColumnError: self.init(CatalogError.otherSchema(catalog ?? "", error.description))
    default: self.init(Message(verbatim: "\(error)"))
    }
    if !(error is Failure) { cause = error }
  }

  private init(_ error: CatalogError) {
    self.init(words: error)
    if status == .failed, ambiguity == .none { ambiguity = .ofChanges }
  }

  private init(words error: CatalogError) {
    // The place of the error may not know the file.
    func named(_ path: String) -> Message { path.isEmpty ? "the catalog" : "the catalog \(path.quoted)" }
    switch error {
    case .isFolder(let path):
      self.init("\(path.quoted) is a folder, not a catalog file", hint: "name a file in it: --db \(path)/catalog.db")
    case .isSpecial(let path):
      self.init(
        "\(path.quoted) is not a regular file, and was left unchanged", hint: "name another file with --db FILE")
    case .unreachable(let path, let code):
      self.init(
        Message(verbatim: SystemError(code, "reach \(path.quoted)").description),
        hint: "use another place: --db FILE, or set CATALOG_DB")
    case .notReadable(let path):
      self.init("\(path.quoted) cannot be read", hint: "check who may read it: ls -l \(path)")
    case .cannotMakeFolder(let path):
      self.init("the folder \(path.quoted) cannot be made", hint: "use another place: --db FILE, or set CATALOG_DB")
    case .cannotOpen(let path):
      self.init("\(named(path)) cannot be opened or made", hint: "use another place: --db FILE, or set CATALOG_DB")
    case .readOnly(let path):
      self.init("\(named(path)) cannot be written", hint: "check who may write it and its folder: ls -ld")
    case .notDatabase(let path):
      self.init("\(path.quoted) is not a catalog: it is not an SQLite file", hint: "name another file with --db FILE")
    case .foreign(let path):
      self.init(
        "\(path.quoted) is a database of another program; it was not touched", hint: "name another file with --db FILE")
    case .damaged(let path):
      self.init(
        "\(named(path)) is damaged",
        hint: """
          'catalog doctor' says more; 'sqlite3 FILE .recover' may save it; a backup goes back with: catalog restore FILE
          """
      )
    case .obstructed(let path):
      self.init(
        "\(path.quoted) is in the way: SQLite keeps the journal of the catalog there, and it is not a regular file",
        hint: "check what it is, and move it away: ls -ld \(path.shellWord)")
    case .isJournal(let path, let owner):
      self.init(
        "\(path.quoted) is where SQLite keeps the journal of \(owner.quoted)", hint: "name another file with --db FILE")
    case .tooLargeValue(let path):
      self.init(
        "\(named(path)) has a value that is too large for a catalog", hint: "'catalog doctor' says more")
    case .endless(let path):
      self.init(
        "\(named(path)) has a view or a trigger that never ends and was not made by this program",
        hint: "'catalog doctor' names it; remove it with sqlite3")
    case .otherSchema(let path, let words):
      self.init(
        "\(named(path)) has an unexpected structure: \(words)", hint: "'catalog doctor' says more")
    case .newer(let path, let version, let known):
      self.init(
        "\(named(path)) was written by a newer program (version \(version), this one knows \(known))",
        hint: "upgrade catalog; the file was not touched")
    case .locked:
      self.init("another program is writing to the catalog", hint: "try again when it is done")
    case .diskFull: self.init("the disk is full", hint: "make room and try again", ambiguity: .ofAll)
    case .tooLarge(let path):
      self.init(
        "\(named(path)) cannot grow: a limit was reached", hint: "see what the limit is: ulimit -f", ambiguity: .ofAll)
    case .io(let path):
      self.init("reading or writing \(named(path)) failed", hint: "check the disk", ambiguity: .ofAll)
    case .notCopied(let path, let error):
      let reason = Failure(words: error)
      self.init(
        """
        \(named(path)) has an older format, and could not be copied before its conversion: \(reason.message)
        """, hint: reason.hint, ambiguity: .ofAll)
    case .noItem(let id): self.init("there is no item \(id)", hint: "find its number with 'catalog list WORDS'")
    case .noCard(let id): self.init("there is no card \(id)", hint: "find its number with 'catalog card list'")
    case .emptyCard:
      self.init(
        "a card needs a rating or words", hint: "for example: catalog card add 42 --stars 4.5 \"again!\"",
        status: .misused)
    case .commentTooLong(let length):
      self.init("the comment has \(length) characters; at most \(Card.longestComment) fit", status: .misused)
    case .noCopy(let id): self.init("there is no copy \(id)", hint: "find its number with 'catalog copy list'")
    case .sleeveOnly(let grade):
      self.init(
        "\(grade.rawValue.quoted) is a grade for sleeves only", hint: "use --sleeve for it", status: .misused)
    case .noteTooLong(let length):
      self.init("the text has \(length) characters; at most \(Copy.longestNote) fit", status: .misused)
    case .notRecord(let id):
      self.init("item \(id) is not a record", hint: "find one: catalog vinyl", status: .misused)
    case .cardOfEntry(let card, let entry):
      self.init(
        "card \(card) belongs to entry \(entry) of the diary, and the entry has the date",
        hint: "catalog diary edit \(entry) --on DATE")
    case .noEntry(let id):
      self.init("there is no entry \(id) in the diary", hint: "find its number with 'catalog diary'")
    case .inProgressAlready(let id):
      self.init(
        "entry \(id) is in progress already",
        hint: "one at a time: finish it with 'catalog log REF', or 'catalog diary edit \(id) --done'")
    case .inProgressWithEnd(let id):
      self.init(
        "an entry in progress has no end date", hint: "finish it: catalog diary edit \(id) --done --on DATE",
        status: .misused)
    case .endsBeforeStart(let start, let end):
      self.init(
        "it ends on \(end.description), before it starts on \(start.description)", hint: "check --on and --started",
        status: .misused)
    case .yetToCome(let date):
      self.init(
        "\(date.description) is in the future: the diary is for what has happened",
        hint: "give a date up to today, or --undated", status: .misused)
    case .pageOfNoBook(let kind):
      self.init(
        "\(kind.things) have no pages: only books do", hint: "leave out --page; for something unfinished use --ongoing",
        status: .misused)
    case .pageBeyond(let page, let pages):
      self.init(
        "there is no page \(page): the book has \(pages.counted("page", "pages"))",
        hint: "if that is wrong: catalog edit REF pages=N", status: .misused)
    case .emptyTitle: self.init("the title is empty", hint: "give one with --title", status: .misused)
    case .yearOutOfRange(let year):
      self.init(
        "\(year) is out of range: years go from \(ReleaseYear.range.lowerBound) to \(ReleaseYear.range.upperBound)",
        status: .misused)
    case .notShelved(let kind):
      self.init(
        "\(kind.plurals) cannot be shelved: movies, books and vinyl can",
        hint: kind == .music ? "shelve the album as a record: add --as vinyl" : nil)
    case .noShelfPage(let number, let pages):
      self.init("there is no page \(number): the shelf has \(pages.counted("page", "pages"))")
    case .sameItem(let id): self.init("item \(id) is named twice", hint: "name two different items", status: .misused)
    case .otherKind(let one, let other):
      self.init(
        "items \(one) and \(other) are of different kinds", hint: "both must be movies, books or records",
        status: .misused)
    case .changedMeanwhile:
      self.init("it was changed elsewhere in the meantime", hint: "look at it again: catalog show NUMBER")
    case .noGenre(let name):
      self.init("there is no genre \(name.quoted)", hint: "see them all: catalog genre list --all")
    case .emptyName: self.init("the name is empty", status: .misused)
    case .nameTooLong(let length):
      self.init("the name has \(length) characters; at most \(Store.longestName) fit", status: .misused)
    case .nameOfDigits(let name):
      self.init(
        "\(name.quoted) cannot be the name of a query: \("@\(name)".quoted) is a recent item",
        hint: "add a letter", status: .misused)
    case .emptyQuery:
      self.init("the query is empty", hint: "for example: catalog shelf save fresh added:-2w..", status: .misused)
    case .noTag(let name): self.init("there is no tag \(name.quoted)", hint: "see them all: catalog tags")
    case .tagExists(let name):
      self.init(
        "the tag \(name.quoted) was created in the meantime",
        hint: "run the command again; it asks whether to merge them")
    case .noPile(let name): self.init("there is no pile \(name.quoted)", hint: "see them all: catalog pile list")
    case .notOnPile(let id, let name):
      self.init(
        "item \(id) is not on the pile \(name.quoted)", hint: "put it there: catalog pile add \(name.shellWord) \(id)")
    case .noConflict(let number):
      self.init("there is no conflict \(number)", hint: "see them all: catalog sync conflicts --all")
    case .noImport(let number):
      self.init("there is no import \(number)", hint: "find its number with 'catalog import list'")
    case .noWish(let id): self.init("there is no wish \(id)", hint: "find its number with 'catalog wishes --all'")
    case .emptyWish: self.init("no item to wish for was named", hint: "for example: catalog wish r1", status: .misused)
    case .wishIsTied(let id):
      self.init("the wish \(id) is already linked to an item", hint: "see it: catalog wishes --all")
    case .wishedAlready(let item, let id):
      self.init("item \(item) is already wished for, by \(id)", hint: "remove one of them: catalog wishes remove \(id)")
    case .copyIsOut(let id, let holder):
      self.init(
        holder.since.map { "\(holder.person) has had the copy \(id) since \($0.words)" }
          ?? "\(holder.person) has the copy \(id)",
        hint: "when it is back: catalog return \(id)")
    case .copyIsIn(let id): self.init("the copy \(id) is not lent", hint: "see the lent copies: catalog loans")
    case .dueBeforeLent(let due, let lent):
      self.init("it cannot be due on \(due.words), before it is lent on \(lent.words)", status: .misused)
    case .backBeforeLent(let back, let lent):
      self.init("it cannot be back on \(back.words), before it was lent on \(lent.words)", status: .misused)
    case .noSavedQuery(let name):
      self.init("there is no saved query \(name.quoted)", hint: "'catalog shelf saved' lists them")
    case .savedQueryExists(let name):
      self.init(
        "the saved query \(name.quoted) was created in the meantime", hint: "see what it is: catalog shelf saved")
    case .savedQueryInUse(let name, let other):
      self.init(
        "the saved query \(other.quoted) uses \(name.quoted)", hint: "delete both, or save the other one again first")
    case .genreExists(let name):
      self.init(
        "there is a genre \(name.quoted) already",
        hint: "to merge them: catalog genre merge FROM \(name.shellWord)")
    case .genreWordTaken(let word, let genre, let wanted):
      self.init(
        "\(word.quoted) is another word for \(genre)",
        hint: "give it another meaning first: catalog genre alias \(word.shellWord) \(wanted.shellWord)")
    case .labelIsGenre(let name):
      self.init(
        "\(name.quoted) is a genre, not only a label",
        hint: """
          to make it part of another: catalog genre merge \(name.shellWord) INTO; for the label of one source or kind \
          alone: --source, --kind
          """)
    case .genreCircle(let lower, let upper) where lower == upper:
      self.init("\(lower) cannot be below itself", hint: "name the genre above it", status: .misused)
    case .genreCircle(let lower, let upper):
      self.init(
        "\(lower) is below \(upper), so \(upper) cannot go there",
        hint: "move it out first: catalog genre parent \(lower.shellWord) OTHER")
    case .badGenreName(let name):
      self.init(
        "\(name.quoted) cannot be the name of a genre",
        hint: "one line of at most \(Store.longestGenreName) characters, no ';'",
        status: .misused)
    case .notEmpty:
      self.init("the catalog is not empty", hint: "name a new file: --db FILE")
    case .refused(let message): self.init("the catalog cannot store that: \(message)")
    case .noOperation(let id): self.init("there is no operation \(id)", hint: "see them all: catalog history")
    case .tooFewOperations(0, isUndo: true): self.init("there is nothing to undo")
    case .tooFewOperations(0, isUndo: false):
      self.init("there is nothing to redo", hint: "'redo' works after 'undo', until something else is changed")
    case .tooFewOperations(let count, let isUndo):
      let operations = count.counted("operation", "operations")
      self.init(
        isUndo ? "only \(operations) can be undone" : "only \(operations) can be redone",
        hint: "see them all: catalog history")
    case .historyWentOn:
      self.init(
        "the catalog was changed by another program meanwhile; no operation was undone or redone", hint: "try again")
    case .operationUnreadable(let id):
      self.init("the record of operation \(id) is damaged; nothing was changed", hint: "'catalog doctor' says more")
    case .operationIsOfOtherTables(let id):
      self.init("operation \(id) was made by another version of the program, and can no longer be undone")
    case .operationIsBlocked(let id, let table):
      self.init(
        """
        operation \(id) cannot be undone: another program has put something else in the place of \
        \(OperationWords.noun(table)); nothing was changed
        """)
    case .operationHasForeignKeyViolations:
      self.init(
        """
        that cannot be undone: what it would restore belongs to something that no longer exists; nothing was changed
        """,
        hint: "see what was done: catalog history")
    }
  }

  /// Describes an error of standard output.
  /// - Parameter isWriting: whether the command changed something, which is not undone.
  init(lostOutput error: SystemError, isWriting: Bool) {
    self.init(
      error.code == EBADF
        ? "standard output is closed, and nothing could be printed"
        : "the output could not be written: \(String(cString: strerror(error.code)))",
      hint: isWriting ? "the change was saved: there is no need to repeat it" : nil)
  }

  /// Describes the error of a source.
  /// - Parameters:
  ///   - keyOrigin: the origin of the key in the request.
  ///   - hasContact: whether the request named a contact.
  init(_ error: SourceError, source: Source, keyOrigin: KeyOrigin? = nil, hasContact: Bool = true) {
    self.init(error, named: source.words, key: source.key.map { (source.id, $0) })
    cause = error
    explain(error, by: source, isUnknown: source.asksForContact && !hasContact)
    guard error == .key(missing: false), let need = source.key else { return }
    switch keyOrigin {
    case .environment(let variable): hint = "it is what \(variable) says; it should be the \(need.name) of \(need.page)"
    case .command(let command): hint = "it is what '\(command)' prints; it should be the \(need.name) of \(need.page)"
    case .configuration, nil: break
    }
  }

  init(_ error: SourceError, named source: Message, key: (source: String, need: KeyRequirement)? = nil) {
    self.init(words: error, named: source, key: key)
    cause = error
  }

  private init(words error: SourceError, named source: Message, key: (source: String, need: KeyRequirement)?) {
    switch error {
    case .network(let error): self.init(error, source: source)
    case .notFound: self.init("\(source) has no such item")
    case .noShop(let country):
      self.init(
        "\(source) has no shop in \(country.quoted)",
        hint: "name another country with --country, such as KR, or GB for the United Kingdom", status: .misused)
    case .refused(let status, let words):
      self.init(
        "\(source) refused the request (\(status))" + Message(verbatim: words.map { ": \($0)" } ?? ""),
        hint: status >= 500 ? "try again later" : status == 422 ? "try other words" : nil, status: .sourceFailed)
    case .noPage(nil, _): self.init("\(source) has no more results", hint: "give a lower --page")
    case .noPage(let last?, let hits):
      let pages = last.counted("page", "pages")
      self.init(
        hits.map { "\(source) has \($0.counted("result", "results")), on \(pages)" } ?? "\(source) has \(pages)",
        hint: last == 1 ? "leave --page out" : "--page goes from 1 to \(last)")
    case .key(missing: true):
      self.init(
        "\(source) needs a key",
        hint: key.map { id, need in
          "get one at \(need.page), then: catalog source key \(id). Without it \(Message(words: need.without))"
        }, status: .keyNeeded)
    case .key(missing: false):
      guard let key else {
        self.init("\(source) refused the request (401)", status: .sourceFailed)
        return
      }
      self.init(
        "\(source) does not accept the key",
        hint: "catalog source key \(key.source) sets another; it is the \(key.need.name) of \(key.need.page)",
        status: .keyNeeded)
    case .apiNotEnabled:
      self.init(
        "\(source) does not allow this for the app of the key",
        hint: key.map { _, need in "switch it on for the app: \(need.page)" }, status: .keyNeeded)
    case .quota(.noKey):
      self.init(
        "\(source) answers only with a key",
        hint: key.map { "get one at \($0.need.page), then: catalog source key \($0.source)" }, status: .keyNeeded)
    case .quota(.day):
      self.init("\(source) has no more answers for this key today", hint: "try again tomorrow", status: .sourceFailed)
    case .quota(.minute):
      self.init("\(source) has no more answers in this minute", hint: "try again in a minute", status: .sourceFailed)
    case .unreadable(let words): self.init("\(source) sent \(words)", hint: "try again later", status: .sourceFailed)
    case .noCopy(let id):
      self.init(
        "there is no copy of \(source) on this computer, and it cannot be asked otherwise",
        hint: "how to build one: catalog source build \(id)", status: .sourceFailed)
    case .badCopy(let reason): self.init("the copy of \(source) cannot be read: \(reason)", status: .sourceFailed)
    }
  }

  private init(_ error: HTTPError, source: Message) {
    switch error {
    case .curlMissing:
      self.init(
        "curl is not installed; without it sources cannot be asked", hint: "apt-get install curl", status: .sourceFailed
      )
    case .curlTooOld(let found, let needed):
      self.init("curl \(found) is too old: \(needed) or newer is needed", hint: "upgrade curl", status: .sourceFailed)
    case .hungUp(let host):
      self.init(
        "\(source) closed the connection without an answer (\(host))", hint: "try again later", status: .sourceFailed)
    case .resting(_, let seconds, let reason):
      let time = seconds < 60 ? "\(seconds) s" : ((seconds + 59) / 60).duration
      self.init("\(source) is not asked for another \(time): \(reason.words)", status: .sourceFailed)
    case .unreachable(let host), .closed(let host):
      self.init(
        "\(source) cannot be reached (\(host))", hint: "check the network, or use --offline", status: .sourceFailed)
    case .timedOut(let host): self.init("\(source) did not answer in time (\(host))", status: .sourceFailed)
    case .damaged(let host):
      self.init("\(source) sent a damaged answer (\(host))", hint: "try again later", status: .sourceFailed)
    case .tooLarge(let host): self.init("\(source) sent more than allowed (\(host))", status: .sourceFailed)
    case .insecure(let host):
      self.init("\(source) does not use HTTPS (\(host)); nothing was sent there", status: .sourceFailed)
    case .privateNetwork(let host):
      self.init(
        "\(source) is on this computer or a private network (\(host)); nothing was sent there",
        hint: "an answer points there; only sources whose base_url is there may do that", status: .sourceFailed)
    case .tooManyRedirects(let host): self.init("\(source) redirects in circles (\(host))", status: .sourceFailed)
    case .throttled(_, let seconds):
      self.init(
        "\(source) asks for a pause: too many requests",
        hint: seconds.map { "try again in \($0) s" } ?? "try again in a minute", status: .sourceFailed)
    case .busy(_, let seconds):
      self.init(
        "\(source) is busy", hint: seconds.map { "try again in \($0) s" } ?? "try again in a minute",
        status: .sourceFailed)
    case .offline: self.init("\(source) was not asked: --offline")
    case .interrupted: self.init("interrupted")
    }
  }
}

extension Failure {
  /// Adds the meaning that an error has for this source, and the next command.
  private mutating func explain(_ error: SourceError, by source: Source, isUnknown: Bool) {
    switch error {
    case .refused(403, _) where isUnknown, .network(.resting(_, _, .contact)) where isUnknown:
      message = "\(source.name) refuses requests without a contact"
      if source.policy.restsWithoutContact { message = "\(source.name) is not asked: it requires a contact" }
      hint = Self.contactHint
    case .network(.hungUp) where isUnknown:
      message = "\(source.name) closed the connection, as it does to programs without a contact"
      hint = Self.contactHint
    case .refused(403, _) where source.asksForContact:
      hint = "it refuses some requests for a while; try again later, or with other words"
    case .network(.resting(_, let seconds, .limit)): hint = "try again in \(seconds) s"
    case .network(.resting):
      hint = "to try it now: catalog source test \(source.id)"
    case .network(.throttled(_, nil)):
      guard case .seconds(let seconds, _) = source.policy.rests[.throttled] else { return }
      hint = "it is asked again in \((seconds / 60).duration)"
    case .network(.unreachable), .network(.closed), .network(.hungUp), .network(.timedOut):
      guard source.id == Source.tmdb.id else { return }
      hint = """
        where it is blocked, another address may work: catalog config set sources.tmdb.base_url \
        https://api.tmdb.org/3
        """
    default: break
    }
  }

  private static let contactHint: Message = "set one: catalog config set contact me@example.org"
}

extension Rest.Reason {
  /// The cause of the pause, as a clause after a colon.
  var words: Message {
    switch self {
    case .throttled: "too many requests"
    case .busy: "it is busy"
    case .limit: "its rate limit is used up"
    case .quota: "the requests of the day are used up"
    case .contact: "it requires a contact"
    case .forbidden: "it refused"
    case .hungUp: "it closed the connection"
    case .closed: "it accepts no connection"
    }
  }
}

/// An error that has been printed already.
struct SilentFailure: Error, Equatable {
  var status: ExitStatus
}
