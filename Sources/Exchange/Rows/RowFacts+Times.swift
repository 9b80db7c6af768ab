internal import CatalogModel

extension Entry.Remark {
  static let dueBeforeLoan = Entry.Remark("a due date before the loan goes into the note")
  static let startWithoutEnd = Entry.Remark(
    "a start date without an end date goes into the note, unless the item is in progress")
}

extension RowFacts {
  /// Returns the times of watching or reading, the last one last. An impossible day is dropped, but not its time.
  mutating func takeTimes(until latest: PartialDate?) -> [Entry.Time] {
    noteDays(behind: latest)
    var over = times.map { Entry.Time(.done, startedOn: fitting($0.started, $0.ended), endedOn: $0.ended) }
    for date in finished where !over.contains(where: { $0.endedOn == date }) { over.append(Entry.Time(endedOn: date)) }
    var givenUp = dropped.map { Entry.Time(.dropped, endedOn: $0) }
    // The end of a dropped item is the day it was dropped.
    if status == .dropped, givenUp.isEmpty {
      givenUp = over.filter { $0.startedOn != nil || $0.endedOn != nil }
      for place in givenUp.indices { givenUp[place].outcome = .dropped }
      over = []
    }
    if status == .dropped, givenUp.isEmpty { givenUp = [Entry.Time(.dropped)] }
    place(started, in: &over, &givenUp)
    if status == .dropped, let last = givenUp.indices.last { givenUp[last].page = page }
    // The count of readings of a dropped book is ignored.
    let told = status == .dropped ? 0 : max(min(count ?? 0, Self.mostTimes), isAgain ? max(1, over.count) + 1 : 0)
    let undated = max(0, (status == .done ? max(1, told) : told) - over.count)
    over =
      Array(repeating: Entry.Time(), count: undated)
      + over.sorted { left, right in
        guard let left = left.endedOn?.description, let right = right.endedOn?.description else { return false }
        return left < right
      }
    over += givenUp
    if status == .ongoing { over.append(Entry.Time(.ongoing, startedOn: started, page: page)) }
    return over
  }

  /// Moves future days to the note.
  private mutating func noteDays(behind latest: PartialDate?) {
    guard let latest = latest?.description else { return }
    var noted: [String] = []
    func take(_ date: PartialDate?, _ name: String) -> PartialDate? {
      guard let date, date.description > latest else { return date }
      noted.append("\(name): \(date)")
      return nil
    }
    started = take(started, "Started")
    finished = finished.compactMap { take($0, "Finished") }
    dropped = dropped.compactMap { take($0, "Dropped") }
    times = times.map { (take($0.started, "Started"), take($0.ended, "Finished")) }
    addedOn = take(addedOn, "Added")
    copy.acquiredOn = take(copy.acquiredOn, "Bought")
    wishedOn = take(wishedOn, "Wished")
    ratedOn = take(ratedOn, "Rated")
    lentOn = take(lentOn, "Lent")
    favoriteOn = take(favoriteOn, "Favorite")
    guard !noted.isEmpty else { return }
    notes += noted
    remark(.yetToCome)
  }

  /// Returns a start that is not after its end. Any other start goes into the note.
  private mutating func fitting(_ start: PartialDate?, _ end: PartialDate?) -> PartialDate? {
    guard let start, let end, start.description.prefix(end.description.count) > end.description else { return start }
    notes.append("Started: \(start)")
    remark(.endsBeforeStart)
    return nil
  }

  /// Assigns a start to the ongoing time, or to the last one.
  private mutating func place(_ started: PartialDate?, in over: inout [Entry.Time], _ givenUp: inout [Entry.Time]) {
    guard let started, status != .ongoing else { return }
    func isKnown(_ times: [Entry.Time]) -> Bool { times.contains { $0.startedOn == started } }
    guard !isKnown(over), !isKnown(givenUp) else { return }
    if status == .dropped {
      if let last = givenUp.indices.last, givenUp[last].startedOn == nil {
        givenUp[last].startedOn = fitting(started, givenUp[last].endedOn)
        return
      }
    } else {
      if over.isEmpty, status == .done || count ?? 0 > 0 { over.append(Entry.Time()) }
      if let last = over.indices.last, over[last].startedOn == nil {
        over[last].startedOn = fitting(started, over[last].endedOn)
        return
      }
    }
    notes.append("Started: \(started)")
    remark(.startWithoutEnd)
  }
}

// MARK: - Other contradictions

extension RowFacts {
  /// Moves a release day of another year than the row's to the note: it belongs to another release.
  mutating func settleRelease() {
    guard let day = released, let year, day.year != year else { return }
    released = nil
    notes.append("Released: \(day)")
    remark(Entry.Remark("a release date in another year goes into the note"))
  }

  /// Sets the main makers from columns named after another kind, such as a column `Author` in a list of books and
  /// films. If there are main makers already, the others go into the note.
  mutating func settleMakers(_ kind: Kind) {
    if creators.isEmpty, let name = [firstName, lastName].compactMap(\.self).joined(separator: " ").nonEmpty {
      creators = [name]
    }
    let main = Credit.Role(main: kind)
    func isForeign(_ credit: Credit) -> Bool {
      credit.role != main && [.director, .author, .artist].contains(credit.role)
    }
    guard credits.contains(where: isForeign) else { return }
    let foreign = credits.filter(isForeign)
    if creators.isEmpty, !credits.contains(where: { $0.role == main }) {
      creators = foreign.map(\.name)
    } else if kind == .movie {
      // The author of the book that a film is based on is stored.
      guard foreign.contains(where: { $0.role != .author }) else { return }
      credits.removeAll { isForeign($0) && $0.role != .author }
      for credit in foreign where credit.role != .author { noteInstead(credit.role.rawValue, credit.name) }
      return
    } else {
      for credit in foreign { noteInstead(credit.role.rawValue, credit.name) }
    }
    credits.removeAll(where: isForeign)
  }
}
