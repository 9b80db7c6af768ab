internal import CatalogModel
internal import Lookup

/// The values of a row, collected cell by cell: typed but not yet combined.
struct RowFacts {
  /// The user's choices about the file.
  var choices = ImportChoices()
  /// The currency of the row's prices, if another column has it.
  var currency: String?
  var kind: Kind?
  var title: String?
  var subtitle: String?
  var originalTitle: String?
  var otherTitles: [String] = []
  /// The main makers, who stand beside the title.
  var creators: [String] = []
  /// The credits with roles.
  var credits: [Credit] = []
  /// The name of one maker from two columns.
  var (firstName, lastName): (String?, String?)
  var year: Int?
  var released: PartialDate?
  var summary: String?
  var url: String?
  var labels: [String] = []
  var externalIDs: [ExternalID] = []
  var movie = Movie()
  var book = Book()
  /// The year of this edition, if its date is unknown.
  var editionYear: Int?
  var seriesNumber: String?
  var vinyl = Vinyl()
  var barcode: String?

  var status: Status?
  var rating: Rating?
  var review: String?
  /// The day of the rating and the review.
  var ratedOn: PartialDate?
  /// The starts and ends of times. A value from one column belongs to the value at the same place of the other.
  var times: [(started: PartialDate?, ended: PartialDate?)] = []
  var started: PartialDate?
  var finished: [PartialDate] = []
  var dropped: [PartialDate] = []
  /// The number of times it was watched or read.
  var count: Int?
  /// Whether it was watched or read before.
  var isAgain = false
  var page: Int?
  /// The place and company of a viewing.
  var remark: String?
  /// The opinions before that of ``rating`` and ``review``.
  var earlier: [Entry.Opinion] = []
  var tags: [String] = []
  var piles: [Entry.PilePlace] = []
  var isFavorite = false
  var favoriteOn: PartialDate?

  /// The number of owned copies; nil if the row does not say.
  var owned: Int?
  /// The copies, if the row has the facts of each.
  var copies: [Entry.CopyOwned] = []
  var copy = Copy.Facts()
  var holder: String?
  var lentOn: PartialDate?
  var dueOn: PartialDate?
  var wish: Wish.Terms?
  var wishedOn: PartialDate?

  var addedOn: PartialDate?
  /// Whether its day is that of a part of the reading.
  var isUnfinished = false
  /// Whether it is an episode of a series, which the catalog does not keep.
  var isEpisode = false
  /// The cells of meanings that several columns have, by the id of the meaning.
  var firsts: [String: String] = [:]
  var notes: [String] = []
  /// The remarks on values that were imported in another form than in the file.
  var remarks: [Entry.Remark] = []

  /// Reads an amount of money, in the currency of the row or the usual one where it has none.
  /// - Parameter heading: the currency of the country whose language the heading is.
  mutating func price(_ text: String, _ heading: String?) -> Price? {
    do throws(Price.Problem) {
      return try Price(typed: text, currency: currency ?? choices.currency ?? heading)
    } catch {
      if error.lacksCurrency { remark(.lacksCurrency) }
      return nil
    }
  }

  /// Adds a cell to the note, with a remark, because it could not be read as a value of its column.
  mutating func noteInstead(_ column: String, _ text: String) {
    note(column, text)
    remark(Entry.Remark("'\(PlainText.line(column))' goes into the note instead"))
  }

  mutating func remark(_ remark: Entry.Remark) {
    if !remarks.contains(remark) { remarks.append(remark) }
  }

  /// Adds a cell to the note, because it has no field or cannot be read.
  mutating func note(_ column: String, _ text: String) {
    let text = PlainText.prose(Markup.prose(text))
    guard !text.isEmpty else { return }
    let name = PlainText.line(column)
    notes.append(name.isEmpty ? text : "\(name): \(text)")
  }
}

extension RowFacts {
  /// Adds people. Roles that the catalog does not store go into the note.
  /// - Parameter main: the role of people without one; nil for the main makers.
  mutating func take(_ makers: [NamedPerson], as main: Credit.Role? = nil) {
    for maker in makers {
      switch maker.role.map(PartRole.init) {
      case nil, .author?: take(maker.name, as: main)
      case .translator?: credits.append(Credit(name: maker.name, role: .translator))
      case .director?: take(maker.name, as: .director)
      case .other?: note("Author", "\(maker.name) (\(maker.role ?? ""))")
      }
    }
  }

  private mutating func take(_ name: String, as role: Credit.Role?) {
    guard let role, kind.map({ Credit.Role(main: $0) != role }) ?? true else { return creators.append(name) }
    credits.append(Credit(name: name, role: role))
  }

  /// Adds a person whose name and role are in separate cells.
  mutating func take(_ name: String, as role: String) {
    take([NamedPerson(name: name, role: role.isEmpty ? nil : role)])
  }
}

// MARK: - Result

extension RowFacts {
  /// The maximum length of a text in characters, which is also that of cards and notes. Longer texts are cut, with a
  /// remark.
  static let longestText = 10_000
  /// The maximum number of times.
  static let mostTimes = 200

  /// Returns the entry of this row.
  /// - Throws: `ImportRow.Rejection` if it has no title or its kind is unknown.
  /// - Parameter latest: the last possible day of an event; nil for no limit.
  mutating func entry(until latest: PartialDate? = nil) throws(ImportRow.Rejection) -> Entry {
    guard let kind else {
      throw ImportRow.Rejection("movie, book or record? Choose with --kind")
    }
    let times = takeTimes(until: latest)
    settleMakers(kind)
    settleRelease()
    var entry = Entry(try record(kind))
    var notes = notes
    entry.record.summary = cut(summary, "summary")
    entry.times = times
    let opinion = Entry.Opinion(
      rating: rating, comment: cut(review, "review"), day: ratedOn)
    if let opinion {
      if let last = entry.times.indices.last { entry.times[last].opinion = opinion } else { entry.opinions = [opinion] }
    }
    entry.opinions = earlier + entry.opinions
    if let remark = cut(remark, "diary note") {
      if let last = entry.times.indices.last { entry.times[last].note = remark } else { notes.append(remark) }
    }
    entry.wish = wish ?? (status == .planned ? Wish.Terms() : nil)
    var facts = copy
    facts.note = cut(facts.note, "note of the copy")
    if let lentOn, let dueOn, dueOn.description < lentOn.description.prefix(dueOn.description.count) {
      notes.append("Due: \(dueOn)")
      remark(.dueBeforeLoan)
      self.dueOn = nil
    }
    let holder = holder.flatMap { PlainText.line($0).nonEmpty }.map {
      Copy.Holder(person: $0, since: lentOn, due: dueOn)
    }
    let isOwned = owned.map { $0 > 0 } ?? (facts.isOfOwner || holder != nil)
    if !copies.isEmpty {
      entry.copies = copies
    } else if isOwned {
      entry.copies = (0..<min(owned ?? 1, Self.mostTimes).atLeast(1)).map { number in
        Entry.CopyOwned(facts, holder: number == 0 ? holder : nil)
      }
    } else {
      // The facts of a copy that is not owned describe the edition. A record has a field for its format.
      if kind == .vinyl { facts.format = nil }
      notes += facts.lines
    }
    // An owned item is no longer wished for. A tag says that it is still to be read.
    let isWaiting = isOwned && entry.wish != nil
    if isWaiting {
      notes += entry.wish?.note.map { ["Wish: \($0)"] } ?? []
      entry.wish = nil
    }
    entry.tags = (tags + (isWaiting ? ["to-read"] : [])).map { PlainText.line($0) }.filter { !$0.isEmpty }
      .withoutRepeats { Folding.fold($0) }
    entry.piles = piles.map { Entry.PilePlace(PlainText.line($0.pile), position: $0.position) }
      .filter { !$0.pile.isEmpty }.withoutRepeats { Folding.fold($0.pile) }
    (entry.isFavorite, entry.favoriteOn) = (isFavorite, favoriteOn)
    entry.addedOn = addedOn
    entry.wishedOn = entry.wish == nil ? nil : wishedOn ?? addedOn
    entry.notes = notes
    for remark in remarks { entry.remark(remark) }
    return entry
  }

  private func record(_ kind: Kind) throws(ImportRow.Rejection) -> Record {
    var record = Record(kind: kind, title: try name(kind))
    record.originalTitle = originalTitle.map { PlainText.line($0) }.flatMap { $0 == record.title ? nil : $0.nonEmpty }
    record.otherTitles = otherTitles.map { PlainText.line($0) }
      .filter { !$0.isEmpty && $0 != record.title && $0 != record.originalTitle }
      .withoutRepeats(by: \.self)
    record.released = released.flatMap { ReleaseYear.range.contains($0.year) ? $0 : nil }
    record.year = year ?? record.released?.year
    record.url = url
    let role = Credit.Role(main: kind)
    let main = creators.map { PlainText.line($0) }.filter { !$0.isEmpty }.map { Credit(name: $0, role: role) }
    let others = credits.map { credit in
      Credit(
        name: PlainText.line(credit.name), role: credit.role,
        detail: credit.detail.flatMap { PlainText.line($0).nonEmpty })
    }
    record.credits = (main + others).filter { !$0.name.isEmpty }.withoutRepeats {
      "\($0.role.rawValue) \(Folding.fold($0.name))"
    }
    record.labels = labels.map { PlainText.line($0) }.filter { !$0.isEmpty }.withoutRepeats(by: \.self)
    record.externalIDs = externalIDs.withoutRepeats(by: \.self)
    switch kind {
    case .movie: record.movie = movie
    case .book:
      record.book = book
      record.book.publisher = book.publisher.flatMap { PlainText.line($0).nonEmpty }
      if let published = book.published, !ReleaseYear.range.contains(published.year) { record.book.published = nil }
      record.book.published = book.published ?? editionYear.flatMap { PartialDate(year: $0) }
      if record.year == nil { record.year = record.book.published?.year ?? editionYear }
      // The volume of a work in several volumes is its number in a series with the title.
      let series = book.series ?? (seriesNumber == nil ? nil : title)
      record.book.series = series.flatMap { PlainText.line($0).nonEmpty }.map { series in
        let parsed = SeriesName(series)
        // A number from a column of its own wins over one that the name seems to have.
        guard let seriesNumber, parsed.number != seriesNumber else { return parsed.description }
        return SeriesName(name: parsed.number == nil ? parsed.name : series, number: seriesNumber).description
      }
    case .vinyl:
      record.vinyl = vinyl
      record.vinyl.label = vinyl.label.flatMap { PlainText.line($0).nonEmpty }
      record.vinyl.barcode = vinyl.barcode ?? barcode
      record.vinyl.format = vinyl.format ?? copy.format
    case .music, .podcast, .app: throw ImportRow.Rejection("the catalog keeps movies, books and records")
    }
    return record
  }

  /// The title, or the code if there is only a code, which a source may know.
  private func name(_ kind: Kind) throws(ImportRow.Rejection) -> String {
    if let title = title.map({ PlainText.line($0) })?.nonEmpty {
      guard let subtitle = subtitle.map({ PlainText.line($0) })?.nonEmpty, !title.contains(subtitle) else {
        return title
      }
      return "\(title): \(subtitle)"
    }
    if let original = originalTitle.map({ PlainText.line($0) })?.nonEmpty { return original }
    guard let code else {
      throw ImportRow.Rejection("the title is missing")
    }
    return code
  }

  /// The code that identifies it without a title.
  var code: String? {
    book.isbn?.digits13 ?? vinyl.barcode ?? barcode ?? externalIDs.first { $0.source == ExternalID.imdb }?.value
  }

  /// The main maker.
  var creator: String? {
    creators.first ?? kind.flatMap { kind in credits.first { $0.role == Credit.Role(main: kind) }?.name }
  }

  /// Returns a text in its stored form; nil if it is empty. A longer text is cut, with a remark.
  /// - Parameter name: the name of the text for the user: `review`.
  mutating func cut(_ text: String?, _ name: String) -> String? {
    guard let text = text.map({ PlainText.prose($0) }) else { return nil }
    guard text.utf8.count > Self.longestText, text.count > Self.longestText else { return text.nonEmpty }
    remark(.tooLong(name))
    return String(text.prefix(Self.longestText - 1)) + "…"
  }
}

extension Copy.Facts {
  /// Whether it has facts that only an owner can know.
  fileprivate var isOfOwner: Bool {
    media != nil || sleeve != nil || place != nil || price != nil || acquiredOn != nil || acquiredFrom != nil
  }

  /// The facts as lines for a note.
  fileprivate var lines: [String] {
    let said: [(String, String?)] = [
      ("Format", format), ("Media", media?.rawValue), ("Sleeve", sleeve?.rawValue), ("Place", place),
      ("Price", price?.description), ("Bought", acquiredOn?.description), ("From", acquiredFrom), ("Copy", note),
    ]
    return said.compactMap { name, text in text.map { "\(name): \($0)" } }
  }
}

extension Int {
  fileprivate func atLeast(_ least: Int) -> Int { Swift.max(self, least) }
}
