internal import CatalogModel
internal import SQLite

/// Writes the diary entries and opinions of a row.
struct DiaryApplier {
  private let store: Store
  private let item: ItemID
  private let entry: Entry
  private let before: ImportedRow?
  /// The times of earlier imports of the row. Values last changed then have not been edited since.
  private let imports: Set<String>
  private let now: Timestamp
  /// Whether the row creates the item.
  private let isNew: Bool
  /// The diary entries of the item that no time of the row matches yet.
  private var known: [DiaryEvent]
  /// The cards from before the row that none of its opinions matches yet.
  private var cards: [Card]
  /// Whether the row wrote a card.
  private var hasWritten = false
  /// The differing opinions, for the report.
  private(set) var reasons: [String] = []

  init(
    of entry: Entry, _ item: ItemID, _ before: ImportedRow?, isNew: Bool, _ imports: Set<String>, in store: Store,
    now: Timestamp
  ) throws {
    (self.store, self.item, self.entry, self.before) = (store, item, entry, before)
    (self.imports, self.now, self.isNew) = (imports, now, isNew)
    known = isNew ? [] : try store.diary(of: item)
    cards = isNew ? [] : try store.cards(of: item)
  }

  mutating func run() throws {
    let ofTimes = Set(known.compactMap(\.card))
    for opinion in try applyTimes() { try apply(opinion, besides: []) }
    for opinion in entry.opinions { try apply(opinion, besides: ofTimes) }
  }

  // MARK: Times

  /// Matches the times of the row with the diary and adds the others. A time known from an earlier import is updated.
  /// Another entry with the same outcome and day matches, too; a time without a day matches any free entry.
  /// - Returns: the opinions of times that the user changed or removed here.
  private mutating func applyTimes() throws -> [Entry.Opinion] {
    guard !entry.times.isEmpty else { return [] }
    let said = before.map { $0.said ?? SaidBefore(broughtBy: imports, known) }
    let places = said?.places(of: entry.times) ?? Array(repeating: nil, count: entry.times.count)
    let brought = isNew ? [] : try store.importTimes(of: item)
    var (new, withoutEntry): ([Entry.Time], [Entry.Opinion]) = ([], [])
    let order = entry.times.indices.sorted { one, other in
      (entry.times[one].endedOn == nil ? 1 : 0, one) < (entry.times[other].endedOn == nil ? 1 : 0, other)
    }
    for place in order {
      let time = entry.times[place]
      var event: DiaryEvent?
      if let said, let number = places[place] {
        let was = said.times[number]
        if let index = known.firstIndex(where: { $0.isTime(was) }) {
          event = try follow(known.remove(at: index), from: was, to: time)
        } else if was == SaidBefore.Time(time) || was.outcome == .ongoing {
          // The user changed, finished or removed it here.
          if let opinion = time.opinion { withoutEntry.append(opinion) }
          continue
        }
      }
      if event == nil, let index = known.firstIndex(as: time, brought) {
        event = try follow(known.remove(at: index), to: time)
      }
      if let event {
        if let opinion = time.opinion { try put(opinion, on: event, at: time) }
      } else {
        new.append(time)
      }
    }
    for time in new where try time.outcome != .ongoing || store.inProgress(item) == nil { try add(time) }
    return withoutEntry
  }

  /// Updates an entry of an earlier import with a new outcome or new days.
  private func follow(_ event: DiaryEvent, from was: SaidBefore.Time, to time: Entry.Time) throws -> DiaryEvent {
    guard was != SaidBefore.Time(time), let id = event.entry else { return event }
    if time.outcome == .ongoing, was.outcome != .ongoing, try store.inProgress(item) != nil { return event }
    try store.changeEntry(id, now: now) { entry, _ in
      // If the file no longer has a known day, the entry keeps it.
      if time.endedOn != nil || time.outcome != was.outcome { entry.endedOn = time.endedOn }
      entry.outcome = time.outcome
      entry.startedOn = time.startedOn ?? entry.startedOn
      if time.outcome != .ongoing { entry.page = nil } else { entry.page = time.page ?? entry.page }
      if let start = entry.startedOn, let end = entry.endedOn, start.isSurelyAfter(end) { entry.startedOn = nil }
    }
    return event
  }

  /// Adds the day to an entry that was imported without one.
  private func follow(_ event: DiaryEvent, to time: Entry.Time) throws -> DiaryEvent {
    guard let id = event.entry, event.endedOn == nil, let day = time.endedOn else { return event }
    try store.changeEntry(id, now: now) { entry, _ in
      entry.endedOn = day
      entry.startedOn = entry.startedOn ?? time.startedOn
      if let start = entry.startedOn, start.isSurelyAfter(day) { entry.startedOn = nil }
    }
    return event
  }

  private mutating func add(_ time: Entry.Time) throws {
    var occasion = Occasion(
      time.outcome, endedOn: time.endedOn,
      isUndated: time.endedOn == nil && (time.outcome != .ongoing || time.startedOn == nil),
      startedOn: time.startedOn, page: time.page, note: time.note, isAnother: true)
    // A page beyond the end of the book is dropped, but not the entry.
    if let page = time.page, let pages = try store.item(item).record.book.pages, page > pages { occasion.page = nil }
    let logged = try store.log(occasion, of: item, now: now)
    guard let opinion = time.opinion else { return }
    // The row has one opinion for several times, which it may have brought before.
    if let index = cards.firstIndex(where: { isOpinion(opinion, on: $0) }) {
      return try put(opinion, on: cards.remove(at: index))
    }
    try write(opinion, of: logged.entry.id, at: time)
  }

  private func isOpinion(_ opinion: Entry.Opinion, on card: Card) -> Bool {
    guard imports.contains(card.updatedAt.rawValue) else { return false }
    let isOnlyOne = entry.opinions.isEmpty && entry.times.count { $0.opinion != nil } == 1
    return isOnlyOne
      || opinion.comment != nil && card.comment == Text.lines(opinion.comment) && card.rating == opinion.rating
  }

  // MARK: Opinions

  /// Writes an opinion on a known diary entry.
  private mutating func put(_ opinion: Entry.Opinion, on event: DiaryEvent, at time: Entry.Time) throws {
    if let card = event.card {
      cards.removeAll { $0.id == card }
      try put(opinion, on: try store.card(card))
    } else if let entry = event.entry {
      if let index = cards.firstIndex(where: { isOpinion(opinion, on: $0) }) {
        return try put(opinion, on: cards.remove(at: index))
      }
      try write(opinion, of: entry, at: time)
    }
  }

  /// Writes the card of a diary entry.
  private mutating func write(_ opinion: Entry.Opinion, of id: LogEntryID, at time: Entry.Time) throws {
    let card = try add(opinion, at: opinion.day ?? time.endedOn)
    try store.attach(card.id, to: id)
  }

  private mutating func add(_ opinion: Entry.Opinion, at day: PartialDate?) throws -> Card {
    hasWritten = true
    return try store.addCard(
      to: item, rating: opinion.rating, comment: opinion.comment,
      thought: store.moment(day ?? entry.addedOn, before: now), now: now)
  }

  /// Fills a card with the missing values of an opinion. A card that an earlier import wrote, and the user has not
  /// edited, follows the file. Any other card stays, and differences are reported.
  private mutating func put(_ opinion: Entry.Opinion, on known: Card) throws {
    let follows = imports.contains(known.updatedAt.rawValue)
    try store.changeCard(known.id, now: now) { card in
      card.rating = follows ? opinion.rating ?? card.rating : card.rating ?? opinion.rating
      card.comment = follows ? opinion.comment ?? card.comment : card.comment ?? opinion.comment
    }
    guard !follows else { return }
    if let rating = opinion.rating, let current = known.rating, current.value != rating.value {
      reasons.append("rating: \(rating)")
    }
    if let comment = Text.lines(opinion.comment), let current = known.comment, current != comment {
      reasons.append("comment: \(comment.prefix(60))")
    }
  }

  /// Writes an opinion without a time: as a card, unless a card says the same. A differing rating of the user stays.
  private mutating func apply(_ opinion: Entry.Opinion, besides ofTimes: Set<CardID>) throws {
    let comment = Text.lines(opinion.comment)
    func says(_ card: Card) -> Bool {
      (opinion.rating == nil || card.rating == opinion.rating) && (comment == nil || card.comment == comment)
    }
    let all = isNew && !hasWritten ? [] : try store.cards(of: item)
    // For a new item, the days in the file decide which opinion is the latest.
    if !isNew || opinion.day == nil, all.contains(where: says) { return }
    let known =
      cards.firstIndex { comment != nil && $0.comment == comment && $0.rating == nil }
      ?? cards.firstIndex { !ofTimes.contains($0.id) && imports.contains($0.updatedAt.rawValue) }
    if let known { return try put(opinion, on: cards.remove(at: known)) }
    let day = opinion.day ?? entry.addedOn
    guard !isNew, !all.isEmpty, let current = all.first(where: { $0.rating != nil }), let rating = opinion.rating,
      current.rating?.value != rating.value
    else {
      _ = try add(opinion, at: opinion.day)
      return
    }
    // An older opinion is added; the current one stays.
    if before == nil, let day, store.moment(day, before: now) < current.createdAt {
      _ = try add(opinion, at: opinion.day)
    } else {
      reasons.append("rating: \(rating)")
      if let comment, let said = Entry.Opinion(comment: comment) { _ = try add(said, at: opinion.day) }
    }
  }
}

extension Store {
  /// The times of imports with rows of an item.
  fileprivate func importTimes(of item: ItemID) throws -> Set<String> {
    try Set(
      db.values(
        "SELECT at FROM import_batch WHERE id IN (SELECT batch_id FROM import_row WHERE item_id = \(item.rawValue))",
        as: String.self))
  }
}

extension SaidBefore {
  /// Creates the values of a row that an earlier version imported: the diary entries of its imports.
  fileprivate init(broughtBy imports: Set<String>, _ events: [DiaryEvent]) {
    self.init(
      times: events.filter { $0.entry != nil && imports.contains($0.createdAt.rawValue) }.map { event in
        Time(Entry.Time(event.outcome, startedOn: event.startedOn, endedOn: event.endedOn))
      }, isWish: false)
  }
}

extension DiaryEvent {
  /// Whether it is the diary entry of an imported time.
  fileprivate func isTime(_ time: SaidBefore.Time) -> Bool {
    entry != nil && outcome == time.outcome && endedOn == time.endedOn
  }
}

extension [DiaryEvent] {
  /// The index of the event that matches a time of a file.
  /// - Parameter brought: the times of imports. An entry that was imported without a day matches any day.
  fileprivate func firstIndex(as time: Entry.Time, _ brought: Set<String>) -> Int? {
    let alike = indices.filter { self[$0].outcome == time.outcome }
    guard let day = time.endedOn else { return alike.first { self[$0].endedOn == nil } ?? alike.first }
    return alike.first { self[$0].endedOn == day }
      ?? alike.first {
        self[$0].endedOn == nil && self[$0].entry != nil && brought.contains(self[$0].createdAt.rawValue)
      }
  }
}

extension PartialDate {
  /// Whether it is later than another date, as far as both are known.
  fileprivate func isSurelyAfter(_ other: PartialDate) -> Bool {
    let known = min(description.utf8.count, other.description.utf8.count)
    return description.prefix(known) > other.description.prefix(known)
  }
}
