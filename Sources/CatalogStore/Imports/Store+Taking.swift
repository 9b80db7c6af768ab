internal import CatalogModel
internal import SQLite

extension Store {
  /// Keeps what an entry says: of a new item all, of one that is there what it lacks. What is said otherwise here stays, and is told.
  /// - Parameter before: the row when it last came, whose item it is.
  func take(
    _ row: PreparedRow, _ placement: Placement, as before: ImportedRow?, format: String, with writer: ItemWriter,
    now: Timestamp
  ) throws -> Taken {
    guard let entry = row.entry else { return Taken(outcome: .rejected) }
    if case .entry(let record) = placement {
      var filled = entry
      filled.record = record.filled(from: entry.record)
      return try take(filled, nil, placement, as: before, format: format, with: writer, now: now)
    }
    return try take(entry, row.cells, placement, as: before, format: format, with: writer, now: now)
  }

  private func take(
    _ entry: Entry, _ cells: RecordCells?, _ placement: Placement, as before: ImportedRow?, format: String,
    with writer: ItemWriter, now: Timestamp
  ) throws -> Taken {
    try Self.check(entry.record)
    // What a person says goes before what the row became.
    var placement = placement
    if case .item = placement {} else { placement = before?.item.map { .item($0) } ?? placement }
    var taken: Taken
    if let item = try self.item(for: entry.record, placement, writer) {
      taken = Taken(outcome: .joined, item: item)
      try writer.flush()
      taken.reasons = try fill(item, from: entry.record, format: format, now: now)
    } else {
      // It came there when it came into the other program.
      let day = entry.addedOn?.day == nil ? nil : entry.addedOn.map { Timestamp(rawValue: "\($0)T00:00:00Z") }
      let item = try writer.insert(
        entry.record, genres: nil, cells: cells, now: day.map { min($0, now) } ?? now)
      try writer.adoptRecents(as: item, of: entry.record.externalIDs)
      if case .edition(let other) = placement, try exists(other) {
        try writer.flush()
        try join(item, to: other)
      }
      taken = Taken(outcome: .added, item: item)
    }
    guard let item = taken.item else { return taken }
    let isNew = taken.outcome == .added
    let imports = try before.map { try importTimes(ofKey: $0.key) } ?? []
    try takeCopies(of: entry, item, before, isNew: isNew, key: format, with: writer, into: &taken, now: now)
    if !entry.isOnlyThing { try writer.flush() }
    try takeTimes(of: entry, item, isNew: isNew, imports, into: &taken, now: now)
    try takeOpinions(of: entry, item, isNew: isNew, imports, into: &taken, now: now)
    for tag in entry.tags.compactMap(Text.line) { _ = try put(tag, on: item) }
    if entry.isFavorite, try !isFavorite(item) { _ = try favorite(item, now: now) }
    // A wish that came before and is fulfilled by now is none any more.
    if let terms = entry.wish, try before == nil || !isWishedNoMore(item) {
      _ = try wish(for: .item(item), now: now) { wished in
        wished.limit = wished.limit ?? terms.limit
        wished.note = wished.note ?? terms.note
      }
    }
    return taken
  }

  private func isWishedNoMore(_ item: ItemID) throws -> Bool {
    try db.value("SELECT count(*) > 0 AND count(fulfilled_at) = count(*) FROM wish WHERE item_id = \(item.rawValue)")
      ?? false
  }

  /// When a row came in: what was last changed then, and is of that row, nobody has touched since.
  private func importTimes(ofKey key: String) throws -> Set<String> {
    try Set(
      db.values(
        "SELECT at FROM import_batch WHERE id IN (SELECT batch_id FROM import_row WHERE key = \(key))", as: String.self)
    )
  }

  /// The item that a row is taken for; nil for a new one. What a row was taken for may have become another's meanwhile.
  private func item(for record: Record, _ placement: Placement, _ writer: ItemWriter) throws -> ItemID? {
    if case .item(let id) = placement, try has(id, ofKind: record.kind) { return id }
    guard let id = try writer.itemID(of: record), try has(id, ofKind: record.kind) else { return nil }
    return id
  }

  /// Whether there is such an item.
  func has(_ id: ItemID, ofKind kind: Kind) throws -> Bool {
    try db.value("SELECT kind FROM item WHERE id = \(id.rawValue)", as: String.self) == kind.rawValue
  }

  private func isFavorite(_ item: ItemID) throws -> Bool {
    try db.value("SELECT 1 FROM favorite WHERE item_id = \(item.rawValue)", as: Int.self) != nil
  }

  // MARK: Fields

  /// Fills what an item lacks.
  /// - Returns: what the record says otherwise.
  private func fill(_ id: ItemID, from record: Record, format: String, now: Timestamp) throws -> [String] {
    let seen = try item(id).record
    let locked = try lockedFields(of: id)
    try change(id, from: .source(format), now: now) { kept in
      let before = kept.record.note
      kept.record = kept.record.filled(from: record, except: locked)
      if let before, let note = record.note, !before.contains(note), !locked.contains("note") {
        kept.record.note = "\(before); \(note)"
      }
    }
    try ItemWriter(db).add(record.externalIDs, to: id)
    return seen.differences(to: record)
  }

  // MARK: Copies

  /// A row speaks of its own copies: those of other rows of the format are others, those that nobody spoke of may be these. What a row
  /// spoke of before and is gone by now was taken away here.
  private func takeCopies(
    of entry: Entry, _ item: ItemID, _ before: ImportedRow?, isNew: Bool, key format: String,
    with writer: ItemWriter, into taken: inout Taken, now: Timestamp
  ) throws {
    guard !entry.copies.isEmpty else { return }
    taken.copies = entry.copies.count
    if isNew, before == nil {
      for copy in entry.copies {
        let facts = try Self.check(copy.facts)
        if copy.holder == nil {
          try writer.addCopy(of: item, facts, now: now)
        } else {
          try lend(self.copy(writer.own(item, facts, now: now)), as: copy, now: now)
        }
      }
      return
    }
    let spokenOf = try db.value(
      """
      SELECT coalesce(sum(copies), 0) FROM import_row AS row WHERE item_id = \(item.rawValue)
        AND key >= \(format + " ") AND key < \(format + "!")
        AND NOT EXISTS (SELECT 1 FROM import_row WHERE key = row.key AND id > row.id)
      """, as: Int.self)
    var free = try copies(of: item)
    var knowable = before == nil ? free.count - (spokenOf ?? 0) : free.count
    var missing = before.map { entry.copies.count - $0.copies } ?? entry.copies.count
    for copy in entry.copies {
      let facts = try Self.check(copy.facts)
      guard knowable > 0, !free.isEmpty else {
        guard missing > 0 else { continue }
        missing -= 1
        try lend(try addCopy(facts, of: item, now: now), as: copy, now: now)
        continue
      }
      knowable -= 1
      let same = free.firstIndex { $0.facts == facts } ?? free.firstIndex { $0.facts == Copy.Facts() } ?? 0
      let known = free.remove(at: same)
      try changeCopy(known.id) { $0 = $0.filled(from: facts) }
      if known.facts.filled(from: facts) != facts.filled(from: known.facts) {
        let words = [facts.grades, facts.format, facts.place].compactMap(\.self)
        taken.reasons.append("copy \(known.id): \(words.joined(separator: ", "))")
      }
      try lend(known, as: copy, now: now)
    }
  }

  /// Writes who has a copy, unless somebody has it, or has brought it back. A loan of which no day is known is one of today.
  private func lend(_ known: Copy, as copy: Entry.CopyOwned, now: Timestamp) throws {
    guard let holder = copy.holder, known.holder == nil else { return }
    let since = holder.since.flatMap { $0.day == nil ? nil : $0 }
    let isOver = try db.value(
      """
      SELECT 1 FROM loan WHERE copy_id = \(known.id.rawValue) AND person = \(holder.person)
        AND (\(since?.description) IS NULL OR lent_on = \(since?.description))
      """, as: Int.self)
    guard isOver == nil, let day = since ?? PartialDate(now.day) else { return }
    let due = holder.due.flatMap { $0.day == nil || $0.description < day.description ? nil : $0 }
    try lend(known.id, to: holder.person, on: day, due: due)
  }

  // MARK: Times and opinions

  /// A time of the same outcome and the same day is the same time. One without a day is any of those that are known and that no other
  /// time of the row is.
  private func takeTimes(
    of entry: Entry, _ item: ItemID, isNew: Bool, _ imports: Set<String>, into taken: inout Taken, now: Timestamp
  ) throws {
    guard !entry.times.isEmpty else { return }
    var known = isNew ? [] : try diary(of: item)
    for time in entry.times.filter({ $0.endedOn != nil }) + entry.times.filter({ $0.endedOn == nil }) {
      let alike = known.indices.filter { known[$0].outcome == time.outcome }
      let same =
        time.endedOn == nil
        ? alike.first { known[$0].endedOn == nil } ?? alike.first : alike.first { known[$0].endedOn == time.endedOn }
      if let same {
        let event = known.remove(at: same)
        if let opinion = time.opinion { try put(opinion, on: event, of: item, imports, into: &taken, now: now) }
        continue
      }
      if time.outcome == .ongoing, try inProgress(item) != nil { continue }
      var occasion = Occasion(
        time.outcome, endedOn: time.endedOn,
        isUndated: time.endedOn == nil && (time.outcome != .ongoing || time.startedOn == nil),
        startedOn: time.startedOn, page: time.page, note: time.note, rating: time.opinion?.rating,
        comment: time.opinion?.comment, isAnother: true)
      // A page beyond the book is no reason to lose the time.
      if let page = time.page, let pages = try self.item(item).record.book.pages, page > pages { occasion.page = nil }
      _ = try log(occasion, of: item, now: now)
    }
  }

  /// What was thought at a time that is known.
  private func put(
    _ opinion: Entry.Opinion, on event: DiaryEvent, of item: ItemID, _ imports: Set<String>, into taken: inout Taken,
    now: Timestamp
  ) throws {
    if let card = event.card {
      try put(opinion, on: try self.card(card), imports, into: &taken, now: now)
    } else if let entry = event.entry {
      try changeEntry(entry, now: now) { _, card in (card.rating, card.comment) = (opinion.rating, opinion.comment) }
    }
  }

  /// What a card lacks it gets. One that an earlier import of the row wrote, and nobody touched, follows the file; any other stays, and
  /// what the file says otherwise is told.
  private func put(
    _ opinion: Entry.Opinion, on known: Card, _ imports: Set<String>, into taken: inout Taken, now: Timestamp
  ) throws {
    let follows = imports.contains(known.updatedAt.rawValue)
    try changeCard(known.id, now: now) { card in
      card.rating = follows ? opinion.rating ?? card.rating : card.rating ?? opinion.rating
      card.comment = follows ? opinion.comment ?? card.comment : card.comment ?? opinion.comment
    }
    guard !follows else { return }
    if let rating = opinion.rating, let mine = known.rating, mine.value != rating.value {
      taken.reasons.append("rating: \(rating)")
    }
    if let comment = Text.lines(opinion.comment), let mine = known.comment, mine != comment {
      taken.reasons.append("comment: \(comment.prefix(60))")
    }
  }

  /// What is thought of it at no time: a card, unless one says so. Where a person thinks otherwise here, that stays.
  private func takeOpinions(
    of entry: Entry, _ item: ItemID, isNew: Bool, _ imports: Set<String>, into taken: inout Taken, now: Timestamp
  ) throws {
    guard !entry.opinions.isEmpty else { return }
    var hasCards = !isNew || entry.times.contains { $0.opinion != nil }
    let ofTimes = hasCards ? try Set(diary(of: item).compactMap(\.card)) : []
    for opinion in entry.opinions {
      let cards = hasCards ? try cards(of: item) : []
      hasCards = true
      let comment = Text.lines(opinion.comment)
      func says(_ card: Card) -> Bool {
        (opinion.rating == nil || card.rating == opinion.rating) && (comment == nil || card.comment == comment)
      }
      if cards.contains(where: says) { continue }
      let known =
        cards.first { comment != nil && $0.comment == comment && $0.rating == nil }
        ?? cards.first { !ofTimes.contains($0.id) && imports.contains($0.updatedAt.rawValue) }
      if let known {
        try put(opinion, on: known, imports, into: &taken, now: now)
      } else if !cards.isEmpty, let rating = try self.rating(of: item), let new = opinion.rating,
        rating.value != new.value
      {
        taken.reasons.append("rating: \(new)")
        if comment != nil { _ = try addCard(to: item, rating: nil, comment: comment, now: now) }
      } else {
        _ = try addCard(to: item, rating: opinion.rating, comment: comment, now: now)
      }
    }
  }
}

extension Entry {
  /// Whether it says what a thing is, and what is owned of it, and nothing else.
  fileprivate var isOnlyThing: Bool {
    times.isEmpty && opinions.isEmpty && tags.isEmpty && !isFavorite && wish == nil
  }
}

extension Copy.Facts {
  /// With what they lack and others say.
  fileprivate func filled(from others: Copy.Facts) -> Copy.Facts {
    Copy.Facts(
      format: format ?? others.format, media: media ?? others.media, sleeve: sleeve ?? others.sleeve,
      place: place ?? others.place, price: price ?? others.price, acquiredOn: acquiredOn ?? others.acquiredOn,
      acquiredFrom: acquiredFrom ?? others.acquiredFrom, note: note ?? others.note)
  }
}
