public import CatalogModel

/// The counts of some items: their number, ratings, pages, minutes and prices.
public struct Tally: Sendable, Hashable {
  public internal(set) var items = 0
  public internal(set) var movies = 0
  public internal(set) var books = 0
  public internal(set) var records = 0
  /// The number of items with a rating.
  public internal(set) var rated = 0
  /// The sum of the ratings, each 0 … 100.
  var ratings = 0
  /// The pages of the books whose number of pages is known.
  public internal(set) var pages = 0
  public internal(set) var booksWithPages = 0
  /// The minutes of the movies whose running time is known.
  public internal(set) var minutes = 0
  public internal(set) var moviesWithMinutes = 0
  public internal(set) var booksWithPrice = 0
  /// The sums of the cover prices, by currency.
  private var amounts: [Currency: Int] = [:]
  /// The earliest and the latest year of release.
  public internal(set) var firstYear: Int?
  public internal(set) var lastYear: Int?

  public init() {}

  /// The mean of the ratings, 0 … 100.
  public var meanRating: Double? { rated > 0 ? Double(ratings) / Double(rated) : nil }

  /// The mean rating, shrunk towards another mean as if ``GenreReport/priorItems`` more items had exactly that rating.
  public func shrunkRating(towards mean: Double?) -> Double? {
    guard rated > 0, let mean else { return nil }
    let prior = Double(GenreReport.priorItems)
    return (prior * mean + Double(ratings)) / (prior + Double(rated))
  }

  /// The sums of the cover prices, one for each currency.
  public var prices: [Price] {
    amounts.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { Price(minorUnits: $0.value, currency: $0.key.description) }
  }

  mutating func count(_ item: ItemFigures) {
    guard let kind = item.kind else { return }
    items += 1
    countLength(item)
    switch kind {
    case .movie:
      movies += 1
      if item.length > 0 { moviesWithMinutes += 1 }
    case .book:
      books += 1
      if item.length > 0 { booksWithPages += 1 }
      if item.price >= 0 {
        booksWithPrice += 1
        amounts[item.currency, default: 0].addUpToGreatest(item.price)
      }
    default: records += 1
    }
    if item.rating >= 0 {
      rated += 1
      ratings += Int(item.rating)
    }
    if item.year != 0 {
      firstYear = min(firstYear ?? .max, Int(item.year))
      lastYear = max(lastYear ?? .min, Int(item.year))
    }
  }

  /// Counts only the pages or minutes of an item that was read or watched again.
  mutating func countLength(_ item: ItemFigures) {
    guard item.length > 0 else { return }
    switch item.kind {
    case .movie: minutes.addUpToGreatest(item.length)
    case .book: pages.addUpToGreatest(item.length)
    default: break
    }
  }

  /// Adds the counts of another tally.
  mutating func add(_ other: Tally) {
    items += other.items
    movies += other.movies
    books += other.books
    records += other.records
    rated += other.rated
    ratings += other.ratings
    pages.addUpToGreatest(other.pages)
    booksWithPages += other.booksWithPages
    minutes.addUpToGreatest(other.minutes)
    moviesWithMinutes += other.moviesWithMinutes
    booksWithPrice += other.booksWithPrice
    for (currency, amount) in other.amounts { amounts[currency, default: 0].addUpToGreatest(amount) }
    firstYear = [firstYear, other.firstYear].compactMap(\.self).min()
    lastYear = [lastYear, other.lastYear].compactMap(\.self).max()
  }
}

/// The values of an item that reports count, small enough for a million items.
struct ItemFigures {
  /// The pages of a book or the minutes of a movie; 0 if unknown.
  var length = 0
  /// The cover price of a book, in the currency's smallest unit; −1 if unknown.
  var price = -1
  /// The year of release; 0 if unknown.
  var year: Int16 = 0
  /// The year of addition.
  var added: Int16 = 0
  var currency = Currency()
  /// The rating, 0 … 100; −1 without one.
  var rating: Int8 = -1
  /// Nil for an item that is not selected.
  var kind: Kind?
}

/// An ISO 4217 code in two bytes.
struct Currency: Hashable, CustomStringConvertible {
  /// The letters as digits to the base 26.
  private(set) var rawValue: UInt16 = 0

  init() {}

  /// Three letters from A to Z, as the file has them.
  init(_ code: UnsafeBufferPointer<UInt8>) {
    for letter in code.prefix(3) {
      rawValue = rawValue &* 26 &+ UInt16(truncatingIfNeeded: letter &- UInt8(ascii: "A"))
    }
  }

  var description: String {
    String(
      decoding: [rawValue / 676, rawValue / 26 % 26, rawValue % 26].map {
        UInt8(truncatingIfNeeded: $0) + UInt8(ascii: "A")
      }, as: UTF8.self
    )
  }
}

extension Int {
  /// Adds a number and stops at the maximum: another program may have written any number of pages.
  fileprivate mutating func addUpToGreatest(_ other: Int) {
    let (sum, overflows) = addingReportingOverflow(other)
    self = overflows ? .max : sum
  }
}
