internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup

extension Context {
  /// Answers a shell that completes a word. A catalog that cannot be read offers nothing, without an error.
  /// - Parameter path: the words of the command.
  func answer(_ completion: Completion, at path: [String]) throws {
    let found = completion.wanted.flatMap { try? candidates($0, for: completion, at: path) } ?? []
    try output.append(completion.text(adding: found))
  }

  private func candidates(
    _ name: String, for completion: Completion, at path: [String]
  ) throws -> [Completion.Candidate] {
    let prefix = completion.prefix
    func starting(_ names: [String]) -> [Completion.Candidate] {
      let folded = Folding.fold(prefix)
      return names.filter { Folding.fold($0).hasPrefix(folded) }.map { .init($0) }
    }
    switch name {
    case "items": return try items(prefix)
    case "copies": return try copies(prefix)
    case "places": return starting(try opened(for: .reading).saidOfCopies(.place))
    case "formats": return starting(try opened(for: .reading).saidOfCopies(.format))
    case "import formats":
      return Import.formats.filter { $0.id.hasPrefix(prefix) }.map { .init($0.id, $0.name) }
    case "sellers": return starting(try opened(for: .reading).saidOfCopies(.acquiredFrom))
    case "prices":
      // An amount is completed by its currency.
      guard prefix.last?.isNumber == true else { return [] }
      let currencies = try opened(for: .reading).saidOfCopies(.currency) + ["KRW", "USD", "EUR", "GBP", "JPY"]
      return currencies.withoutRepeats(by: \.self).map { .init("\(prefix)\($0)") }
    case "edit": return try changes(prefix)
    case "query": return try terms(prefix)
    case "shelf": return try starting(Kind.shelved.map(\.rawValue)) + terms(prefix)
    case "columns": return last(of: prefix, among: Field.all.map(\.name))
    case "members":
      let documents = JSONDocument.of(path.joined(separator: " "))
      return last(of: prefix, among: documents.flatMap(\.members).map(\.name).withoutRepeats(by: \.self))
    case "orders":
      return last(of: prefix, among: Field.all.filter(\.isSortable).flatMap { [$0.word, $0.word + "-"] })
    case "results":
      return zip(1..., results.load()).map { .init("r\($0)", $1.record.headline) }.filter { $0.word.hasPrefix(prefix) }
    case "recents":
      let store = try opened(for: .reading)
      return try zip(1..., store.recents()).map { .init("@\($0)", try $1.record(in: store).headline) }
        .filter { $0.word.hasPrefix(prefix) }
    case "entries":
      return try opened(for: .reading).diary(limit: 50).compactMap { event in
        event.entry.map { .init("\($0)", event.title) }
      }.filter { $0.word.hasPrefix(prefix) }
    case "genres":
      let genres = try opened(for: .reading).values(of: .genres)
      return starting(words(for: genres, of: .genres, beginning: prefix))
    case "tags": return starting(try opened(for: .reading).tags().map(\.name))
    case "piles": return starting(try opened(for: .reading).piles().map(\.name))
    case "wishes":
      let store = try opened(for: .reading)
      return try store.wishes().map { .init("\($0.id)", try $0.title(in: store)) }.filter {
        $0.word.hasPrefix(prefix.lowercased())
      }
    case "borrowers": return starting(try opened(for: .reading).borrowers())
    case "lent":
      let store = try opened(for: .reading)
      return try store.loans().map { .init("\($0.copy)", "\(try store.item($0.item).record.title): \($0.person)") }
        .filter { $0.word.hasPrefix(prefix.lowercased()) }
    // A copy, 'to', and the borrower.
    case "lend": return try copies(prefix) + starting(["to"] + opened(for: .reading).borrowers())
    case "saved": return starting(try opened(for: .reading).savedQueries().names)
    case "sources": return starting(sourceNames)
    case "attributes":
      let kinds = (completion.given["kind"] ?? []).flatMap { $0.split(separator: ",") }.compactMap {
        Kind(word: String($0))
      }
      return sources.flatMap { source in
        source.kindsWithAttributes.filter { kinds.isEmpty || kinds.contains($0) }.flatMap(source.attributes)
      }
      .withoutRepeats(by: \.word).filter { $0.word.hasPrefix(prefix.lowercased()) }.map { .init($0.word, $0.help) }
    case "keyed-sources": return starting(sources.filter { $0.key != nil }.map(\.id))
    case "profiles": return starting(try places.profiles().map(\.name))
    case "settings": return starting(Configuration.settings.map(\.name))
    default: return []
    }
  }

  private func items(_ begun: String) throws -> [Completion.Candidate] {
    let store = try opened(for: .reading)
    let ids = begun.isEmpty ? try store.ids(Query(), limit: 50) : try store.search(begun, limit: 50)
    return try ids.map { id in
      let item = try store.item(id)
      // A number types faster than a title; a title that was begun is completed.
      return begun.isEmpty
        ? .init("\(id)", item.record.headline) : .init(item.record.title, text("\(item.record.kind.singular) \(id)"))
    }
  }

  /// Copies by their numbers, and items by their titles.
  private func copies(_ begun: String) throws -> [Completion.Candidate] {
    guard begun.isEmpty || begun.lowercased().hasPrefix("c") && begun.dropFirst().allSatisfy(\.isNumber) else {
      return try items(begun)
    }
    let store = try opened(for: .reading)
    let found = try store.copies(newest: 1_000).filter { $0.id.description.hasPrefix(begun.lowercased()) }.suffix(50)
    let copies = try found.reversed().map { copy in
      Completion.Candidate("\(copy.id)", "\(try store.item(copy.item).record.title): \(text(line(of: copy)))")
    }
    return begun.isEmpty ? copies : try copies + items(begun)
  }

  /// Completes the last of several names separated by commas, without repeating any.
  private func last(of typed: String, among names: [String]) -> [Completion.Candidate] {
    let start = typed.lastIndex(of: ",").map { typed.index(after: $0) } ?? typed.startIndex
    let (before, begun) = (typed[..<start], typed[start...])
    let given = before.split(separator: ",")
    return names.filter { $0.hasPrefix(begun) && !given.contains($0[...]) }.map { .init(before + $0) }
  }

  /// Completes a term of a query: the name of a field, and after the colon a value of it.
  private func terms(_ typed: String) throws -> [Completion.Candidate] {
    // Opening parentheses and negations before the term.
    let sign = typed.prefix { "-^(".contains($0) }
    let text = typed.dropFirst(sign.count)
    if text.hasPrefix("@") {
      let begun = Folding.nameKey(String(text.dropFirst()))
      return try opened(for: .reading).savedQueries().all.filter {
        begun.isEmpty || Folding.nameKey($0.name).hasPrefix(begun)
      }
      .map { .init(sign + Query(.saved($0.name, .all([]))).description, $0.spelled) }
    }
    guard let colon = text.firstIndex(of: ":") else {
      let words = typed.isEmpty ? [] : ["and", "or", "not"].filter { sign.isEmpty && $0.hasPrefix(text) }
      // All of them in Korean too would be too many.
      let korean = text.isEmpty ? [] : KoreanWords.fields.keys.filter { $0.hasPrefix(text) }.sorted()
      return (Query.fields.filter { $0.hasPrefix(text) } + korean).map { .init(sign + $0 + ":") }
        + words.map { .init($0) }
    }
    // Only the last of several values is completed.
    let start = text[colon...].lastIndex { ",:=".contains($0) }.map { text.index(after: $0) } ?? text.endIndex
    let begun = String(text[start...])
    var values: [String]
    if ["has", "is"].contains(text[..<colon]) {
      values = Field.all.filter { !$0.isAlwaysThere }.map(\.word)
    } else if let field = Field.named(String(text[..<colon])) {
      // A word of the person's language may stand for a value that begins with other letters.
      let isSpoken = [.genres, .kind].contains(field) && !begun.utf8.allSatisfy { $0 < 0x80 }
      values = try opened(for: .reading).values(of: field, beginning: isSpoken ? "" : begun)
      if field.isYesOrNo { values = ["yes", "no"] }
      if [.date, .moment].contains(field.type.element) { values += ["today", "yesterday"] }
      if !field.isAlwaysThere { values += ["none", "any"] }
      values = words(for: values, of: field, beginning: begun)
    } else {
      values = []
    }
    let folded = Folding.fold(begun)
    return values.filter { Folding.fold($0).hasPrefix(folded) }.map { .init(sign + text[..<start] + $0) }
  }

  /// The values in the person's language, where a query understands them so; in English those that begin so in English.
  private func words(for values: [String], of field: Field, beginning begun: String) -> [String] {
    guard language != "en" else { return values }
    let folded = Folding.fold(begun)
    return values.map { value in
      let word = field == .genres ? genreName(value) : text(Message(words: value))
      let isKnown = field == .genres || ValueWords.agree(word, value)
      return isKnown && Folding.fold(word).hasPrefix(folded) ? word : value
    }
  }

  /// Completes the arguments of `edit`: an item, the name of a field, and after the equals sign a value of it.
  private func changes(_ typed: String) throws -> [Completion.Candidate] {
    guard let equals = typed.firstIndex(of: "=") else {
      let fields = Field.all.filter { $0.isEditable && $0.word.hasPrefix(typed) }
      return try items(typed) + (typed.isEmpty ? [] : fields.map { .init($0.word + "=", $0.heading) })
    }
    let start = typed.index(after: equals)
    guard let field = Field.named(String(typed[..<equals].prefix { $0 != "+" && $0 != "-" })) else { return [] }
    return try opened(for: .reading).values(of: field, beginning: String(typed[start...])).map {
      .init(typed[..<start] + $0)
    }
  }
}
