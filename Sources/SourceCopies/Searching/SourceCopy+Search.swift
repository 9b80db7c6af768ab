internal import CatalogModel
public import Lookup
internal import Processes
internal import SQLite

extension SourceCopy {
  /// The bounds of the work for one key that is typed.
  private enum Bound {
    /// The rows in which a begun word is looked for.
    static let rows = 300
    /// The same for a word of one or two letters, when it was in none of the first rows.
    static let rowsForShort = 3_000
    /// The best known titles that tell how frequent a kind is.
    static let sample = 500
    /// Rows with the finished words, fewer than which are looked for among all titles, not only the well-known.
    static let fewRows = 20
    /// The titles that equal the words and come before all others.
    static let exact = 3
    static let typing = Duration.milliseconds(250)
    static let search = Duration.seconds(2)
    /// The titles that a search ranks by how well they fit.
    static let ranked = 200
  }

  /// Returns the first titles for words that are being typed: those that equal the words, then the best known with all
  /// words, the last perhaps only begun. The work is bounded, so a title may be missing that ``search(_:)`` finds.
  public func suggest(_ search: Search) throws -> Page {
    let words = TypedWords(search.words)
    let wanted = min(max(search.pageSize, 1), 200)
    var ranks: [Int] = []
    func add(_ rank: Int) { if !ranks.contains(rank) { ranks.append(rank) } }
    try unlessLate(after: Bound.typing) {
      for rank in try exactTitles(search) { add(rank) }
      let before = ranks.count
      func find(_ expression: String) throws {
        try forEachMatch(of: expression, kind: search.kind, most: wanted, goesOn: { ranks.count == before }) { rank in
          add(rank)
          return ranks.count < wanted
        }
      }
      guard let begun = words.begun else {
        if let finished = words.finished { try find(finished) }
        return
      }
      guard let finished = words.finished else {
        if let all = words.all { try find(all) }
        return
      }
      var looked = 0
      // Words that many titles have, none with the begun word among the well known: the next letters will tell.
      let goesOn = { ranks.count == before && looked < Bound.fewRows }
      try forEachRow(of: finished, kind: search.kind, BegunWord(begun), goesOn: goesOn) { rank, hasBegun in
        looked += 1
        if hasBegun { add(rank) }
        let isFound = ranks.count > before
        return ranks.count < wanted && looked < (isFound || !words.isShort ? Bound.rows : Bound.rowsForShort)
      }
      // None of the best known: the word is rare, and its lists are short.
      if ranks.count == before, looked >= Bound.rows, !words.isShort, let all = words.all { try find(all) }
    }
    return try page(ranks.prefix(wanted), of: search, hasMore: false)
  }

  /// Returns a page of the titles with all words, the last perhaps only begun: those that fit best, then the best
  /// known.
  ///
  /// After two seconds it returns what it has.
  public func search(_ search: Search) throws -> Page {
    switch search.field {
    case .isbn: return try page(of: codes(search.words), search)
    case .catalogNumber: return try page(of: catalogNumbers(search), search)
    case nil, .title, .creator, .publisher: break
    }
    let size = min(max(search.pageSize, 1), 200)
    let start = (min(max(search.page, 1), 1_000_000) - 1) * size
    let words = TypedWords(search.words)
    var ranks: [Int] = []
    let isLate = try unlessLate(after: Bound.search) {
      for rank in try exactTitles(search) where try isIn(search, rank) { ranks.append(rank) }
      let exact = Set(ranks)
      let most = max(Bound.ranked, start + size) + 1
      let isOne = !exact.isEmpty || words.all == words.everyBegun
      for expression in [words.all, isOne ? nil : words.everyBegun].compactMap(\.self) where ranks.count == exact.count
      {
        try forEachMatch(of: expression, kind: search.kind, most: .max) { rank in
          if !exact.contains(rank), try isIn(search, rank) { ranks.append(rank) }
          return ranks.count < most
        }
      }
    }
    let typed = SearchWords(search.words)
    let first = try ranks.prefix(Bound.ranked).compactMap { rank -> (fit: SearchWords.Fit, rank: Int)? in
      guard let title = try title(rank) else { return nil }
      let titles = [title.title] + title.others.map(\.text)
      let fit = typed.fit(to: SearchKeys.text(titles: titles, names: title.creators).utf8.span)
      return (fit, rank)
    }
    // Titles of one rank keep the order of how well they are known, whatever their length.
    let ranked = first.enumerated().sorted {
      ($0.element.fit.rank, $0.element.rank) < ($1.element.fit.rank, $1.element.rank)
    }
    let all = ranked.map(\.element.rank) + ranks.dropFirst(Bound.ranked)
    var page = try page(all.dropFirst(start).prefix(size), of: search, hasMore: all.count > start + size)
    page.total = isLate || all.count > max(Bound.ranked, start + size) ? nil : all.count
    return page
  }

  // MARK: Finding

  /// Runs `body`, and ends it after a time.
  /// - Returns: whether it was ended.
  @discardableResult
  private func unlessLate(after time: Duration, _ body: () throws -> Void) throws -> Bool {
    do {
      try deadline.within(time, body)
      return false
    } catch let error as SQLiteError where error.isInterrupted {
      try Interrupt.check()
      return true
    }
  }

  /// The titles that equal the words, the best known first.
  private func exactTitles(_ search: Search) throws -> [Int] {
    guard search.field != .creator, let wanted = CopiedKinds(search.kind) else { return [] }
    let key = TitleKey.of(search.words)
    var ranks: [Int] = []
    // Several titles may have one key by chance.
    for target in try targets(.title, key).prefix(20) where ranks.count < Bound.exact {
      guard let title = try title(target.rank), title.kinds.contains(wanted) else { continue }
      let words = SearchWords(search.words)
      let fit = words.fit(
        to: SearchKeys.text(titles: [title.title] + title.others.map(\.text), names: title.creators).utf8.span)
      if fit.rank < .start { ranks.append(target.rank) }
    }
    return ranks
  }

  /// The condition of FTS5 for the titles of a kind, and the bits of the kind that a row must have besides; 0 for none.
  ///
  /// The list of a kind that many titles have is longer than those of words, so it is not looked into: rows tell as
  /// well.
  private func condition(_ words: String, _ kind: Kind) throws -> (expression: String, bits: Int) {
    guard dump.kinds.count > 1, kind != .music, let wanted = CopiedKinds(kind) else { return (words, 0) }
    return try isFrequent(wanted) ? (words, wanted.rawValue) : ("\(words) AND \(CopySchema.word(for: wanted))", 0)
  }

  /// Whether one in ten of the best known titles is of a kind.
  private func isFrequent(_ kinds: CopiedKinds) throws -> Bool {
    if let known = frequentKinds[kinds.rawValue] { return known }
    let count = try db.value(
      "SELECT count(*) FROM title WHERE id <= \(Bound.sample) AND kind & \(kinds.rawValue)", as: Int.self)
    let isFrequent = (count ?? 0) * 10 >= min(Bound.sample, about.titles)
    frequentKinds[kinds.rawValue] = isFrequent
    return isFrequent
  }

  /// Calls `each` with the ranks of matching titles, the best known first, until it returns false.
  /// - Parameters:
  ///   - most: the number of ranks after which no further tier is looked into.
  ///   - goesOn: whether to look into the tiers behind the well-known titles, asked before each.
  func forEachMatch(
    of words: String, kind: Kind, most: Int, goesOn: () -> Bool = { true }, _ each: (Int) throws -> Bool
  ) throws {
    let (expression, bits) = try condition(words, kind)
    var count = 0
    for (place, tier) in usedTiers.enumerated() {
      if place >= wellKnown, !goesOn() { return }
      var isEnough = false
      try db.forEach(
        """
        SELECT w.rowid FROM \(identifier: tier.table) w WHERE w.\(identifier: tier.table) MATCH \(expression)
          AND (\(bits) = 0 OR (SELECT kind & \(bits) FROM title WHERE id = w.rowid)) ORDER BY w.rowid
        """
      ) { row in
        count += 1
        isEnough = try !each(Int(row.integer(0))) || count >= most
        return !isEnough
      }
      if isEnough { return }
    }
  }

  /// Calls `each` with the ranks of titles that have all finished words, and whether the row has the begun word.
  private func forEachRow(
    of finished: String, kind: Kind, _ begun: BegunWord, goesOn: () -> Bool,
    _ each: (_ rank: Int, _ hasBegun: Bool) throws -> Bool
  ) throws {
    let (expression, bits) = try condition(finished, kind)
    for (place, tier) in usedTiers.enumerated() {
      if place >= wellKnown, !goesOn() { return }
      var isEnough = false
      try db.forEach(
        """
        SELECT w.rowid, t.title, n.text FROM \(identifier: tier.table) w CROSS JOIN title t ON t.id = w.rowid
        LEFT JOIN name n ON n.id = t.by WHERE w.\(identifier: tier.table) MATCH \(expression)
          AND (\(bits) = 0 OR t.kind & \(bits)) ORDER BY w.rowid
        """
      ) { row in
        let rank = Int(row.integer(0))
        let hasBegun = try row.withText(1, begun.isIn) || row.withText(2, begun.isIn) || isIn(begun, partsOf: rank)
        isEnough = try !each(rank, hasBegun)
        return !isEnough
      }
      if isEnough { return }
    }
  }

  private func isIn(_ begun: BegunWord, partsOf rank: Int) throws -> Bool {
    var isFound = false
    let rows = [hasOthers ? otherRows(of: rank) : nil, hasMore ? moreRows(of: rank) : nil].compactMap(\.self)
    for sql in rows where !isFound {
      try db.forEach(sql) { row in
        isFound = row.withText(0, begun.isIn)
        return !isFound
      }
    }
    return isFound
  }

  /// The tiers that have titles.
  private var usedTiers: some Sequence<CopySchema.Tier> {
    CopySchema.tiers.enumerated().lazy.filter { [titles = about.titles] place, _ in
      place == 0 || titles > CopySchema.tiers[place - 1].last
    }.map(\.element)
  }

  /// Whether a title has the words where they are looked for.
  private func isIn(_ search: Search, _ rank: Int) throws -> Bool {
    guard search.field == .creator || search.field == .title || search.field == .publisher else { return true }
    guard let title = try title(rank) else { return false }
    let texts =
      switch search.field {
      case .creator: title.creators
      case .publisher: [title.label].compactMap(\.self)
      default: [title.title] + title.others.map(\.text)
      }
    let keys = SearchKeys.text(titles: texts, names: [])
    return SearchWords(search.words).match(in: keys.utf8.span, or: Span()) != .none
  }

  // MARK: Pages

  private func page(_ ranks: some Sequence<Int>, of search: Search, hasMore: Bool) throws -> Page {
    Page(
      candidates: try ranks.compactMap { try candidate(KeyTarget(rank: $0), as: search.kind) }, hasMore: hasMore)
  }

  private func page(of candidates: [Candidate], _ search: Search) -> Page {
    let size = min(max(search.pageSize, 1), 200)
    let start = min((min(max(search.page, 1), 1_000_000) - 1) * size, candidates.count)
    return Page(
      candidates: Array(candidates[start...].prefix(size)), total: candidates.count,
      hasMore: candidates.count > start + size)
  }

  private func codes(_ words: String) throws -> [Candidate] {
    guard let isbn = try? ISBN(words) else { return [] }
    return try lookUp(.isbn(isbn))
  }

  private func catalogNumbers(_ search: Search) throws -> [Candidate] {
    guard let key = CatalogNumberKey.of(search.words) else { return [] }
    return try targets(.catalogNumber, key).compactMap { target in
      guard let found = try candidate(target, as: search.kind) else { return nil }
      return found.record.vinyl.catalogNumber.flatMap { CatalogNumberKey.of($0) } == key ? found : nil
    }
  }

  // MARK: Misspellings

  /// The words of the best known titles about as long as `word`, folded, the most frequent first.
  public func vocabulary(near word: String) throws -> [String] {
    let count = Folding.fold(word).unicodeScalars.count
    return try CopySchema.tiers.prefix(2).flatMap { tier in
      // <https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module>
      try db.run(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab ('main', \(identifier: tier.table), 'row')")
      defer { _ = try? db.run("DROP TABLE temp.vocabulary") }
      return try db.values(
        """
        SELECT term FROM temp.vocabulary WHERE length(term) BETWEEN \(count - 3) AND \(count + 3) ORDER BY doc DESC
        """, as: String.self)
    }
  }

  /// The search with each unknown word in the spelling of the best known titles; nil when a word is like none, or all
  /// are known.
  /// - Parameter closest: returns the one of several words that a word was probably meant as.
  public func respelled(_ search: Search, closest: (String, [String]) -> String?) throws -> Search? {
    var words: [String] = []
    for word in SearchText.words(search.words) {
      guard let expression = SearchText.expression(for: [word]) else { continue }
      var isKnown = false
      try forEachMatch(of: expression, kind: search.kind, most: 1) { _ in
        isKnown = true
        return false
      }
      if isKnown {
        words.append(word)
      } else {
        let near = try vocabulary(near: word)
        let typed = Folding.letters(word)
        guard let meant = closest(typed, near.map(Folding.letters)) else { return nil }
        words.append(near.first { Folding.letters($0) == meant } ?? meant)
      }
    }
    var meant = search
    meant.words = words.joined(separator: " ")
    return Folding.fold(meant.words) == Folding.fold(search.words) ? nil : meant
  }
}
