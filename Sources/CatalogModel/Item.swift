public import FoundationEssentials
internal import Glibc

/// The small number by which a person calls an item. It never changes and is never given to another item.
public struct ItemID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "\(rawValue)" }
  public static func < (a: ItemID, b: ItemID) -> Bool { a.rawValue < b.rawValue }
}

/// A moment in UTC, as stored: `2026-11-21T09:30:00Z`. Equal texts are equal times, and texts sort by time. Of which
/// day it is, ``LocalTime`` says.
public struct Timestamp: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// To the second, downwards.
  public init(_ date: Date) { rawValue = date.utc("%Y-%m-%dT%H:%M:%SZ") }
  public var date: Date? { try? Date(rawValue, strategy: .iso8601) }
  public var description: String { rawValue }
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.rawValue < b.rawValue }
}

/// Something in the catalog.
public struct Item: Sendable, Hashable, Identifiable {
  public var id: ItemID
  public var record: Record
  /// The canonical names of the genres, from the record's labels or chosen by the user; the main one first.
  public var genres: [String]
  public var createdAt: Timestamp
  public var updatedAt: Timestamp
  /// The time at which it became a favorite, or nil.
  public var favoriteSince: Timestamp?
  /// The newest card's rating.
  public var rating: Rating?
  public var hasCover: Bool
  /// The time of the wish, or nil.
  public var wishedSince: Timestamp?
  /// In alphabetical order.
  public var tags: [String] = []
  public var piles: [String] = []

  public init(
    id: ItemID, record: Record, genres: [String], createdAt: Timestamp, updatedAt: Timestamp,
    favoriteSince: Timestamp? = nil, rating: Rating? = nil, hasCover: Bool = false
  ) {
    self.id = id
    self.record = record
    self.genres = genres
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.favoriteSince = favoriteSince
    self.rating = rating
    self.hasCover = hasCover
  }
}

/// The number of a comment card.
public struct CardID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "\(rawValue)" }
}

/// A dated comment with a rating, or one of both. An item may have many; the newest card's rating is the item's.
public struct Card: Sendable, Hashable, Identifiable {
  /// A comment has at most this many characters.
  public static let longestComment = 10_000

  public var id: CardID
  public var item: ItemID
  public var rating: Rating?
  public var comment: String?
  /// The day on which it was seen, read or heard.
  public var seenOn: PartialDate?
  public var createdAt: Timestamp
  public var updatedAt: Timestamp

  public init(
    id: CardID, item: ItemID, rating: Rating?, comment: String?, seenOn: PartialDate?, createdAt: Timestamp,
    updatedAt: Timestamp
  ) {
    self.id = id
    self.item = item
    self.rating = rating
    self.comment = comment
    self.seenOn = seenOn
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// A picture kept in the file.
public struct Cover: Sendable, Hashable {
  public var bytes: [UInt8]
  /// `image/jpeg`, `image/png`, …
  public var mediaType: String
  /// In pixels, if the picture contains it.
  public var width: Int?
  public var height: Int?
  public var sourceURL: String?
  public var etag: String?

  public init(
    bytes: [UInt8], mediaType: String, width: Int? = nil, height: Int? = nil, sourceURL: String? = nil,
    etag: String? = nil
  ) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.sourceURL = sourceURL
    self.etag = etag
  }
}

extension Date {
  /// The moment in UTC, in the words of `strftime(3)`. (Foundation's formatter costs a tenth of a command's start.)
  func utc(_ format: String) -> String {
    var seconds = time_t(timeIntervalSince1970.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = strftime(start, buffer.count, format, &parts)
      return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }
}
