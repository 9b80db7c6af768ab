internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// What a search found for one kind.
struct SearchSection {
  var kind: Kind
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
}

/// Asks sources on behalf of commands, falls back to the built-in pack, and remembers the results.
struct Finder {
  var context: Context
  var country: String?

  /// One section for each kind, in the kinds' order. A source that cannot be reached is replaced by the pack.
  /// - Parameter kinds: nil for movie, book and vinyl, or what the named source has.
  func search(
    _ words: String, kinds: [Kind]?, source name: String?, page: Int = 1, limit: Int = 10, isAll: Bool = false
  ) throws -> [SearchSection] {
    let only = try name.flatMap { $0 == "pack" ? nil : try context.source(named: $0) }
    let available = name == "pack" ? Kind.shelved : only?.kinds
    let kinds = try wanted(kinds, of: available, name: name)
    var sections: [SearchSection]
    if name == "pack" {
      sections = try packSections(words, kinds, page: page, limit: limit)
    } else {
      sections = try ask(words, kinds, only, page: page, limit: limit)
      if isAll { try askFurther(words, &sections, only, page: page, limit: limit) }
    }
    let candidates = sections.flatMap(\.candidates)
    if !context.results.save(candidates), !candidates.isEmpty {
      context.note("catalog: the results could not be kept, so r1, r2, … will not work")
    }
    return sections
  }

  private func wanted(_ kinds: [Kind]?, of available: [Kind]?, name: String?) throws -> [Kind] {
    guard let available else { return kinds ?? Kind.shelved }
    guard let kinds else { return available.filter(\.isShelved).isEmpty ? available : available.filter(\.isShelved) }
    let both = kinds.filter(available.contains)
    guard !both.isEmpty else {
      throw UsageError(
        "\(name ?? "the source") has no \(kinds.map(\.plural).joined(separator: ", "))",
        hint: "it has \(available.map(\.plural).joined(separator: ", "))")
    }
    return both
  }

  /// One request to each kind's source, all at once.
  private func ask(_ words: String, _ kinds: [Kind], _ only: Source?, page: Int, limit: Int) throws -> [SearchSection] {
    let searches = try kinds.map { kind in
      let source = only ?? Source.standard(for: kind)
      return SourceSearch(
        source, Search(words: words, kind: kind, page: page, pageSize: limit),
        try context.settings(of: source, country: country))
    }
    let pages = context.http.pages(of: searches)
    // Who stopped the search does not want the pack's answer either.
    try Interrupt.check()
    var sections = zip(searches, pages).map { section($0, $1, limit: limit) }
    // The pack stands in for a source that could not be asked.
    let unreached = sections.indices.filter { sections[$0].isUnreached && sections[$0].kind.isShelved }
    let stand = try packSections(words, unreached.map { sections[$0].kind }, page: page, limit: limit)
    for (index, section) in zip(unreached, stand) {
      let failure = sections[index].failure
      sections[index] = section
      sections[index].failure = failure
    }
    return sections
  }

  private func section(
    _ search: SourceSearch, _ result: Result<Page, SourceError>, limit: Int
  ) -> SearchSection {
    let kind = search.search.kind
    switch result {
    case .success(let found):
      if found.unreadable > 0 {
        let count = found.candidates.count + found.unreadable
        context.note("catalog: \(search.source.name): \(found.unreadable) of \(count) results could not be read")
      }
      return SearchSection(
        kind: kind, source: search.source.name, candidates: Array(found.candidates.prefix(limit)), total: found.total,
        hasMore: found.hasMore || found.candidates.count > limit)
    case .failure(let error):
      var section = SearchSection(
        kind: kind, source: search.source.name, candidates: [], hasMore: false,
        failure: Failure(error, source: search.source.name))
      if case .network = error { section.isUnreached = true }
      return section
    }
  }

  /// The following pages, one at a time: a page that fails ends it, and none is asked past the end.
  private func askFurther(
    _ words: String, _ sections: inout [SearchSection], _ only: Source?, page: Int, limit: Int
  ) throws {
    for index in sections.indices where sections[index].failure == nil {
      var next = page + 1
      while sections[index].hasMore, next < page + 20 {
        let more = try ask(words, [sections[index].kind], only, page: next, limit: limit)[0]
        if let failure = more.failure {
          context.note("catalog: \(failure.message); the pages before it are shown")
          break
        }
        let known = Set(sections[index].candidates.map(\.id))
        sections[index].candidates += more.candidates.filter { !known.contains($0.id) }
        sections[index].hasMore = more.hasMore && !more.candidates.isEmpty
        next += 1
      }
    }
  }

  private func packSections(_ words: String, _ kinds: [Kind], page: Int, limit: Int) throws -> [SearchSection] {
    guard !kinds.isEmpty else { return [] }
    let pack = try PackSearch(kinds: kinds)
    return try kinds.map { kind in
      let found = try pack.candidates(words, kind: kind)
      let start = min((page - 1) * limit, found.count)
      let shown = found[start...].prefix(limit)
      return SearchSection(
        kind: kind, source: PackSearch.name, candidates: Array(shown), total: found.count,
        hasMore: start + shown.count < found.count)
    }
  }

  /// What has this code, by every source that can look codes up.
  func lookUp(_ code: Code) throws -> [Candidate] {
    var failure: Failure?
    for source in context.sources {
      guard let lookUp = source.lookUp else { continue }
      do {
        let found = try lookUp(code, try context.settings(of: source, country: country), context.http)
        if !found.isEmpty { return found }
      } catch let error as SourceError {
        failure = failure ?? Failure(error, source: source.name)
      }
    }
    if let failure { throw failure }
    return []
  }
}
