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
  /// Why there are hits that cannot be had behind these.
  var stop: Page.Stop?
}

extension SearchSection {
  /// What the answer to one season is.
  func of(_ season: Season) -> SearchSection {
    var section = self
    section.season = season
    // There are no pages of seasons to turn.
    section.hasMore = false
    return section
  }
}

/// Asks sources on behalf of commands, falls back to the built-in pack, and remembers the results.
struct Finder {
  var context: Context
  var country: String?

  /// How many pages are asked for at once at most.
  static let mostPages = 20

  /// One section for each kind, in the kinds' order. A source that cannot be reached is replaced by the pack.
  ///
  /// - Parameters:
  ///   - kinds: nil for movie, book and vinyl, or what the named source has.
  ///   - scope: where the words are looked for; kinds whose source cannot look in a field are left out.
  ///   - isAll: whether all pages are wanted from this one on, ``mostPages`` at most.
  func search(
    _ words: String, kinds: [Kind]?, source only: Source?, scope: Search.Scope? = nil, page: Int = 1, limit: Int = 10,
    isAll: Bool = false
  ) throws -> [SearchSection] {
    let kinds = try wanted(kinds, of: only)
    var searches = try kinds.map { kind in
      Asked(
        source: try only ?? context.standardSource(for: kind, words: words, country: country),
        search: Search(words: words, kind: kind, page: page, pageSize: limit, scope: scope),
        pages: isAll ? Self.mostPages : 1)
    }
    if case .field(let field) = scope { searches = try able(searches, field) }
    var sections = try ask(searches)
    try standIn(for: searches, &sections)
    for (index, asked) in zip(sections.indices, searches) {
      noteEnd(of: asked, in: &sections[index])
      noteStop(of: asked, in: sections[index])
    }
    keep(sections)
    return sections
  }

  /// One section for each season, in their order: four questions to one source, all at once.
  func searchSeasons(
    _ kind: Kind, source: Source, scope: Search.Scope?, in language: Season.Language
  ) throws -> [SearchSection] {
    let asked = Season.allCases.map { Asked(source: source, search: $0.search(kind, scope: scope, in: language)) }
    let sections = zip(try ask(asked), Season.allCases).map { section, season in section.of(season) }
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
    var pages = 1
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
        searches.append((sections.count, SourceSearch(source, asked.search, settings, pages: asked.pages)))
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
    guard let search = asked.first?.search, let pages = asked.first?.pages else { return }
    if case .attribute = search.scope { return }
    let unreached = sections.indices.filter { sections[$0].isUnreached && sections[$0].kind.isShelved }
    let stand = try ask(
      unreached.map { index in
        var search = search
        (search.kind, search.scope) = (sections[index].kind, nil)
        return Asked(source: .pack, search: search, pages: pages)
      })
    for (index, section) in zip(unreached, stand) {
      let failure = sections[index].failure
      sections[index] = section
      (sections[index].failure, sections[index].isReplaced) = (failure, true)
    }
  }

  /// What came of a search.
  func section(_ search: SourceSearch, _ result: Result<Page, SourceError>) -> SearchSection {
    let (words, kind, limit) = (search.search.words, search.search.kind, search.mostHits)
    switch result {
    case .success(let found):
      if found.unreadable > 0 {
        let count = found.candidates.count + found.unreadable
        context.warn("\(search.source.name): \(found.unreadable) of \(count) results could not be read")
      }
      return SearchSection(
        words: words, kind: kind, source: search.source.name, candidates: Array(found.candidates.prefix(limit)),
        total: found.total, hasMore: found.hasMore || found.candidates.count > limit, isOld: found.isOld,
        stop: found.stop)
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

  /// Says why not all is there that was asked for with `--all`.
  private func noteStop(of asked: Asked, in section: SearchSection) {
    guard asked.pages > 1, !section.candidates.isEmpty else { return }
    let reason: String
    switch section.stop {
    case .failure(let error):
      return context.warn("\(context.failure(error, of: asked.source).message); the pages before it are shown")
    case .bound: reason = "\(section.source) tells no more of one search"
    case nil where section.hasMore:
      reason = "these are \(asked.pages) pages; --page \(asked.search.page + asked.pages) goes on"
    case nil: return
    }
    let total = section.total.map { " of \($0)" } ?? ""
    context.warn("'--all' stops after \(section.candidates.count)\(total) \(section.kind.plural): \(reason)")
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
