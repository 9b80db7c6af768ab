internal import CatalogModel
internal import SQLite

extension Store {
  /// Keeps what an entry says: of a new item all, of one that is there what it lacks. What is said otherwise here stays, and is told.
  /// - Parameter before: the row when it last came, whose item it is.
  func take(
    _ entry: Entry, _ placement: Placement, as before: ImportedRow?, format: String, with writer: ItemWriter,
    now: Timestamp
  ) throws -> Taken {
    var entry = entry
    entry.record.note = Text.line(([entry.record.note].compactMap(\.self) + entry.notes).joined(separator: "; "))
    if case .entry(let record) = placement { entry.record = record.filled(from: entry.record) }
    // Whose labels they are, where no id says so.
    if entry.record.externalIDs.isEmpty { entry.record.labelSource = entry.record.labelSource ?? format }
    try Self.check(entry.record)
    if let note = entry.record.note?.unicodeScalars.count, note > Copy.longestNote {
      throw CatalogError.noteTooLong(note)
    }
    // What a person says goes before what the row became.
    var placement = placement
    if case .item = placement {} else { placement = before?.item.map { .item($0) } ?? placement }
    var taken: Taken
    if let item = try self.item(for: entry.record, placement) {
      taken = Taken(outcome: .joined, item: item)
      taken.reasons = try fill(item, from: entry.record, format: format, now: now)
    } else {
      // It came there when it came into the other program.
      let day = entry.addedOn?.day == nil ? nil : entry.addedOn.map { Timestamp(rawValue: "\($0)T00:00:00Z") }
      let item = try writer.insert(entry.record, genres: nil, now: day.map { min($0, now) } ?? now)
      for external in entry.record.externalIDs { try adoptRecent(external, item: item) }
      if case .edition(let other) = placement, try exists(other) { try join(item, to: other) }
      taken = Taken(outcome: .added, item: item)
    }
    guard let item = taken.item else { return taken }
    let since = before.map(\.batch)
    try takeCopies(of: entry, item, isAgain: before != nil, key: format, into: &taken, now: now)
    try takeTimes(of: entry, item, isNew: taken.outcome == .added, now: now)
    try takeOpinions(of: entry, item, lastImport: since, into: &taken, now: now)
    for tag in entry.tags.compactMap(Text.line) { _ = try put(tag, on: item) }
    if entry.isFavorite, try !isFavorite(item) { _ = try favorite(item, now: now) }
    if let terms = entry.wish {
      _ = try wish(for: .item(item), now: now) { wished in
        wished.limit = wished.limit ?? terms.limit
        wished.note = wished.note ?? terms.note
      }
    }
    return taken
  }

  /// The item that a row is taken for; nil for a new one. What a row was taken for may have become another's meanwhile.
  private func item(for record: Record, _ placement: Placement) throws -> ItemID? {
    func isOne(_ id: ItemID) throws -> Bool {
      try db.value("SELECT kind FROM item WHERE id = \(id.rawValue)", as: String.self) == record.kind.rawValue
    }
    if case .item(let id) = placement, try isOne(id) { return id }
    guard let id = try itemID(of: record), try isOne(id) else { return nil }
    return id
  }

  private func isFavorite(_ item: ItemID) throws -> Bool {
    try db.value("SELECT 1 FROM favorite WHERE item_id = \(item.rawValue)", as: Int.self) != nil
  }

  // MARK: Fields

  /// Fills what an item lacks.
  /// - Returns: what the record says otherwise.
  private func fill(_ id: ItemID, from record: Record, format: String, now: Timestamp) throws -> [String] {
    let seen = try item(id).record
    try change(id, from: .source(format), now: now) { kept in
      let before = kept.record.note
      kept.record = kept.record.filled(from: record)
      if let before, let note = record.note, !before.contains(note) { kept.record.note = "\(before); \(note)" }
    }
    try ItemWriter(db).add(record.externalIDs, to: id)
    return seen.differences(to: record)
  }

  // MARK: Copies

  /// A row speaks of its own copies: those of other rows of the format are others, those that nobody spoke of may be these.
  private func takeCopies(
    of entry: Entry, _ item: ItemID, isAgain: Bool, key format: String, into taken: inout Taken, now: Timestamp
  ) throws {
    guard !entry.copies.isEmpty else { return }
    taken.copies = entry.copies.count
    let spokenOf = try db.value(
      """
      SELECT coalesce(sum(copies), 0) FROM import_row AS row WHERE item_id = \(item.rawValue)
        AND key >= \(format + " ") AND key < \(format + "!")
        AND NOT EXISTS (SELECT 1 FROM import_row WHERE key = row.key AND id > row.id)
      """, as: Int.self)
    var free = try copies(of: item)
    let claimed = spokenOf ?? 0
    for copy in entry.copies {
      let facts = try Self.check(copy.facts)
      guard isAgain ? !free.isEmpty : free.count > claimed else {
        let new = try addCopy(facts, of: item, now: now)
        try lend(new.id, as: copy, isOut: false, now: now)
        continue
      }
      let same = free.firstIndex { $0.facts == facts } ?? free.firstIndex { $0.facts == Copy.Facts() } ?? 0
      let known = free.remove(at: same)
      try changeCopy(known.id) { $0 = $0.filled(from: facts) }
      if known.facts.filled(from: facts) != facts.filled(from: known.facts) {
        let words = [facts.grades, facts.format, facts.place].compactMap(\.self)
        taken.reasons.append("copy \(known.id): \(words.joined(separator: ", "))")
      }
      try lend(known.id, as: copy, isOut: known.holder != nil, now: now)
    }
  }

  private func lend(_ id: CopyID, as copy: Entry.CopyOwned, isOut: Bool, now: Timestamp) throws {
    guard let holder = copy.holder, !isOut, let since = holder.since ?? PartialDate(now.day), since.day != nil else {
      return
    }
    let due = holder.due.flatMap { $0.day == nil || $0.description < since.description ? nil : $0 }
    try lend(id, to: holder.person, on: since, due: due)
  }

  // MARK: Times and opinions

  /// A time of the same outcome and the same day is the same time. One without a day is one of those that are known, as long as there
  /// are enough of them.
  private func takeTimes(of entry: Entry, _ item: ItemID, isNew: Bool, now: Timestamp) throws {
    guard !entry.times.isEmpty else { return }
    var known = isNew ? [] : try diary(of: item)
    let all = Dictionary(grouping: entry.times, by: \.outcome)
    for time in entry.times.filter({ $0.endedOn != nil }) + entry.times.filter({ $0.endedOn == nil }) {
      let same = known.firstIndex { event in
        guard event.outcome == time.outcome else { return false }
        if let day = time.endedOn { return event.endedOn == day }
        return time.outcome == .ongoing || event.endedOn == nil
          || known.count { $0.outcome == time.outcome } >= all[time.outcome]?.count ?? 0
      }
      if let same {
        let event = known.remove(at: same)
        if let opinion = time.opinion { try add(opinion, to: event, of: item, now: now) }
        continue
      }
      if time.outcome == .ongoing, try inProgress(item) != nil { continue }
      var occasion = Occasion(
        time.outcome, endedOn: time.endedOn,
        isUndated: time.endedOn == nil && (time.outcome != .ongoing || time.startedOn == nil),
        startedOn: time.startedOn, page: time.page, note: time.note, rating: time.opinion?.rating,
        comment: time.opinion?.comment, isAnother: true)
      // A page beyond the book is no reason to lose the time.
      if let page = time.page, let pages = entry.record.book.pages, page > pages { occasion.page = nil }
      _ = try log(occasion, of: item, now: now)
    }
  }

  /// What was thought at a time that is known: what its card lacks, it gets.
  private func add(_ opinion: Entry.Opinion, to event: DiaryEvent, of item: ItemID, now: Timestamp) throws {
    if let card = event.card {
      try changeCard(card, now: now) { card in
        card.rating = card.rating ?? opinion.rating
        card.comment = card.comment ?? opinion.comment
      }
    } else if let entry = event.entry {
      try changeEntry(entry, now: now) { _, card in (card.rating, card.comment) = (opinion.rating, opinion.comment) }
    }
  }

  /// What is thought of it at no time: a card, unless one says so. Where a person thinks otherwise here, that stays; but a card that an
  /// earlier import wrote, and nobody touched, follows the file.
  private func takeOpinions(
    of entry: Entry, _ item: ItemID, lastImport: Int64?, into taken: inout Taken, now: Timestamp
  ) throws {
    let lastTime = try lastImport.flatMap {
      try db.value("SELECT at FROM import_batch WHERE id = \($0)", as: String.self)
    }
    for opinion in entry.opinions {
      let cards = try cards(of: item)
      func says(_ card: Card) -> Bool {
        (opinion.rating == nil || card.rating == opinion.rating)
          && (opinion.comment == nil || card.comment == Text.lines(opinion.comment))
      }
      if cards.contains(where: says) { continue }
      if let known = cards.first(where: { $0.comment != nil && $0.comment == opinion.comment && $0.rating == nil }) {
        try changeCard(known.id, now: now) { $0.rating = opinion.rating }
      } else if let lastTime,
        let written = cards.first(where: {
          $0.createdAt.rawValue == lastTime && $0.updatedAt.rawValue == lastTime && $0.seenOn == nil
        })
      {
        try changeCard(written.id, now: now) {
          ($0.rating, $0.comment) = (opinion.rating ?? $0.rating, opinion.comment ?? $0.comment)
        }
      } else if let rating = try self.rating(of: item), let new = opinion.rating, rating.value != new.value {
        taken.reasons.append("rating: \(new)")
        if let comment = opinion.comment { _ = try addCard(to: item, rating: nil, comment: comment, now: now) }
      } else {
        _ = try addCard(to: item, rating: opinion.rating, comment: opinion.comment, now: now)
      }
    }
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
