internal import CResources
internal import Synchronization

/// The words of values in all languages: Data/values.tsv.
public enum ValueWords {
  /// A sort of words: the first part of a line.
  public enum Sort: String, CaseIterable, Sendable {
    /// Days, weeks, months and years by their distance from today: `-1d`.
    case day
    /// `2 weeks ago`: the unit of the number, the words for the direction, and numbers that are words with their units.
    case unit, past, future, span
    /// The words in a written day.
    case part
    /// The words before or behind the first year of a decade.
    case decade
    /// Signs and words beside an amount of money.
    case currency
    /// Factors of the number before them.
    case multiple
    case status
    /// Names of kinds, which may also stand before a title, and other words for things of a kind.
    case kind, thing
    case flag
    /// Whether there is a value: `none`, `any`.
    case presence
    /// Words in ratings, and words that are ratings.
    case stars, rating
    /// Words beside the number of a book in its series, and the books of three.
    case volume, third
    /// People who are not named: `외`.
    case others
    /// The roles of people in a book or film.
    case role
    /// The units of `genres --by` beside fields.
    case dimension
    /// The marks of files for no value.
    case nothing
  }

  /// The value that a word stands for, in any language.
  public static func value(_ word: some StringProtocol, of sort: Sort) -> String? {
    values(of: sort)[key(String(word), of: sort)]
  }

  /// Whether two words are read as one value, in whatever languages.
  public static func agree(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
    [Sort.kind, .status, .flag, .presence, .day].contains { sort in
      value(one, of: sort).map { $0 == value(other, of: sort) } ?? false
    }
  }

  /// The form that equal words have in common. Of money, signs count, too.
  package static func key(_ word: String, of sort: Sort) -> String {
    guard sort == .currency else { return Folding.nameKey(word) }
    return Folding.fold(word).filter { !$0.isWhitespace && $0 != "." }
  }

  /// All words of a sort with their values, as the file has them.
  package static func all(of sort: Sort) -> [(value: String, language: String, word: String)] {
    let (lines, start) = (catalog_values().bytes.split(separator: UInt8(ascii: "\n")), Array("\(sort.rawValue)\t".utf8))
    return lines.filter { $0.starts(with: start) }.flatMap { line in
      let parts = line.split(separator: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
      return parts.count == 4 ? words(parts[3]).map { (parts[1], parts[2], $0) } : []
    }
  }

  /// The values by the keys of their words. A sort is read at its first question.
  private static func values(of sort: Sort) -> [String: String] {
    read.withLock { read in
      if let known = read[sort] { return known }
      let values = all(of: sort).reduce(into: [String: String]()) { $0[key($1.word, of: sort)] = $1.value }
      read[sort] = values
      return values
    }
  }

  private static let read = Mutex<[Sort: [String: String]]>([:])

  private static func words(_ list: String) -> [String] { list.split(separator: ";").map(\.trimmingBlanks) }
}
