internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// Adds items to the catalog, for `add` and the commands that add a result first. It opens the catalog once.
struct ItemAdder {
  /// The options for adding.
  struct Request {
    /// The kind of the new items, in place of their source's kind.
    var kind: Kind?
    /// The only source to search for words.
    var source: Source?
    /// The genres that a person chose; empty for those that the labels map to.
    var genres: [String] = []
    var skipsCover = false
    /// Whether each item gets a copy; nil for the setting of its kind.
    var isOwned: Bool?
    /// Whether a card or a favorite was asked for as well, which an existing item does not get.
    var hasMore = false
  }

  /// The results of an addition. Items that existed already are a success.
  struct Outcome {
    /// The number of things that were named.
    var count = 0
    var added = 0
    /// The number of things that are not as requested, such as other editions that were not confirmed.
    var left = 0
    var failures: [Failure] = []

    var status: ExitStatus? { failures.first?.status ?? (left > 0 ? .failed : nil) }
  }

  /// The most items in one transaction, and the longest time to collect them.
  private static let (mostTogether, longestWait) = (200, Duration.milliseconds(100))

  let context: Context
  let request: Request
  /// Writes further rows of a new item in the same transaction.
  private let alongside: (Store, ItemID) throws -> Void
  /// The catalog as opened; the writable one after the first write.
  private(set) var store: Store
  /// The steps that are not yet written and reported, in their order.
  private var waiting: [(step: Step, line: TypedLine?)] = []
  /// Whether there is only one thing, whose error is that of the command.
  private var isAlone = false
  /// Whether the hint about other editions has been printed.
  private var saidHowToAgree = false
  /// The time when the first waiting step came.
  private var since = Duration.zero
  /// The kinds that get a copy by the settings; nil until they are read.
  private var ownedKinds: [Kind]?

  /// The next step for a thing.
  private enum Step {
    case write(Store.NewItem)
    case present(ItemID)
    case failed(Failure)
  }

  /// - Parameter store: the catalog from ``Context/changing()``.
  init(
    _ request: Request = Request(), to store: Store, in context: Context,
    alongside: @escaping (Store, ItemID) throws -> Void = { _, _ in }
  ) {
    (self.request, self.store, self.context, self.alongside) = (request, store, context, alongside)
  }

  // MARK: Many

  /// Adds things one after the other and prints the result of each. A failure is printed, and the others go on.
  ///
  /// Things that need no request are written in batches while more input is ready. A batch is written before its
  /// results are printed, and printed before the program waits for input.
  /// - Parameter readsLines: whether standard input has further things, one on each line.
  mutating func add(_ things: [AddRequest], thenLines readsLines: Bool = false) throws -> Outcome {
    var outcome = Outcome()
    isAlone = things.count == 1 && !readsLines
    var rest = things[...]
    var lines = TypedLines(readLine: context.readLine)
    while true {
      if rest.isEmpty, !context.isLineReady() || context.uptime() - since >= Self.longestWait {
        try writeWaiting(&outcome)
      }
      let thing: AddRequest
      var line: TypedLine?
      if let first = rest.popFirst() {
        thing = first
      } else if readsLines, let next = try lines.next() {
        (thing, line) = (AddRequest(next), next)
      } else {
        break
      }
      outcome.count += 1
      if !isAtHand(thing) || waiting.count >= Self.mostTogether { try writeWaiting(&outcome) }
      if waiting.isEmpty { since = context.uptime() }
      do {
        try Interrupt.check()
        waiting += try steps(for: thing).map { ($0, line) }
      } catch {
        try Interrupt.check()
        waiting.append((.failed(Failure(error)), line))
      }
    }
    try writeWaiting(&outcome)
    guard outcome.count > 0 else { throw Failure("standard input is empty") }
    // The hint for the next command is printed for a single thing only.
    if outcome.count == 1, let hint = outcome.failures.first?.hint { context.hint(hint) }
    return outcome
  }

  /// Whether the thing can be added without a network request or a question.
  private func isAtHand(_ thing: AddRequest) -> Bool {
    switch thing {
    case .reference(.external(let id)): context.globals.isOffline || context.source(of: id)?.isBuiltIn == true
    case .unreadable: true
    case .reference, .title, .code: false
    }
  }

  /// Writes the waiting steps in one transaction and prints the result of each. When the program should stop, no
  /// further item is begun: what is written is the beginning, and each item of it is printed.
  private mutating func writeWaiting(_ outcome: inout Outcome) throws {
    guard !waiting.isEmpty else { return }
    let steps = waiting
    waiting = []
    try Interrupt.check()
    let new = steps.compactMap { if case .write(let item) = $0.step { item } else { nil } }
    var results = write(new)[...]
    steps: for (step, line) in steps {
      do {
        switch step {
        case .present(let id): try Interrupt.postponed { try tell(.exists(id), &outcome, line) }
        case .failed(let failure): throw failure
        case .write(let item):
          // It was not begun, and neither was any behind it.
          guard let result = results.popFirst() else { break steps }
          var addition = try result.get()
          // Standard input has the lines, so no question can be asked.
          if line == nil, case .hasEdition(let id) = addition {
            addition = try asking(for: item, editionOf: id)
          } else {
            try Interrupt.postponed { try tellNew(addition, item.record) }
          }
          try Interrupt.postponed { try tell(addition, &outcome, line) }
        }
      } catch is Interrupted {
        // A question was broken off.
        outcome.left += 1
      } catch {
        let failure = Failure(error)
        let words = failure.message.text(in: nil)
        context.changes?.append(Change(.already, (line?.members ?? []) + [("error", words)]))
        if isAlone, steps.count == 1 { throw error }
        context.warn(line.map { "line \($0.number), \($0.shown): \(failure.message)" } ?? failure.message)
        context.tellHeldNotes()
        outcome.failures.append(failure)
      }
    }
    context.output.flushIgnoringErrors()
    try Interrupt.check()
  }

  // MARK: One

  /// The steps for a thing, with its full records from the sources.
  private mutating func steps(for thing: AddRequest) throws -> [Step] {
    switch thing {
    case .unreadable(let failure): throw failure
    case .reference(.isbn(let isbn)): return [try step(for: .isbn(isbn))]
    case .reference(.barcode(let barcode)): return [try step(for: .barcode(barcode))]
    case .reference(.item(let id)) where try !store.exists(id):
      // A title may be a number: 1917.
      return try chosen(["\(id)"]).map { try step(for: $0) }
    case .reference(let reference):
      switch try context.target(reference, in: store) {
      case .item(let id): return [.present(id)]
      case .candidate(let candidate): return [try step(for: candidate)]
      }
    case .title(let words):
      // With its kind or year, a title of the shelf is the item itself.
      let together = words.joined(separator: " ")
      if !SearchWords(together).qualified.isEmpty, let id = try context.items(called: together, in: store).first,
        try context.items(called: together, in: store).count == 1
      {
        return [.present(id)]
      }
      return try chosen(words).map { try step(for: $0) }
    case .code(let code): return [try step(for: code)]
    }
  }

  private mutating func step(for code: Code) throws -> Step {
    let known =
      switch code {
      case .isbn(let isbn): try store.itemID(of: isbn)
      case .barcode(let barcode): try store.itemIDs(of: barcode).first
      }
    if let known { return .present(known) }
    guard let found = try Finder(context: context).lookUp(code).first else {
      throw Failure("no source knows \(code.name)", hint: code.hintByHand)
    }
    return try step(for: found)
  }

  private mutating func step(for candidate: Candidate) throws -> Step {
    if let id = try store.itemID(of: candidate.id) { return .present(id) }
    let record = try record(of: candidate)
    let whole = request.genres.isEmpty ? context.classified(record) : record
    let (cover, failure) = (request.skipsCover ? nil : context.cover(of: record, in: store))?.tried() ?? (nil, nil)
    if let failure { context.noteMissingCover(failure) }
    return .write(try newItem(whole, cover))
  }

  /// Fetches the full record of a candidate, then writes it in one transaction.
  /// - Returns: the result; nil in a dry run that would add it.
  mutating func shelve(_ candidate: Candidate) throws -> Store.Addition? {
    switch try step(for: candidate) {
    case .present(let id): .exists(id)
    case .write(let item): try keep(item)
    case .failed(let failure): throw failure
    }
  }

  // MARK: What sources say

  /// Searches words and lets the person choose; a single result with this title needs no choice. When nothing matches
  /// all the words, and each of them is a title, they are separate titles.
  private func chosen(_ words: [String]) throws -> [Candidate] {
    let together = words.joined(separator: " ")
    let (finder, typed) = (Finder(context: context), TypedReferences(words: words))
    let sections = try search(typed)
    if let chosen = try chosen(in: sections, for: together) { return [chosen] }
    if words.count > 1 {
      let found = try words.map { word in
        (word, try search([word]).flatMap(\.candidates).filter { $0.record.isCalled(word) })
      }
      if found.allSatisfy({ !$0.1.isEmpty }) {
        context.note("There is no \(together.quoted): searching for \(words.count) titles.")
        return try found.map { try chosen(among: $0.1, for: $0.0) }
      }
    }
    let reading = try finder.reading(of: typed, isPlain: request.kind != nil)
    let kind = request.kind ?? reading.kind
    let meant = try finder.corrected(reading.words, kinds: kind.map { [$0] }, source: request.source)
    if let chosen = try chosen(in: meant, for: together) { return [chosen] }
    if !context.globals.isOffline, let failure = sections.compactMap(\.failure).first { throw failure }
    throw Failure(
      "no result was found for \(together.quoted)",
      hint: "add it by hand: catalog add \((kind ?? .movie).rawValue) --title \(reading.words.shellWord)")
  }

  private func chosen(in sections: [SearchSection], for words: String) throws -> Candidate? {
    let candidates = sections.flatMap(\.candidates)
    guard !candidates.isEmpty else { return nil }
    SearchReport(options: TableOptions(), context: context).noteFailures(of: sections)
    return try chosen(among: candidates, for: words)
  }

  private func search(_ typed: TypedReferences) throws -> [SearchSection] {
    let finder = Finder(context: context)
    let reading = try finder.reading(of: typed, isPlain: request.kind != nil)
    return try finder.search(
      reading.words, kinds: (request.kind ?? reading.kind).map { [$0] }, source: request.source, limit: 5,
      corrects: false, year: reading.year)
  }

  private func choice(_ record: Record) -> String { "\(context.text(record.kind.singular))  \(record.headline)" }

  private func chosen(among candidates: [Candidate], for words: String) throws -> Candidate {
    // Only a title is taken without a question.
    let typed = SearchWords(words)
    let called = candidates.filter { TitleRank(of: $0.record, for: typed) <= .withNames }
    if let only = called.first, called.count == 1 { return only }
    guard context.terminal.isInputTerminal, context.terminal.isErrorTerminal else {
      let lines = zip(1..., candidates).map { "r\($0)  \(choice($1.record))" }
      throw Failure(
        "\(words.quoted) has \(candidates.count.counted("result", "results"))"
          + Message(verbatim: ":\n  " + lines.joined(separator: "\n  ")),
        hint: "catalog add r1 takes the first")
    }
    let choices = candidates.map { choice($0.record) }
    let question: Message = candidates.count == 1 ? "This one?" : "Which one?"
    guard let place = try context.prompt.choose(question, from: choices, option: "r1") else {
      throw Failure("none was chosen")
    }
    return candidates[place]
  }

  /// The record to add: the full one from its source, or the one of the search when the source failed.
  private func record(of candidate: Candidate) throws -> Record {
    var record = candidate.record
    let kind = request.kind ?? record.kind
    // A record of a kind without a shelf is not asked for.
    if !candidate.isBare, !kind.isShelved { throw CatalogError.notShelved(kind) }
    do {
      record = try context.fullRecord(of: candidate)
    } catch let failure as Failure {
      guard !candidate.isBare else { throw failure }
      context.isIncomplete(because: failure)
      context.warnOfStandIn("\(failure.message); the search result was saved")
      if let hint = failure.hint { context.hint(hint) }
    }
    if let kind = request.kind {
      if kind == .vinyl, let album = record.album { record = try context.fullRecord(of: album) }
      record = record.shelved(as: kind)
    }
    guard record.kind.isShelved else { throw CatalogError.notShelved(record.kind) }
    return record
  }

  // MARK: Writing

  /// Writes an entry by hand.
  mutating func keep(byHand record: Record) throws -> Outcome {
    var outcome = Outcome()
    let item = try newItem(record)
    let same = try store.likeness(of: record).map(\.id).flatMap { try says($0, record) ? $0 : nil }
    let addition = try same.map { .exists($0) } ?? keep(item)
    try Interrupt.postponed { try tell(addition, &outcome) }
    return outcome
  }

  /// Whether an item on the shelf says all that was typed, so that it is the same and no other edition.
  private func says(_ id: ItemID, _ record: Record) throws -> Bool {
    let item = try store.item(id)
    return record.filled(from: item.record) == item.record && Set(request.genres).isSubset(of: item.genres)
  }

  private mutating func newItem(_ record: Record, _ cover: Cover? = nil) throws -> Store.NewItem {
    try Interrupt.check()
    return Store.NewItem(
      record, genres: request.genres.isEmpty ? nil : request.genres, cover: cover, isOwned: try isOwned(record.kind),
      mayBeEdition: context.globals.saysYes, alongside: alongside)
  }

  /// Whether an item of this kind gets a copy.
  private mutating func isOwned(_ kind: Kind) throws -> Bool {
    if let isOwned = request.isOwned { return isOwned }
    let kinds = try ownedKinds ?? context.ownedKinds()
    ownedKinds = kinds
    return kinds.contains(kind)
  }

  /// Writes an item, after a question if another edition is on the shelf.
  /// - Throws: ``SilentFailure`` when the answer is no, which is printed.
  private mutating func keep(_ item: Store.NewItem) throws -> Store.Addition? {
    var addition = try write(item)
    if case .hasEdition(let id) = addition { addition = try asking(for: item, editionOf: id) }
    if case .hasEdition = addition {
      context.warn("nothing was changed")
      throw SilentFailure(status: .failed)
    }
    return addition
  }

  /// Asks whether to add another edition, and adds it.
  /// - Returns: the result; ``Store/Addition/hasEdition(_:)`` when the answer is no.
  /// - Throws: ``Failure`` when the person cannot be asked; it names the option that answers.
  private mutating func asking(for item: Store.NewItem, editionOf id: ItemID) throws -> Store.Addition? {
    let line = try store.item(id).line
    let question: Message = "Another edition is on your shelf: \(line). Add this one too?"
    guard !context.globals.isDryRun, context.terminal.isInputTerminal, context.terminal.isErrorTerminal else {
      var failure = Failure(
        "another edition is on your shelf: \(line)", hint: "--yes adds this one too", status: .misused)
      failure.cause = NeedsAnswer(option: "--yes", question: question)
      throw failure
    }
    context.note(item.record.line)
    guard try context.confirm(question) else {
      return .hasEdition(id)
    }
    var item = item
    item.mayBeEdition = true
    return try write(item)
  }

  /// Writes an item, or looks what would become of it, and prints that it is new.
  private mutating func write(_ item: Store.NewItem) throws -> Store.Addition? {
    if !context.globals.isDryRun { store = try context.writable(store) }
    return try Interrupt.postponed {
      let addition = try context.globals.isDryRun ? wouldBe(item) : store.add(item, now: context.timestamp)
      try tellNew(addition, item.record)
      return addition
    }
  }

  /// Writes items with their further rows in one transaction; each item is written completely or not at all.
  private mutating func write(_ items: [Store.NewItem]) -> [Result<Store.Addition?, any Error>] {
    guard !items.isEmpty, !context.globals.isDryRun else { return items.map { item in Result { try wouldBe(item) } } }
    do {
      store = try context.writable(store)
      return try Interrupt.postponed {
        try store.add(items, now: context.timestamp) { Interrupt.isPending }.map { $0.map { $0 } }
      }
    } catch {
      return items.map { _ in .failure(error) }
    }
  }

  /// The result that a write would have; nil when the item would be added.
  private func wouldBe(_ item: Store.NewItem) throws -> Store.Addition? {
    switch try store.likeness(of: item.record) {
    case .same(let id): .exists(id)
    case .edition(let id) where !item.mayBeEdition, .perhaps(let id) where !item.mayBeEdition: .hasEdition(id)
    case .edition, .perhaps, nil: nil
    }
  }

  /// Prints that an item was added, or would be.
  private func tellNew(_ addition: Store.Addition?, _ record: Record) throws {
    switch addition {
    case nil:
      try context.would("would add \(record.kind.singular): \(context.safe(record.headline))", Change(of: record))
    case .added(let id):
      let (genres, edition, wishes) = try store.read {
        (try store.genres(of: id), try store.editions(of: id).first, try store.wishes(fitting: record))
      }
      let other = edition.map { context.text("another edition of \($0)") }
      let names = genres.map(context.genreName).joined(separator: ", ")
      let rest = [genres.isEmpty ? nil : context.safe(names), other].compactMap(\.self)
      try context.print(
        verbatim: context.text("added \(record.kind.singular) \(id): \(context.safe(record.headline))")
          + rest.map { "  " + context.styled(verbatim: $0, .dim) }.joined())
      context.changes?.note("new", true, of: id)
      if context.state.hasStandIn, record.isPoor {
        context.hint("more may be known later: catalog refresh \(id)")
        context.state.hasStandIn = false
      }
      for wish in wishes where !context.isQuiet {
        context.warn("you wished for \(try wish.title(in: store).quoted)")
        context.hint("if this is it: catalog wishes tie \(wish.id) \(id)")
      }
    case .exists, .hasEdition: break
    }
  }

  /// Counts the result of an addition, and prints an item that existed already.
  private mutating func tell(_ addition: Store.Addition?, _ outcome: inout Outcome, _ line: TypedLine? = nil) throws {
    switch addition {
    case .exists(let id):
      let item = try store.item(id)
      let lacksCopy = try isOwned(item.record.kind) && store.copies(of: id).isEmpty
      context.already("already on the shelf: \(item.line)", Change(of: item, line?.members ?? []))
      // The card, favorite or copy that was requested is missing.
      if request.hasMore || lacksCopy && request.isOwned == true { outcome.left += 1 }
      if lacksCopy, !context.isQuiet { context.hint("it has no copy yet: catalog copy add \(id)") }
      if request.hasMore { context.hint("to do the rest: catalog card add \(id), catalog favorite \(id)") }
    case .hasEdition(let id):
      outcome.left += 1
      let edition = try store.item(id).line
      context.changes?.append(Change(.already, (line?.members ?? []) + [("edition_of", id.rawValue)]))
      guard let line else { return context.warn("not added: another edition is on your shelf: \(edition)") }
      context.warn(
        "line \(line.number), \(line.shown): not added, another edition is on your shelf: \(edition)")
      if !saidHowToAgree { context.hint("--yes adds other editions too") }
      saidHowToAgree = true
    case .added(let id):
      outcome.added += 1
      guard let changes = context.changes else { return }
      let copy = try store.copies(of: id).first
      changes.append(
        Change(
          of: try store.item(id),
          (line?.members ?? []) + [("copy", copy?.id)]))
    case nil: outcome.added += 1
    }
  }
}

extension Record {
  /// Whether the words are one of its titles.
  fileprivate func isCalled(_ words: String) -> Bool {
    ([title, originalTitle].compactMap(\.self) + otherTitles).contains { Folding.fold($0) == Folding.fold(words) }
  }
}

extension Record {
  /// The album of a song, with only its id known: a song is added as the record that it is on.
  fileprivate var album: Candidate? {
    guard kind == .music, case .other(let other) = details, let id = other.collectionID else { return nil }
    var album = Record(kind: .music, title: other.collection ?? id.description)
    album.url = url
    album.externalIDs = [id]
    return Candidate(id: id, record: album)
  }

  /// The record converted to a kind of the shelf: a music album becomes a vinyl record with its tracks.
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
