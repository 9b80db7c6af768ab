public import CatalogModel

/// An item to export, with everything that belongs to it.
public struct Outgoing: Sendable {
  /// The number of the item in the catalog, which never changes.
  public var id: ItemID
  public var entry: Entry
  /// The canonical genres, the main one first.
  public var genres: [String]
  /// The rating of its newest card.
  public var rating: Rating?

  public init(_ id: ItemID, _ entry: Entry, genres: [String] = [], rating: Rating? = nil) {
    (self.id, self.entry, self.genres, self.rating) = (id, entry, genres, rating)
  }
}

// Values that several formats need.
extension Outgoing {
  var record: Record { entry.record }

  /// The year of the work, even for an edition.
  var year: Int? { record.year ?? record.released?.year }

  /// The first id at a source; empty if there is none.
  /// - Parameter isPlain: whether to ignore ids with a type before a slash, which number other things.
  func id(at source: String, isPlain: Bool = false) -> String {
    record.externalIDs.first { $0.source == source && (!isPlain || !$0.value.contains("/")) }?.value ?? ""
  }

  func names(_ role: Credit.Role) -> [String] { record.names(role) }

  /// The finished times, the first one first.
  var finished: [Entry.Time] { entry.times.filter { $0.outcome == .done } }

  /// The finished times, or the dropped ones if the book was never finished.
  var readings: [Entry.Time] { finished.isEmpty ? entry.times.filter { $0.outcome == .dropped } : finished }

  var lastRead: PartialDate? { readings.compactMap(\.endedOn).last }

  /// The latest comment.
  var comment: String? {
    (entry.opinions.map(\.comment) + entry.times.map { $0.opinion?.comment }).compactMap(\.self).last
  }

  /// The day of its newest rating: the day of the time it belongs to, or its own.
  var ratedOn: PartialDate? {
    guard let rating else { return nil }
    let ofTimes = entry.times.filter { $0.opinion?.rating == rating }.compactMap { $0.endedOn ?? $0.opinion?.day }
    let others = entry.opinions.filter { $0.rating == rating }.compactMap(\.day)
    return (ofTimes + others).max { $0.description < $1.description }
  }

  /// The reading status in the words of Goodreads and StoryGraph.
  var readStatus: String {
    if entry.times.contains(where: { $0.outcome == .ongoing }) { return "currently-reading" }
    if !finished.isEmpty { return "read" }
    return entry.times.isEmpty ? "to-read" : "did-not-finish"
  }
}

extension Record {
  func names(_ role: Credit.Role) -> [String] { credits.filter { $0.role == role }.map(\.name) }
}

extension PartialDate {
  /// `2026/11/21`, as precise as it is known.
  var slashed: String { description.split(separator: "-").joined(separator: "/") }

  /// `2026-11-21`; empty without a day, for services that need full dates.
  var whole: String { day == nil ? "" : description }
}

extension Rating {
  /// The number of steps of this width, rounded half up and at least 1, since the lowest rating is a rating, too.
  func step(of width: Int) -> Int { max(1, (value * 2 + width) / (width * 2)) }

  /// The stars in halves or quarters: `4.5`, `4.25`.
  func stars(in parts: Int) -> String {
    let steps = step(of: 20 / parts)
    let (whole, rest) = steps.quotientAndRemainder(dividingBy: parts)
    return "\(whole)" + [0: ".0", 25: ".25", 50: ".5", 75: ".75"][rest * 100 / parts, default: ""]
  }
}
