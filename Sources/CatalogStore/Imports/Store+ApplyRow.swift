internal import CatalogModel
internal import SQLite

extension Store {
  /// Applies a row: creates an item with all its values, or fills an existing item. Differing values stay and are
  /// reported.
  /// - Parameter before: the last import of the row, with its item.
  func apply(
    _ row: PreparedRow, _ target: RowTarget, as before: ImportedRow?, format: String, with writer: ItemWriter,
    now: Timestamp
  ) throws -> RowOutcome {
    guard var entry = row.entry else { return RowOutcome(outcome: .rejected) }
    switch target {
    case .entry(let known), .edition(_, let known?):
      entry.record = entry.record.completed(from: known, hasGenres: try writer.meansGenres(entry.record))
    case .item, .new, .left, .edition: break
    }
    try Self.check(entry.record)
    // A decision of the user takes precedence over the earlier result.
    var target = target
    if case .item = target {} else { target = before?.item.map { .item($0) } ?? target }
    var applied: RowOutcome
    if case .item(let item) = target, try has(item, ofKind: entry.record.kind) {
      applied = RowOutcome(outcome: .joined, item: item)
      (applied.reasons, applied.remarks) = try fill(item, from: entry.record, format: format, now: now)
    } else {
      // The item was added when it was added to the other program.
      let item = try writer.insert(entry.record, genres: nil, now: moment(entry.addedOn, before: now))
      try writer.adoptRecents(as: item, of: entry.record.externalIDs)
      if case .edition(let other, _) = target, try exists(other) { try addEdition(item, to: other) }
      applied = RowOutcome(outcome: .added, item: item)
    }
    guard let item = applied.item else { return applied }
    let isNew = applied.outcome == .added
    let imports = try before.map { try importTimes(ofKey: $0.key) } ?? []
    try applyCopies(of: entry, item, before, isNew: isNew, key: format, with: writer, into: &applied, now: now)
    if !entry.times.isEmpty || !entry.opinions.isEmpty {
      var diary = try DiaryApplier(of: entry, item, before, isNew: isNew, imports, in: self, now: now)
      try diary.run()
      applied.reasons += diary.reasons
    }
    for tag in entry.tags.compactMap(Text.line) { _ = try put(tag, on: item) }
    if entry.isFavorite, try !isFavorite(item) {
      _ = try favorite(item, now: moment(entry.favoriteOn ?? entry.addedOn, before: now))
    }
    try applyWish(of: entry, item, before, now: now)
    return applied
  }

  /// Applies the wish of a row. A fulfilled wish stays fulfilled, and a wish that the file no longer has is closed.
  private func applyWish(of entry: Entry, _ item: ItemID, _ before: ImportedRow?, now: Timestamp) throws {
    guard let terms = entry.wish else {
      if before?.said?.isWish == true {
        try db.run(
          "UPDATE wish SET fulfilled_at = \(now.rawValue) WHERE item_id = \(item.rawValue) AND fulfilled_at IS NULL")
      }
      return
    }
    guard try before == nil || !isWishedNoMore(item) else { return }
    _ = try wish(for: .item(item), now: moment(entry.wishedOn ?? entry.addedOn, before: now)) { wished in
      wished.limit = wished.limit ?? terms.limit
      wished.note = wished.note ?? terms.note
    }
  }

  private func isWishedNoMore(_ item: ItemID) throws -> Bool {
    try db.value("SELECT count(*) > 0 AND count(fulfilled_at) = count(*) FROM wish WHERE item_id = \(item.rawValue)")
      ?? false
  }

  /// The start of a date, as the time of an imported event; now if there is none. A date before 1900 is no time in the
  /// user's life.
  func moment(_ date: PartialDate?, before now: Timestamp) -> Timestamp {
    guard let date, date.year >= 1900 else { return now }
    return min(localTime.start(of: date), now)
  }

  /// The times of imports of a row. Values last changed then have not been edited since.
  private func importTimes(ofKey key: String) throws -> Set<String> {
    try Set(
      db.values(
        "SELECT at FROM import_batch WHERE id IN (SELECT batch_id FROM import_row WHERE key = \(key))", as: String.self)
    )
  }

  /// Whether the item exists and is of this kind.
  func has(_ id: ItemID, ofKind kind: Kind) throws -> Bool {
    try db.value("SELECT kind FROM item WHERE id = \(id.rawValue)", as: String.self) == kind.rawValue
  }

  private func isFavorite(_ item: ItemID) throws -> Bool {
    try db.value("SELECT 1 FROM favorite WHERE item_id = \(item.rawValue)", as: Int.self) != nil
  }

  // MARK: Fields

  /// Fills the empty fields of an item.
  /// - Returns: the differing values, and remarks on texts that were cut.
  private func fill(
    _ id: ItemID, from record: Record, format: String, now: Timestamp
  ) throws -> (differences: [String], remarks: [Entry.Remark]) {
    let seen = try item(id).record
    let locked = try lockedFields(of: id)
    var remarks: [Entry.Remark] = []
    try change(id, from: .source(format), now: now) { kept in
      let before = kept.record.note
      kept.record = kept.record.filled(from: record, except: locked)
      if let before, let note = record.note, !before.contains(note), !locked.contains("note") {
        let both = "\(before); \(note)".unicodeScalars
        let isLong = both.count > Copy.longestNote
        kept.record.note = isLong ? String(scalars: both.prefix(Copy.longestNote - 1)) + "…" : String(both)
        if isLong { remarks.append(.tooLong("note")) }
      }
    }
    try ItemWriter(db).add(record.externalIDs, to: id)
    return (seen.differences(to: record), remarks)
  }

  // MARK: Copies

  /// Applies the copies of a row. Copies of other rows of the format do not match; copies without a row may. A copy
  /// that an earlier import brought and that is gone was removed here.
  private func applyCopies(
    of entry: Entry, _ item: ItemID, _ before: ImportedRow?, isNew: Bool, key format: String,
    with writer: ItemWriter, into applied: inout RowOutcome, now: Timestamp
  ) throws {
    guard !entry.copies.isEmpty else { return }
    applied.copies = entry.copies.count
    if isNew, before == nil {
      for copy in entry.copies {
        let facts = try Self.check(copy.facts)
        let id = try writer.addCopy(of: item, facts, now: now)
        if copy.holder != nil { try lend(self.copy(id), as: copy, now: now) }
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
        applied.reasons.append("copy \(known.id): \(words.joined(separator: ", "))")
      }
      try lend(known, as: copy, now: now)
    }
  }

  /// Records the loan of a copy, unless it is lent or the loan is over. A loan without a day starts today.
  private func lend(_ known: Copy, as copy: Entry.CopyOwned, now: Timestamp) throws {
    guard let holder = copy.holder, known.holder == nil else { return }
    let since = holder.since.flatMap { $0.day == nil ? nil : $0 }
    let isOver = try db.value(
      """
      SELECT 1 FROM loan WHERE copy_id = \(known.id.rawValue) AND person = \(holder.person)
        AND (\(since?.description) IS NULL OR lent_on = \(since?.description))
      """, as: Int.self)
    guard isOver == nil, let day = since ?? localTime.date(of: now) else { return }
    let due = holder.due.flatMap { $0.day == nil || $0.description < day.description ? nil : $0 }
    try lend(known.id, to: holder.person, on: day, due: due)
  }
}

extension Record {
  /// Returns the record with missing values from another record of the work. The other title becomes an alternative
  /// title.
  fileprivate func completed(from other: Record, hasGenres: Bool) -> Record {
    var other = other
    if kind == .vinyl, !WorkIdentity(self).codes.isEmpty {
      // Other pressings have other countries and labels.
      (other.vinyl.label, other.vinyl.country) = (nil, nil)
      other.credits.removeAll { $0.role == .label }
    }
    var record = filled(from: other)
    let titles = [title, record.originalTitle].compactMap(\.self) + record.otherTitles
    func key(_ title: String) -> UInt32 { WorkTitle(title, of: kind).key }
    if !titles.map(key).contains(key(other.title)) { record.otherTitles.append(other.title) }
    if record.originalTitle == title { record.originalTitle = nil }
    if !hasGenres {
      // The labels of the file are kept, although they mean no genres.
      record.labels += other.labels.filter { !record.labels.contains($0) }
      record.labelSource = other.labelSource ?? other.externalIDs.first?.source ?? record.labelSource
    }
    return record
  }
}

extension Copy.Facts {
  /// Returns the facts with missing values from others.
  fileprivate func filled(from others: Copy.Facts) -> Copy.Facts {
    Copy.Facts(
      format: format ?? others.format, media: media ?? others.media, sleeve: sleeve ?? others.sleeve,
      place: place ?? others.place, price: price ?? others.price, acquiredOn: acquiredOn ?? others.acquiredOn,
      acquiredFrom: acquiredFrom ?? others.acquiredFrom, note: note ?? others.note)
  }
}
