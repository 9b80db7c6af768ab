internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Failure {
  /// Describes a problem in a query, and its place.
  init(_ problem: Query.Problem) {
    var words = problem.message
    if let name = problem.savedQuery { words = "the saved query \("@\(name)".quoted) is wrong: \(words)" }
    let excerpt = Message(verbatim: problem.excerpt.map { "\n  " + $0 }.joined())
    if let unknown = problem.unknownSaved {
      self.init(
        words + Suggestion.phrase(for: unknown.name, among: unknown.among) + excerpt,
        hint: "'catalog shelf saved' lists them; in double quotes it is a word: '\"@home\"'", status: .misused)
      return
    }
    guard let name = problem.unknownField else {
      self.init(words + excerpt, hint: "see 'catalog help query'", status: .misused)
      return
    }
    self.init(
      words + Suggestion.phrase(for: name, among: Query.names.sorted()) + excerpt,
      hint: "'catalog help query' lists the fields; a word with a colon goes into quotes: '\"Re:Zero\"'",
      status: .misused)
  }
}

extension Query.Problem {
  /// The query, and a line of carets below the problem. A long query is cut around it.
  var excerpt: [String] {
    let scalars = Array(typed.unicodeScalars)
    guard !scalars.isEmpty else { return [] }
    func text(_ range: Range<Int>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[range.clamped(to: 0..<scalars.count)])
      return String(text).sanitized
    }
    var before = text(0..<range.lowerBound)
    let (wrong, behind) = (text(range), text(range.upperBound..<max(range.upperBound, scalars.count)))
    if before.cellWidth > 40 { before = "…" + before.suffix(36) }
    let carets = max(1, min(wrong.cellWidth, 60 - min(before.cellWidth, 40)))
    return [
      (before + wrong + behind).truncated(to: 70),
      String(repeating: " ", count: before.cellWidth) + String(repeating: "^", count: carets),
    ]
  }
}

extension Context {
  /// The error for a query without matches, with a suggestion.
  /// - Parameters:
  ///   - typed: the words of the query as typed.
  ///   - isListing: whether the command is one that lists.
  func nothingMatches(_ query: Query, typed: [String], _ thing: Message = "item", isListing: Bool = false) -> Failure {
    let words = typed
    let typed = words.joined(separator: " ").quoted.dropFirst().dropLast()
    let message: Message = "no \(thing) matches \(typed)"
    if let meant = (try? opened(for: .reading)).flatMap({ try? terms(meantBy: words, in: $0) }) {
      let command = "catalog list " + meant.map(\.shellWord).joined(separator: " ")
      return Failure(
        message + "; did you mean \(meant.joined(separator: " ").quoted)?", hint: Message(verbatim: command))
    }
    let lookUp = query.words.map(\.shellWord).joined(separator: " ")
    if let meant = (try? opened(for: .reading)).flatMap({ try? respelled(query, in: $0) }) {
      let command = "catalog list " + meant.query.arguments.map(\.shellWord).joined(separator: " ")
      return Failure(
        message + "; did you mean \(meant.words.quoted)?",
        hint: Message(verbatim: command) + (isListing ? "; or look it up: catalog search \(lookUp)" : ""))
    }
    if query.phrase.split(separator: " ").contains(where: { ["and", "or", "not"].contains($0) }) {
      let title = "\"\(query.phrase)\"".shellWord
      return Failure(
        message,
        hint: "and, or and not between words are operators; as words, put them in double quotes: catalog list \(title)")
    }
    return Failure(
      message,
      hint: query.words.isEmpty || !isListing
        ? "see what there is: catalog list; how to ask: catalog help query"
        : "look it up: catalog search \(lookUp)")
  }

  /// The query with `kind:vinyl` in place of `vinyl` and `genre:Jazz` in place of `genre:jaz`, if that has matches; nil
  /// if it has none, or nothing can be replaced.
  private func terms(meantBy words: [String], in store: Store) throws -> [String]? {
    let meant = try words.map { word in
      if let kind = Kind(word: word), kind.isShelved { return "kind:\(kind.rawValue)" }
      guard let colon = word.firstIndex(of: ":"), let field = Field.named(String(word[..<colon])) else { return word }
      let value = String(word[word.index(after: colon)...])
      let near = Suggestion.closest(to: value, among: try store.values(of: field, limit: 10_000))
      return near.map { "\(field.word):\($0)" } ?? word
    }
    guard meant != words, let query = try? self.query(meant, in: store) else { return nil }
    return try store.ids(query, limit: 1).isEmpty ? nil : meant
  }

  /// `; did you mean 'Whiplash'?` for words without matches; empty when nothing is similar.
  func phrase(forMisspelt words: String, in store: Store) -> Message {
    let words = words.split(whereSeparator: \.isWhitespace).map { Query.Condition.word(String($0)) }
    let meant = try? respelled(Query(.all(words)), in: store)
    return meant.map { "; did you mean \($0.words.quoted)?" } ?? ""
  }

  /// Items similar to words without matches: matches of the words in the catalog's spelling, or titles that begin with
  /// most of the words.
  func itemsAlike(_ words: String, in store: Store) throws -> [ItemID] {
    let parts = words.split(whereSeparator: \.isWhitespace).map(String.init)
    if let meant = try respelled(Query(.all(parts.map { Query.Condition.word($0) })), in: store) {
      return try store.ids(meant.query, limit: 10)
    }
    for count in stride(from: parts.count - 1, to: 0, by: -1) {
      let most = parts.prefix(count).joined(separator: " ")
      guard most.unicodeScalars.count >= 4 || most.unicodeScalars.contains(where: { $0.value > 0xFF }) else { continue }
      let found = try store.matches(of: most).filter { $0.rank <= .begunStart }.map(\.id)
      if !found.isEmpty { return found }
    }
    return try store.items(withTitleOf: words, limit: 10)
  }

  /// The query with unknown words replaced by similar words of the catalog, if that has matches; with the title of the
  /// first match, or the new words.
  private func respelled(_ query: Query, in store: Store) throws -> (query: Query, words: String)? {
    // No word of the catalog begins with an unknown word; a half is the beginning of one, but no whole word: 'fo' of
    // 'forest'.
    var (unknown, halves): ([String: String], [String: String]) = ([:], [:])
    for word in query.words {
      // A Korean syllable is spelt with letters too.
      let typed = Folding.letters(word)
      let near = try store.vocabulary(near: word)
      guard !near.contains(typed) else { continue }
      let isUnknown = try !store.hasWord(word)
      // A word of two letters is one edit away from too many: only swapped letters count.
      let alike = near.lazy.map(Folding.letters).filter {
        typed.unicodeScalars.count > 2 || $0.sorted() == typed.sorted()
      }
      guard let closest = Suggestion.closest(to: typed, among: alike) else {
        if isUnknown { return nil } else { continue }
      }
      // The composed form, as in the index.
      let known = near.first { $0 == closest } ?? closest
      if isUnknown { unknown[word] = known } else { halves[word] = known }
    }
    for others in [unknown, unknown.merging(halves) { $1 }] where !others.isEmpty {
      let meant = query.replacing { others[$0] ?? $0 }
      guard let best = try store.ids(meant, limit: 1).first else { continue }
      let title = try store.item(best).record.title
      let folded = Folding.fold(title)
      return (meant, meant.words.allSatisfy { folded.contains(Folding.fold($0)) } ? title : meant.phrase)
    }
    return nil
  }
}
