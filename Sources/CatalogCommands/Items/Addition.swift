internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The work behind `add`: from what was typed to the shelf.
struct Addition {
  var context: Context
  var command = AddCommand()
  /// What is written with a new item in the same transaction.
  var alongside: (Store, ItemID) throws -> Void

  enum Entry: Equatable {
    case reference(String)
    case words(String)
    case isbn(String)
    case barcode(String)
    /// A line that says nothing that can be read.
    case unreadable(Failure)
  }

  /// How many were added, were there already, and failed.
  struct Outcome {
    /// How many were named.
    var count = 0
    var added = 0
    var present = 0
    var failures: [Failure] = []

    var status: ExitStatus? {
      failures.isEmpty ? (added == 0 ? .failed : nil) : failures[0].status
    }
  }

  /// References stand for themselves; the other words are one title, to be searched.
  static func entries(_ words: [String], sources: [String]) throws -> [Entry] {
    try Reference.texts(in: words, sources: sources).map { text in
      if case .words = try? Reference(text, sources: sources) { .words(text) } else { .reference(text) }
    }
  }

  /// Adds one after the other, and says at once what became of each. One that fails is said, and the others go on.
  /// - Parameter readsLines: whether a reference or code a line follows on standard input. Each is added when it comes:
  ///   whoever writes the next line may wait for what became of this one.
  func add(_ entries: [Entry], thenLines readsLines: Bool = false) throws -> Outcome {
    var outcome = Outcome()
    var rest = entries[...]
    while let entry = try rest.popFirst() ?? (readsLines ? nextLine() : nil) {
      outcome.count += 1
      do {
        try Interrupt.check()
        try add(entry, to: &outcome)
      } catch {
        try Interrupt.check()
        let failure = Failure(error)
        context.note("catalog: \(failure.message)")
        outcome.failures.append(failure)
      }
      context.output.passOn()
    }
    guard outcome.count > 0 else { throw Failure("nothing came from standard input") }
    // What to type next is said of a single thing alone.
    if outcome.count == 1, let hint = outcome.failures.first?.hint { context.note("hint: \(hint)") }
    return outcome
  }

  /// The next line of standard input that is neither empty nor a comment.
  private func nextLine() throws -> Entry? {
    while true {
      let line: String?
      do { line = try context.readLine() } catch is UsageError {
        return .unreadable(Failure("a line of standard input is not valid UTF-8", status: .misused))
      }
      guard let text = line?.trimmingBlanks else { return nil }
      if !text.isEmpty, !text.hasPrefix("#") { return entry(of: text) }
    }
  }

  private func entry(of line: String) -> Entry {
    if (try? ISBN(line)) != nil { return .isbn(line) }
    if (try? Barcode(line)) != nil { return .barcode(line) }
    if line.utf8.allSatisfy({ (48...57).contains($0) || $0 == 45 || $0 == 88 }), line.utf8.count >= 8 {
      // Digits that are neither: what is wrong with the code is said.
      return .isbn(line)
    }
    if case .words = try? Reference(line, sources: context.sourceNames) { return .words(line) }
    return .reference(line)
  }

  private func add(_ entry: Entry, to outcome: inout Outcome) throws {
    switch entry {
    case .unreadable(let failure): throw failure
    case .reference(let text):
      switch try context.target(text, in: try context.reading()) {
      case .item(let id): try sayPresent(id, &outcome)
      case .candidate(let candidate): try tell(try shelve(candidate), &outcome)
      }
    case .words(let words):
      guard let candidate = try chosen(words) else { throw Failure("none was chosen") }
      try tell(try shelve(candidate), &outcome)
    case .isbn(let text):
      let isbn = try ISBN(text)
      if let id = try context.reading().itemID(of: isbn) { return try sayPresent(id, &outcome) }
      guard let found = try Finder(context: context).lookUp(.isbn(isbn)).first else {
        throw Failure(
          "no source knows ISBN \(isbn)", hint: "add it by hand: catalog add book --isbn \(isbn) --title …")
      }
      try tell(try shelve(found), &outcome)
    case .barcode(let text):
      let barcode = try Barcode(text)
      if let id = try context.reading().itemIDs(of: barcode).first { return try sayPresent(id, &outcome) }
      guard let found = try Finder(context: context).lookUp(.barcode(barcode)).first else {
        throw Failure(
          "no source knows barcode \(barcode)", hint: "add it by hand: catalog add vinyl --barcode \(barcode) --title …"
        )
      }
      try tell(try shelve(found), &outcome)
    }
  }

  /// Searches words and lets the person choose; a single result needs no choice.
  private func chosen(_ words: String) throws -> Candidate? {
    guard !words.trimmingBlanks.isEmpty else { throw UsageError("the words to search for are empty") }
    let kinds = try command.asKind.map { [try Kind(shelf: $0)] }
    let sections = try Finder(context: context).search(words, kinds: kinds, source: command.source, limit: 5)
    let candidates = sections.flatMap(\.candidates)
    if candidates.isEmpty {
      throw sections.compactMap(\.failure).first ?? Failure("no result was found for \(words.quoted)")
    }
    // A lone result is meant only when it is called so.
    if candidates.count == 1, Folding.fold(candidates[0].record.title).hasPrefix(Folding.fold(words)) {
      return candidates[0]
    }
    guard context.terminal.isInputTerminal, context.terminal.isErrorTerminal else {
      let lines = zip(1..., candidates).map { "r\($0)  \($1.record.kind.rawValue)  \($1.record.headline)" }
      throw Failure(
        "\(words.quoted) has \(candidates.count == 1 ? "1 result" : "\(candidates.count) results"):\n  "
          + lines.joined(separator: "\n  "),
        hint: "catalog add r1 takes the first")
    }
    let choices = candidates.map { "\($0.record.kind.rawValue)  \($0.record.headline)" }
    let question = candidates.count == 1 ? "This one?" : "Which one?"
    return try context.prompt.choose(question, from: choices, option: "r1").map { candidates[$0] }
  }

  /// Fetches everything about a candidate, then writes it in one transaction.
  /// - Returns: what became of it; nil when it would have been added, but nothing is to be changed.
  func shelve(_ candidate: Candidate) throws -> Store.Addition? {
    if let id = try context.reading().itemID(of: candidate.id) { return .exists(id) }
    let rest = fetchingRest(of: try record(of: candidate, fetched: Result { try context.fullRecord(of: candidate) }))
    return try keep(rest())
  }

  /// What is put on the shelf: everything that its source knows, or, where that failed, what the search said.
  func record(of candidate: Candidate, fetched: Result<Record, any Error>) throws -> Record {
    var record = candidate.record
    do {
      record = try fetched.get()
    } catch let failure as Failure {
      guard !candidate.isBare else { throw failure }
      context.isIncomplete(because: failure)
      context.note("catalog: \(failure.message); what the search said is kept")
    }
    if let kind = try command.asKind.map(Kind.init(shelf:)) {
      if kind == .vinyl, let album = record.album { record = try context.fullRecord(of: album) }
      record = record.shelved(as: kind)
    }
    guard record.kind.isShelved else { throw CatalogError.notShelved(record.kind) }
    return record
  }

  /// A record with all that others than its source know of it.
  struct Whole: Sendable {
    var record: Record
    var cover: Cover?
    /// Why it has no cover.
    var failure: Failure?
  }

  /// Fetches what others know of a record: genres, and its cover. To be asked on any thread.
  func fetchingRest(of record: Record) -> @Sendable () -> Whole {
    let classify = command.genres.isEmpty ? context.classifying(record) : { @Sendable in record }
    let fetchCover = command.skipsCover ? { @Sendable in (nil, nil) } : context.fetchingCover(of: record)
    return {
      let record = classify()
      let (cover, failure) = fetchCover()
      return Whole(record: record, cover: cover, failure: failure)
    }
  }

  /// Writes it.
  func keep(_ whole: Whole) throws -> Store.Addition? {
    try Interrupt.check()
    if let failure = whole.failure { context.noteMissingCover(failure) }
    return try keep(whole.record, cover: whole.cover)
  }

  /// An entry by hand: the kind as the only word, the rest as options.
  func addByHand() throws -> Outcome {
    guard let word = command.words.first ?? command.asKind, command.words.count <= 1 else {
      throw UsageError("an entry by hand starts with its kind", hint: "for example: catalog add book --title 토지")
    }
    let kind = try Kind(shelf: word)
    var record = Record(kind: kind, title: command.title ?? "")
    if let text = command.year {
      guard let year = ReleaseYear.parse(text) else {
        throw UsageError(
          "\(text.quoted) is no year",
          hint: "years go from \(ReleaseYear.range.lowerBound) to \(ReleaseYear.range.upperBound)")
      }
      record.year = year
    }
    record.credits = command.creators.map { Credit(name: $0, role: Credit.Role(main: kind)) }
    switch record.details {
    case .book(var book):
      book.isbn = try command.isbns.first.map { try ISBN($0) }
      record.details = .book(book)
    case .vinyl(var vinyl):
      vinyl.barcode = try command.barcodes.first.map { try Barcode($0).digits }
      record.details = .vinyl(vinyl)
    default: break
    }
    if case .book = record.details {} else if !command.isbns.isEmpty { throw UsageError("only books have an ISBN") }
    if case .vinyl = record.details {
    } else if !command.barcodes.isEmpty {
      throw UsageError("only records have a barcode here")
    }
    var outcome = Outcome()
    try tell(try keep(record, cover: nil), &outcome)
    return outcome
  }

  /// Writes the record and what was asked beside it, all or nothing, and says that it was added.
  private func keep(_ record: Record, cover: Cover?) throws -> Store.Addition? {
    if context.globals.isDryRun {
      try context.print("would add \(record.kind.rawValue): \(context.safe(record.headline))")
      return nil
    }
    let store = try context.writing()
    let addition = try store.write {
      let addition = try store.add(
        record, genres: command.genres.isEmpty ? nil : command.genres, cover: cover, now: context.timestamp)
      if case .added(let id) = addition { try alongside(store, id) }
      return addition
    }
    if case .added(let id) = addition {
      let genres = try store.genres(of: id)
      try context.print(
        "added \(record.kind.rawValue) \(id): \(context.safe(record.headline))"
          + (genres.isEmpty ? "" : "  " + context.styled(context.safe(genres.joined(separator: ", ")), .dim)))
    }
    return addition
  }

  /// Counts what became of an addition, and says what was there already.
  private func tell(_ addition: Store.Addition?, _ outcome: inout Outcome) throws {
    switch addition {
    case .exists(let id): try sayPresent(id, &outcome)
    case .added, nil: outcome.added += 1
    }
  }

  private func sayPresent(_ id: ItemID, _ outcome: inout Outcome) throws {
    let item = try context.reading().item(id)
    outcome.present += 1
    context.note("catalog: already on the shelf: \(item.line)")
  }
}

extension Record {
  /// The album that a song is on, of which nothing else is known yet: a song is shelved as the record it is on.
  fileprivate var album: Candidate? {
    guard kind == .music, case .other(let other) = details, let id = other.collectionID else { return nil }
    var album = Record(kind: .music, title: other.collection ?? id.description)
    album.url = url
    album.externalIDs = [id]
    return Candidate(id: id, record: album)
  }

  /// The same thing as a kind that has a shelf: a music album as a record, its tracks kept.
  func shelved(as kind: Kind) -> Record {
    guard kind != self.kind else { return self }
    var record = self
    record.kind = kind
    record.details = Details(empty: kind)
    if case .other(let other) = details, case .vinyl(var vinyl) = record.details {
      vinyl.tracks = other.tracks
      record.details = .vinyl(vinyl)
    }
    let (old, new) = (Credit.Role(main: self.kind), Credit.Role(main: kind))
    for index in record.credits.indices where record.credits[index].role == old { record.credits[index].role = new }
    return record
  }
}
