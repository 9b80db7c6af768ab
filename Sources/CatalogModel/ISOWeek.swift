public import FoundationEssentials

/// A week from Monday to Sunday by ISO 8601, as stored: `2026-W47`. The first days of January may belong to the last
/// week of the previous year. The texts sort by time.
public struct ISOWeek: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The week of a moment, in UTC.
  public init(_ date: Date) { rawValue = date.utc("%G-W%V") }

  public var description: String { rawValue }
  public static func < (a: ISOWeek, b: ISOWeek) -> Bool { a.rawValue < b.rawValue }
}
