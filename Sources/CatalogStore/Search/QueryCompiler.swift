internal import CatalogModel
internal import SQLite

/// Compiles a query to an SQL condition on `item`.
enum QueryCompiler {
  /// - Parameter isOfFew: whether another condition with an index leaves only few items.
  static func condition(_ condition: Query.Condition, isOfFew: Bool = false) -> SQL {
    func joined(_ parts: [Query.Condition], with word: SQL, isOfFew: Bool) -> SQL {
      Self.joined(parts.map { self.condition($0, isOfFew: isOfFew) }, with: word)
    }
    switch condition {
    case .all(let parts):
      return parts.isEmpty
        ? "true" : joined(parts, with: " AND ", isOfFew: isOfFew || parts.contains(where: isLookedUp))
    case .any(let parts): return parts.isEmpty ? "false" : "(\(joined(parts, with: " OR ", isOfFew: isOfFew)))"
    // NULL is "does not hold": -year:1959 keeps the items without a year.
    case .not(let part): return "NOT coalesce((\(self.condition(part, isOfFew: isOfFew))), false)"
    case .word(let word): return Self.word(word)
    case .saved(_, let part): return self.condition(part, isOfFew: isOfFew)
    case .field(let field, let comparisons):
      let holds = comparisons.flatMap { comparison in
        alternatives(to: comparison, of: field).map { Self.holds(field, $0, isOfFew: isOfFew) }
      }
      return holds.count == 1 ? holds[0] : "(\(Self.joined(holds, with: " OR ")))"
    }
  }

  /// A comparison with the name of a person in every script, or only itself.
  private static func alternatives(to comparison: Query.Comparison, of field: Field) -> [Query.Comparison] {
    guard case .people = field.type else { return [comparison] }
    return switch comparison {
    case .contains(let name): PersonNames.all(name).map { .contains($0) }
    case .equals(let name): PersonNames.all(name).map { .equals($0) }
    default: [comparison]
    }
  }

  /// Whether an index finds the items for the condition.
  private static func isLookedUp(_ condition: Query.Condition) -> Bool {
    switch condition {
    case .word: true
    case .saved(_, let part): isLookedUp(part)
    case .field(let field, let comparisons):
      field.places.allSatisfy { $0.rows?.isLookedUp ?? false }
        && comparisons.allSatisfy { $0 != .present && $0 != .missing }
    case .all, .any, .not: false
    }
  }

  /// Joins conditions as a balanced tree: SQLite limits the depth of expressions to a thousand.
  private static func joined(_ parts: [SQL], with word: SQL) -> SQL {
    guard parts.count > 100 else { return parts.joined(separator: word) }
    let (left, right) = (Array(parts[..<(parts.count / 2)]), Array(parts[(parts.count / 2)...]))
    return "(\(joined(left, with: word)))\(word)(\(joined(right, with: word)))"
  }

  private static func word(_ word: String) -> SQL {
    guard let expression = SearchText.expression(for: [word]) else {
      // Symbols are in no index: ★, ÷, !!!.
      guard word.contains(where: { !$0.isWhitespace }) else { return "false" }
      return """
        (\(title("catalog_contains", word)) OR EXISTS (SELECT 1 FROM credit JOIN person ON person.id = credit.person_id
          WHERE credit.item_id = item.id AND catalog_contains(person.name, \(word))))
        """
    }
    var found = SearchIndex.allCases.map { $0.items(matching: expression) }
    // A word in other letters than Latin may be all of a name.
    let names = word.unicodeScalars.allSatisfy(\.isASCII) ? [] : PersonNames.all(word)
    found += names.compactMap { SearchText.expression(for: [$0]) }.map(SearchIndex.names.items)
    if let barcode = try? Barcode(word) {
      found.append("SELECT item_id FROM vinyl WHERE barcode IN (\(list: Barcode.forms(of: barcode.digits)))")
    }
    return "item.id IN (\(found.joined(separator: " UNION ALL ")))"
  }

  /// The condition on the days of finished entries that a query asks for: those of 2025 for `seen:2025`. Nil if it
  /// asks for none.
  static func daysSeen(_ condition: Query.Condition) -> SQL? {
    switch condition {
    case .saved(_, let part): return daysSeen(part)
    case .all(let parts):
      let asked = parts.compactMap(daysSeen)
      return asked.isEmpty ? nil : "(\(joined(asked, with: " OR ")))"
    case .any(let parts):
      let asked = parts.compactMap(daysSeen)
      return asked.isEmpty || asked.count < parts.count ? nil : "(\(joined(asked, with: " OR ")))"
    case .field(.seen, let comparisons):
      let holds = comparisons.map { Self.holds("event.ended_on", .date, $0, nil) }
      return "(\(joined(holds, with: " OR ")))"
    case .field, .not, .word: return nil
    }
  }

  // MARK: Fields

  private static func holds(_ field: Field, _ comparison: Query.Comparison, isOfFew: Bool) -> SQL {
    switch (field, comparison) {
    case (_, .present): return present(field)
    case (_, .missing): return "NOT \(present(field))"
    case (.genres, .contains(let name)): return genre(name, withAllBelow: true)
    case (.genres, .equals(let name)): return genre(name, withAllBelow: false)
    case (.rating, .numbers(let range)): return rating(range, isOfFew: isOfFew)
    case (.status, .equals("ongoing")):
      return "item.id IN (SELECT item_id FROM log_entry WHERE outcome = 'ongoing')"
    case (.title, .contains(let part)): return title("catalog_contains", part)
    case (.title, .equals(let text)): return title("catalog_lists", text)
    case (.barcode, .contains(let code)): return barcode(code) { "instr(\($0), \($1)) > 0" }
    case (.barcode, .equals(let code)): return barcode(code) { "ltrim(\($0), '0') = ltrim(\($1), '0')" }
    default: break
    }
    let places = field.places.map { value, rows -> SQL in
      let holds = holds(value, field.type.element, comparison, rows)
      guard let rows else { return holds }
      let exists = rows.has(holds)
      guard let index = rows.index, let text = comparison.text,
        let expression = SearchText.expression(for: [text])
      else { return exists }
      // The index finds the few items with the words, and the condition checks them.
      return "item.id IN (\(index.items(matching: expression))) AND \(exists)"
    }
    return places.count == 1 ? places[0] : "(\(places.joined(separator: " OR ")))"
  }

  /// The condition that a single value matches.
  private static func holds(_ value: SQL, _ type: FieldType, _ comparison: Query.Comparison, _ rows: Rows?) -> SQL {
    // A name may have been kept with its article behind: `Beatles, The`.
    let value: SQL = if case .people = type { "catalog_natural(\(value))" } else { value }
    if let key = rows?.key, let text = comparison.text {
      let asked = Folding.nameKey(text)
      return comparison == .equals(text) ? "\(key) = \(asked)" : "instr(\(key), \(asked)) > 0"
    }
    switch comparison {
    case .present: return "\(value) IS NOT NULL"
    case .missing: return "\(value) IS NULL"
    // A range of the NOCASE index: all values with this prefix. U+10FFFF sorts behind every other character.
    case .contains(let part) where type == .place:
      return
        "(\(value) COLLATE NOCASE >= \(part) AND \(value) COLLATE NOCASE < \(part + "\u{10FFFF}"))"
    case .equals(let place) where type == .place: return "\(value) = \(place) COLLATE NOCASE"
    case .contains(let part):
      if type == .code { return "catalog_contains(\(digits(value)), \(part))" }
      return rows?.index == nil ? "catalog_contains(\(value), \(part))" : "catalog_begins(\(value), \(part))"
    case .equals(let word) where type.isOneOfWords: return "\(value) = \(word)"
    case .equals(let text): return "catalog_lists(\(type == .code ? digits(value) : value), \(text))"
    case .grades(let grades): return "\(value) IN (\(list: grades.map(\.rawValue)))"
    // SQLite uses an index for equality before one for ranges.
    case .numbers(let range) where range.lowerBound == range.upperBound: return "\(value) = \(range.lowerBound)"
    case .numbers(let range): return "\(value) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .reals(let range): return "\(value) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .dates(let from, let to) where type == .moment:
      let ends = [
        from.map { "\(value) >= catalog_start(\($0.description))" as SQL },
        to.map { "\(value) < catalog_end(\($0.description))" as SQL },
      ].compactMap(\.self)
      return ends.isEmpty ? "\(value) IS NOT NULL" : "(\(ends.joined(separator: " AND ")))"
    case .dates(let from, let to):
      let ends = [
        from.map { "\(value) >= \($0.description)" as SQL }, to.map { "\(value) < \($0.end)" as SQL },
      ].compactMap(\.self)
      return ends.isEmpty ? "\(value) IS NOT NULL" : "(\(ends.joined(separator: " AND ")))"
    case .amounts(let range, let currency):
      // The currency is in the same table.
      let its: SQL = rows.map { "\($0.table).currency" } ?? "currency"
      let thousandths: SQL = """
        \(value) * CASE WHEN \(its) IN (\(list: Price.wholeCurrencies)) THEN 1000
          WHEN \(its) IN (\(list: Price.fineCurrencies)) THEN 1 ELSE 10 END
        """
      let isInRange: SQL = "\(thousandths) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
      return currency.map { "(\(isInRange) AND \(its) = \($0))" } ?? isInRange
    }
  }

  /// A condition on the barcode. Leading zeros do not matter, unless a part is searched.
  private static func barcode(_ code: String, _ holds: (_ digits: SQL, _ code: String) -> SQL) -> SQL {
    let code = (try? Barcode(code))?.canonical ?? code
    return """
      EXISTS (SELECT 1 FROM vinyl WHERE vinyl.item_id = item.id AND \(holds(digits("vinyl.barcode"), code)))
      """
  }

  /// A code without hyphens and blanks.
  private static func digits(_ value: SQL) -> SQL { "replace(replace(\(value), '-', ''), ' ', '')" }

  /// A condition on any title of an item.
  private static func title(_ test: SQL, _ text: String) -> SQL {
    """
    (\(test)(item.title, \(text)) OR \(test)(item.original_title, \(text))
      OR \(test)(replace(item.other_titles, char(10), char(31)), \(text)))
    """
  }

  /// A condition on the rating of the newest card that has one. A few items are checked one by one; for many, all cards
  /// are read once.
  private static func rating(_ range: ClosedRange<Int>, isOfFew: Bool) -> SQL {
    if isOfFew {
      return """
        (SELECT rating FROM card WHERE card.item_id = item.id AND rating IS NOT NULL
          ORDER BY \(Store.newestCardFirst) LIMIT 1)
          BETWEEN \(range.lowerBound) AND \(range.upperBound)
        """
    }
    return """
      item.id IN (SELECT item_id FROM card WHERE rating BETWEEN \(range.lowerBound) AND \(range.upperBound) AND NOT EXISTS (
        SELECT 1 FROM card AS newer WHERE newer.item_id = card.item_id AND newer.id <> card.id AND newer.rating IS NOT NULL
          AND (\(Store.opinionDay("newer")), newer.created_at, newer.rating)
            > (\(Store.opinionDay()), card.created_at, card.rating)))
      """
  }

  /// A condition on a genre, found by its name or a source's label, optionally with the genres below it.
  private static func genre(_ name: String, withAllBelow: Bool) -> SQL {
    let key = Folding.nameKey(name)
    let below: SQL =
      withAllBelow ? " UNION SELECT genre.id FROM genre JOIN named ON genre.parent_id = named.id" : ""
    return """
      item.id IN (
        SELECT item_id FROM item_genre WHERE genre_id IN (
          WITH RECURSIVE named(id) AS (
            SELECT id FROM genre WHERE key = \(key)
            UNION SELECT genre_id FROM genre_label JOIN genre_label_target ON label_id = genre_label.id
            WHERE source = 'any' AND kind = '' AND key = \(key)\(below))
          SELECT id FROM named))
      """
  }

  private static func present(_ field: Field) -> SQL {
    switch field {
    case .rating: return "EXISTS (SELECT 1 FROM card WHERE card.item_id = item.id AND card.rating IS NOT NULL)"
    case .favorite: return "item.id IN (SELECT item_id FROM favorite)"
    case _ where field.type == .flag: return field.scalar
    case _ where field.type == .count: return "(\(field.scalar) > 0)"
    default:
      let places = field.places.map { value, rows -> SQL in
        rows?.hasAny ?? "\(value) IS NOT NULL"
      }
      return "(\(places.joined(separator: " OR ")))"
    }
  }
}

extension Query.Comparison {
  /// The text to search for.
  fileprivate var text: String? {
    switch self {
    case .contains(let text), .equals(let text): text
    default: nil
    }
  }
}

extension Connection {
  /// Defines the text functions of queries, which ignore case and accents:
  ///
  /// - `catalog_contains(text, part)`: whether `text` contains `part`;
  /// - `catalog_begins(text, part)`: whether `part` occurs in `text` at the start of a word;
  /// - `catalog_natural(name)`: a name with the article behind it in front;
  /// - `catalog_lists(texts, text)`: whether `text` is one of `texts`, separated by U+001F;
  /// - `catalog_name_key(name)`: the key that all spellings of a name share;
  /// - `catalog_sorted(text)`: the key by which titles and names are put in order;
  /// - `catalog_respelled(text)`: its words with special letters, spelled with the letters that people type instead.
  ///
  /// And those of days, which are the days of the person:
  ///
  /// - `catalog_day(moment)`: the local day of a moment;
  /// - `catalog_start(date)`, `catalog_end(date)`: the first moment of a year, month or day, and the first after it.
  /// - Parameter place: it tells the time when a function is called.
  func defineQueryFunctions(at place: Place = Place()) throws {
    func define(_ name: String, _ moment: @escaping @Sendable (PartialDate) -> Timestamp) throws {
      try self.define(name, argumentCount: 1) { values in
        guard case .text(let text) = values[0], let date = PartialDate(text) else { return .null }
        return .text(moment(date).rawValue)
      }
    }
    try define("catalog_start") { place.localTime.start(of: $0) }
    try define("catalog_end") { place.localTime.end(of: $0) }
    try self.define("catalog_day", argumentCount: 1) { values in
      guard case .text(let text) = values[0] else { return .null }
      return .text(place.localTime.day(of: Timestamp(rawValue: text)))
    }
    func define(_ name: String, _ test: @escaping @Sendable (String, String) -> Bool) throws {
      try self.define(name, argumentCount: 2) { values in
        guard case .text(let text) = values[0], case .text(let part) = values[1] else { return .integer(0) }
        return .integer(test(text, part) ? 1 : 0)
      }
    }
    try self.define("catalog_sorted", argumentCount: 1) { values in
      guard case .text(let text) = values[0] else { return values[0] }
      return .text(SortKey.of(String(Articles.dropped(from: text))))
    }
    try self.define("catalog_natural", argumentCount: 1) { values in
      guard case .text(let name) = values[0] else { return values[0] }
      return .text(Articles.inFront(name))
    }
    try self.define("catalog_respelled", argumentCount: 1) { values in
      guard case .text(let text) = values[0] else { return .null }
      return .text(SearchText.respelled(text))
    }
    try define("catalog_contains") { text, part in
      let part = SearchText.comparable(part)
      // Such signs alone are only in the folded text.
      let isSigns = part.utf8.contains { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "-") }
      return (isSigns ? Folding.fold(text) : SearchText.comparable(text)).utf8.contains(part.utf8)
    }
    try define("catalog_begins") { SearchText.hasWords(SearchText.comparable($0), SearchText.comparable($1)) }
    try define("catalog_lists") { texts, text in
      let key = Folding.nameKey(text)
      return texts.utf8.split(separator: FieldType.separator).contains { Folding.nameKey(String(Substring($0))) == key }
    }
    try self.define("catalog_name_key", argumentCount: 1) { values in
      guard case .text(let name) = values[0] else { return values[0] }
      return .text(Folding.nameKey(name))
    }
  }
}
