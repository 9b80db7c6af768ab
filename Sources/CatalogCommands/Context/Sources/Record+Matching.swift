internal import CatalogModel
internal import Lookup

// Whether a record of a source is the same work as one of the catalog.
extension Record {
  /// The ISBN or barcode.
  var code: Code? {
    switch kind {
    case .book: book.isbn.map(Code.isbn)
    case .vinyl: vinyl.barcode.flatMap { try? Barcode($0) }.map(Code.barcode)
    default: nil
    }
  }

  /// Whether the record has a title of the other, and the same year if both are known: search results are incomplete.
  func mayBe(_ other: Record) -> Bool { mayBe(WorkIdentity(self).compare(with: WorkIdentity(other))) }

  private func mayBe(_ found: WorkIdentity.Comparison) -> Bool {
    found.title.isEqual && found.years ?? 0 == 0 && !found.isOtherVolume
  }

  /// Whether the record is certainly the same work: the same kind, title, year, and one of the makers if the other has
  /// any. This is stricter than elsewhere, since hundreds of records are applied without a look.
  func isCertainly(_ other: Record) -> Bool {
    guard kind == other.kind else { return false }
    let found = WorkIdentity(self).compare(with: WorkIdentity(other))
    return mayBe(found) && (other.year == nil || found.years != nil)
      && (other.creators.isEmpty || found.makers == .some)
  }

  /// Whether the record has the facts to tell it from every other: creators and year.
  var isWhole: Bool { !creators.isEmpty && year != nil }

  /// Whether the record has the facts to identify it: the year of a movie, the creator of a book or vinyl record.
  var canBeFound: Bool { kind == .movie ? year != nil : !creators.isEmpty }

  /// The data that all pressings of a record share.
  var withoutPressing: Record {
    var record = self
    record.vinyl = Vinyl()
    record.vinyl.tracks = vinyl.tracks.map { Track(position: $0.position, title: $0.title, seconds: $0.seconds) }
    record.externalIDs = []
    record.url = nil
    return record
  }
}

extension Record {
  /// Whether the first source of its kind may add to it: it has a code or an IMDb id, and lacks the director or length
  /// of a film, the pages of a book, the label of a record. It came from another source then, or from a search.
  var isPoor: Bool {
    guard code != nil || externalIDs.contains(where: { $0.source == ExternalID.imdb }) else { return false }
    return switch kind {
    case .movie: creators.isEmpty || movie.minutes == nil
    case .book: book.pages == nil
    case .vinyl: vinyl.label == nil
    case .music, .podcast, .app: false
    }
  }
}
