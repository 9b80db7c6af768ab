internal import CatalogModel

extension Entry {
  /// Moves values that the catalog cannot store to the note, each with a remark.
  /// - Parameter lastDay: days after it are in the future.
  mutating func fit(lastDay: String) {
    func take(_ text: String, _ name: String, because remark: Remark) {
      notes.append("\(name): \(text)")
      self.remark(remark)
    }
    if let year = record.year, year == 0 || !ReleaseYear.range.contains(year) {
      record.year = nil
      take("\(year)", "Year", because: Remark("an impossible year goes into the note"))
    }
    func isToCome(_ date: PartialDate) -> Bool { lastDay.prefix(date.description.utf8.count) < date.description }
    for place in times.indices {
      if let date = times[place].endedOn, isToCome(date) {
        times[place].endedOn = nil
        take("\(date)", "Finished", because: .yetToCome)
      }
      if let date = times[place].startedOn, isToCome(date) {
        times[place].startedOn = nil
        take("\(date)", "Started", because: .yetToCome)
      }
      if times[place].outcome == .ongoing, let date = times[place].endedOn {
        times[place].endedOn = nil
        take("\(date)", "Finished", because: Remark("the end date of an entry in progress goes into the note"))
      }
      if let start = times[place].startedOn, let end = times[place].endedOn {
        let known = min(start.description.utf8.count, end.description.utf8.count)
        if start.description.prefix(known) > end.description.prefix(known) {
          times[place].startedOn = nil
          take("\(start)", "Started", because: .endsBeforeStart)
        }
      }
      if let page = times[place].page, record.kind != .book || record.book.pages.map({ page > $0 }) ?? false {
        times[place].page = nil
        take("\(page)", "Page", because: Remark("a page beyond the end of the book goes into the note"))
      }
      times[place].note = fitted(times[place].note, "diary note")
      if let opinion = times[place].opinion { times[place].opinion = fitted(opinion) }
    }
    opinions = opinions.compactMap { fitted($0) }
    for place in copies.indices {
      copies[place].facts.note = fitted(copies[place].facts.note, "note of the copy")
      if let media = copies[place].facts.media, !media.isOfMedia {
        copies[place].facts.media = nil
        take(media.rawValue, "Media", because: Remark("a sleeve grade given to a record goes into the note"))
      }
    }
    func fits(_ name: String, _ column: String) -> Bool {
      guard let line = Text.line(name) else { return false }
      if line.unicodeScalars.count <= Store.longestName { return true }
      take(line, column, because: Remark("a name of more than \(Store.longestName) characters goes into the note"))
      return false
    }
    let (names, places) = (tags, piles)
    tags = names.filter { fits($0, "Tag") }
    piles = places.filter { fits($0.pile, "List") }
    for place in copies.indices {
      if let holder = copies[place].holder, !fits(holder.person, "Lent to") { copies[place].holder = nil }
    }
    if var terms = wish {
      terms.note = fitted(terms.note, "wish")
      wish = terms
    }
    let note = Text.line(([record.note].compactMap(\.self) + notes).joined(separator: "; "))
    record.note = fitted(note, "note")
  }

  /// Returns nil if nothing is left.
  private mutating func fitted(_ opinion: Opinion) -> Opinion? {
    Opinion(rating: opinion.rating, comment: fitted(opinion.comment, "review"), day: opinion.day)
  }

  /// Returns a text that can be stored. A text that is too long is cut, with a remark.
  private mutating func fitted(_ text: String?, _ name: String) -> String? {
    guard let text = Text.lines(text) else { return nil }
    guard text.utf8.count > Card.longestComment, text.unicodeScalars.count > Card.longestComment else { return text }
    remark(.tooLong(name))
    return String(scalars: text.unicodeScalars.prefix(Card.longestComment - 1)) + "…"
  }
}
