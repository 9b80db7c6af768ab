public import CatalogModel

/// One thing of the catalog on its way out, with all that hangs on it.
public struct Outgoing: Sendable {
  /// Its number in the catalog, which never changes.
  public var id: ItemID
  public var entry: Entry
  /// The canonical genres, the main one first.
  public var genres: [String]
  /// What its newest card says.
  public var rating: Rating?

  public init(_ id: ItemID, _ entry: Entry, genres: [String] = [], rating: Rating? = nil) {
    (self.id, self.entry, self.genres, self.rating) = (id, entry, genres, rating)
  }
}

// What several services ask for.
extension Outgoing {
  var record: Record { entry.record }

  /// The year, of an edition that of the work.
  var year: Int? { record.year ?? record.released?.year }

  /// What a source calls it, the first where there are several; empty where it does not know it.
  /// - Parameter isPlain: only what has no type before a slash, where the source numbers other things, too.
  func id(at source: String, isPlain: Bool = false) -> String {
    record.externalIDs.first { $0.source == source && (!isPlain || !$0.value.contains("/")) }?.value ?? ""
  }

  func names(_ role: Credit.Role) -> [String] { record.credits.filter { $0.role == role }.map(\.name) }

  /// The times that it was finished, the first first.
  var finished: [Entry.Time] { entry.times.filter { $0.outcome == .done } }

  /// The times that it was read to the end, or, of a book that was only ever given up, those of that.
  var readings: [Entry.Time] { finished.isEmpty ? entry.times.filter { $0.outcome == .dropped } : finished }

  /// The end of the last reading.
  var lastRead: PartialDate? { readings.compactMap(\.endedOn).last }

  /// What was last thought of it in words.
  var comment: String? {
    (entry.opinions.map(\.comment) + entry.times.map { $0.opinion?.comment }).compactMap(\.self).last
  }

  /// The day of its newest rating: that of the time it was given for, or its own.
  var ratedOn: PartialDate? {
    guard let rating else { return nil }
    let ofTimes = entry.times.filter { $0.opinion?.rating == rating }.compactMap { $0.endedOn ?? $0.opinion?.day }
    let others = entry.opinions.filter { $0.rating == rating }.compactMap(\.day)
    return (ofTimes + others).max { $0.description < $1.description }
  }

  /// What the readers of books call where they are with one.
  var readStatus: String {
    if entry.times.contains(where: { $0.outcome == .ongoing }) { return "currently-reading" }
    if !finished.isEmpty { return "read" }
    return entry.times.isEmpty ? "to-read" : "did-not-finish"
  }
}

extension PartialDate {
  /// `2026/11/21`, as far as it is known.
  var slashed: String { description.split(separator: "-").joined(separator: "/") }

  /// `2026-11-21`; empty where the day is not known, for services that know whole dates alone.
  var whole: String { day == nil ? "" : description }
}

extension Rating {
  /// Hundredths to the nearest step of a service, half a step upwards, and never nothing: who gave the worst gave something.
  func step(of width: Int) -> Int { max(1, (value * 2 + width) / (width * 2)) }

  /// Stars in steps of a half or a quarter: `4.5`, `4.25`.
  func stars(in parts: Int) -> String {
    let steps = step(of: 20 / parts)
    let (whole, rest) = steps.quotientAndRemainder(dividingBy: parts)
    return "\(whole)" + [0: ".0", 25: ".25", 50: ".5", 75: ".75"][rest * 100 / parts, default: ""]
  }
}
