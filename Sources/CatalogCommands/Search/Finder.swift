internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// What a search found for one kind.
struct SearchSection {
  /// What was looked for.
  var words: String
  var kind: Kind
  /// The season that was looked for, by `seasons`.
  var season: Season?
  /// The name of the source that answered.
  var source: String
  var candidates: [Candidate]
  /// How many there are in all, where the source says.
  var total: Int?
  var hasMore: Bool
  /// Why there is nothing, or why the pack answered instead.
  var failure: Failure?
  /// The source could not be asked at all.
  var isUnreached = false
  /// Whether the pack answers instead of the source that failed.
  var isReplaced = false
  /// It could not be asked, and this is what it said before.
  var isOld = false
}

/// Asks sources on behalf of commands, falls back to the built-in pack, and remembers the results.
struct Finder {
  var context: Context
  var country: String?

  /// One section for each kind, in the kinds' order. A source that cannot be reached is replaced by the pack.
  ///
  /// - Parameters:
  ///   - kinds: nil for movie, book and vinyl, or what the named source has.
  ///   - scope: where the words are looked for; kinds whose source cannot look in a field are left out.
  func search(
    _ words: String, kinds: [Kind]?, source only: Source?, scope: Search.Scope? = nil, page: Int = 1, limit: Int = 10,
    isAll: Bool = false
  ) throws -> [SearchSection] {
    let kinds = try wanted(kinds, of: only)
    var searches = try kinds.map { kind in
      Asked(
        source: try only ?? context.standardSource(for: kind, words: words, country: country),
        search: Search(words: words, kind: kind, page: page, pageSize: limit, scope: scope))
    }
    if case .field(let field) = scope { searches = try able(searches, field) }
    var sections = try ask(searches)
    try standIn(for: searches, &sections)
    for (index, asked) in zip(sections.indices, searches) { noteEnd(of: asked, in: &sections[index]) }
    if isAll { try askFurther(searches, &sections) }
    keep(sections)
    return sections
  }

  /// One section for each season, in their order: four questions to one source, all at once.
  func search(seasons: [Season], _ kind: Kind, source: Source, in language: Season.Language) throws -> [SearchSection] {
    let searches = seasons.map { season in
      Asked(source: source, search: Search(words: season.name(in: language), kind: kind, pageSize: season.limit))
    }
    var sections = try ask(searches)
    for (index, season) in zip(sections.indices, seasons) {
      sections[index].season = season
      // There are no pages of seasons to turn.
      sections[index].hasMore = false
    }
    keep(sections)
    return sections
  }

  /// Keeps the results as r1, r2, … over all sections. A search that failed leaves those of the one before.
  private func keep(_ sections: [SearchSection]) {
    guard sections.contains(where: { $0.failure == nil || !$0.candidates.isEmpty }) else { return }
    let candidates = sections.flatMap(\.candidates)
    if !context.results.save(candidates), !candidates.isEmpty {
      context.warn("the results could not be kept, so r1, r2, … will not work")
    }
  }

  private func wanted(_ kinds: [Kind]?, of source: Source?) throws -> [Kind] {
    guard let source else { return kinds ?? Kind.shelved }
    let available = source.kinds
    guard let kinds else { return available.filter(\.isShelved).isEmpty ? available : available.filter(\.isShelved) }
    let both = kinds.filter(available.contains)
    guard !both.isEmpty else {
      throw UsageError(
        "\(source.id) has no \(kinds.map(\.plural).joined(separator: ", "))",
        hint: "it has \(available.map(\.plural).joined(separator: ", "))")
    }
    return both
  }

  /// What one source is asked.
  private struct Asked {
    var source: Source
    var search: Search
  }

  /// Those that can be searched so; the others are named.
  private func able(_ searches: [Asked], _ field: Search.Field) throws -> [Asked] {
    let able = searches.filter { $0.source.fields($0.search.kind).contains(field) }
    let unable = searches.filter { !$0.source.fields($0.search.kind).contains(field) }
      .map { "\($0.source.name) cannot search \($0.search.kind.plural) by \(field.rawValue)" as Message }
    guard !able.isEmpty else {
      let others = context.sources.filter { !kinds(of: $0, by: field).isEmpty }
      throw UsageError(
        unable.joined(separator: "; "),
        hint: """
          by \(field.rawValue) can be searched: \
          \(others.map { "\($0.id) (\(kinds(of: $0, by: field).map(\.plural).joined(separator: ", ")))" }
            .joined(separator: ", "))
          """)
    }
    for line in unable { context.warn(line) }
    return able
  }

  private func kinds(of source: Source, by field: Search.Field) -> [Kind] {
    source.kinds.filter { source.fields($0).contains(field) }
  }

  /// One request to each kind's source, all at once.
  private func ask(_ asked: [Asked]) throws -> [SearchSection] {
    var sections: [SearchSection] = []
    var searches: [(section: Int, search: SourceSearch)] = []
    for asked in asked {
      let source = asked.source
      var section = SearchSection(
        words: asked.search.words, kind: asked.search.kind, source: source.name, candidates: [], hasMore: false)
      do {
        let settings = try context.settings(of: source, country: country)
        searches.append((sections.count, SourceSearch(source, asked.search, settings)))
      } catch let failure as Failure where failure.status == .keyNeeded {
        // The other sources need no such key.
        section.failure = failure
      }
      sections.append(section)
    }
    let pages = context.http.pages(of: searches.map(\.search))
    // Who stopped the search does not want the pack's answer either.
    try Interrupt.check()
    for ((index, search), page) in zip(searches, pages) { sections[index] = section(search, page) }
    return sections
  }

  /// The pack stands in for a source that could not be asked, unless the words are meant for a category of that source.
  private func standIn(for asked: [Asked], _ sections: inout [SearchSection]) throws {
    guard let search = asked.first?.search else { return }
    if case .attribute = search.scope { return }
    let unreached = sections.indices.filter { sections[$0].isUnreached && sections[$0].kind.isShelved }
    let stand = try ask(
      unreached.map { index in
        var search = search
        (search.kind, search.scope) = (sections[index].kind, nil)
        return Asked(source: .pack, search: search)
      })
    for (index, section) in zip(unreached, stand) {
      let failure = sections[index].failure
      sections[index] = section
      (sections[index].failure, sections[index].isReplaced) = (failure, true)
    }
  }

  /// What came of a search.
  func section(_ search: SourceSearch, _ result: Result<Page, SourceError>) -> SearchSection {
    let (words, kind, limit) = (search.search.words, search.search.kind, search.search.pageSize)
    switch result {
    case .success(let found):
      if found.unreadable > 0 {
        let count = found.candidates.count + found.unreadable
        context.warn("\(search.source.name): \(found.unreadable) of \(count) results could not be read")
      }
      return SearchSection(
        words: words, kind: kind, source: search.source.name, candidates: Array(found.candidates.prefix(limit)),
        total: found.total, hasMore: found.hasMore || found.candidates.count > limit, isOld: found.isOld)
    case .failure(let error):
      var section = SearchSection(
        words: words, kind: kind, source: search.source.name, candidates: [], hasMore: false,
        failure: context.failure(error, of: search.source))
      if case .network = error { section.isUnreached = true }
      return section
    }
  }

  /// Says that a page without anything is behind the last, and which that is, where there is anything before it.
  private func noteEnd(of asked: Asked, in section: inout SearchSection) {
    // With --offline the pack is what was searched.
    let isPack = section.isReplaced && context.globals.isOffline
    guard asked.search.page > 1, section.failure == nil || isPack, section.candidates.isEmpty, section.total != 0 else {
      return
    }
    let source = isPack ? Source.pack : asked.source
    section.failure = context.failure(asked.search.end(of: section.total, at: source), of: source)
    section.isReplaced = false
  }

  /// The following pages, one at a time: a page that fails ends it, and none is asked past the end.
  private func askFurther(_ searches: [Asked], _ sections: inout [SearchSection]) throws {
    for (index, var asked) in zip(sections.indices, searches) where sections[index].failure == nil {
      let end = asked.search.page + 20
      asked.search.page += 1
      while sections[index].hasMore, asked.search.page < end {
        let more = try ask([asked])[0]
        if let failure = more.failure {
          context.warn("\(failure.message); the pages before it are shown")
          break
        }
        let known = Set(sections[index].candidates.map(\.id))
        sections[index].candidates += more.candidates.filter { !known.contains($0.id) }
        sections[index].hasMore = more.hasMore && !more.candidates.isEmpty
        asked.search.page += 1
      }
    }
  }

  /// What has this code, by every source that can look codes up and has the key that it likes to be asked with.
  func lookUp(_ code: Code) throws -> [Candidate] {
    var failure: Failure?
    for source in context.sources {
      guard let lookUp = source.lookUp else { continue }
      do {
        let settings = try context.settings(of: source, country: country)
        guard source.hasItsKey(settings) else { continue }
        let found = try lookUp(code, settings, context.http)
        if !found.isEmpty { return found }
      } catch let error as SourceError {
        failure = failure ?? context.failure(error, of: source)
      } catch let error as Failure where error.status == .keyNeeded {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return []
  }
}
