internal import CatalogModel

/// The kinds of items that a title may be, as bits: 1 movie, 2 book, 4 vinyl, 8 music.
struct CopiedKinds: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let movie = CopiedKinds(rawValue: 1)
  static let book = CopiedKinds(rawValue: 2)
  static let vinyl = CopiedKinds(rawValue: 4)
  static let music = CopiedKinds(rawValue: 8)
}

extension CopiedKinds {
  /// The kinds of a source; nil for one that no dump has.
  init?(_ kind: Kind) {
    switch kind {
    case .movie: self = .movie
    case .book: self = .book
    case .vinyl: self = .vinyl
    case .music: self = .music
    case .podcast, .app: return nil
    }
  }
}

/// A title as a dump gives it: an album, a film, a book; or an edition of one.
struct StagedTitle {
  /// Its number in the dump, by which other files refer to it; of an edition without a title, ``number(ofEdition:)``.
  var number = 0
  var title = ""
  /// The number of the first creator's name.
  var by: Int?
  var year: Int?
  var kinds: CopiedKinds = []
  /// Terms: ``Staging/term(_:)``.
  var format: Int?
  /// The country of a record, the language of a book.
  var origin: Int?
  var genres: Int?
  /// The number of the label's or publisher's name.
  var label: Int?
  var catalogNumber: String?
  /// Minutes, pages or the number of a cover, by kind of source.
  var extra: Int?
  /// The public rating, 0 … 100.
  var rating: Int?
  /// The source's id, where it is no number.
  var uuid: [UInt8]?
  /// The keys of its codes: ``CodeKey``.
  var codes: [UInt64] = []

  /// The number of the first title that is an edition of none.
  static let firstEdition = 1 << 40

  /// The number of a title that is an edition of none. It is above those of other titles, so that rows are appended in
  /// the order in which they come.
  static func number(ofEdition number: Int) -> Int { firstEdition + number }
}
