public import CatalogModel
internal import Processes

/// An input file and the results of analyzing its beginning.
struct InputFile: Sendable {
  let path: String
  let shape: Shape
  /// The user's choices about the file.
  var choices = ImportChoices()
  /// The encoding of its text; nil if it is not determined yet.
  var decoding: TextDecoding?
  /// The kind of its items, if the records do not have it.
  var kind: Kind? { choices.kind }

  /// The text, in UTF-8.
  func text() throws -> ByteSource { try ByteSource(path: path).decoded(decoding, path: path) }
}

extension Shape {
  /// The names of columns or members, as keys of ``Cells/key(_:)``; nil if the file has no names.
  var names: Set<String>? {
    switch self {
    case .table(let header, _, _): Set(header.map(Cells.key))
    case .json(let names, _): Set(names.map(Cells.key))
    case .notes(let names): Set(names.map(Cells.key))
    case .xml, .zip, .database, .lines, .empty: nil
    }
  }
}

/// The user's choices for an import, and its date.
public struct ImportChoices: Sendable {
  /// The kind of its items, if the records do not have it.
  public var kind: Kind?
  /// The order of day, month and year in ambiguous days.
  public var dates: DateOrder?
  /// The order where the person lives, for days whose column shows none.
  public var usualDates: DateOrder?
  /// The currency of prices without one, ISO 4217.
  public var currency: String?
  /// The encoding of the text; nil to judge it.
  public var encoding: TextEncoding?
  /// The last possible day of an event; nil for no limit.
  public var latestDay: PartialDate?
  /// The time zone in which the moments of a file, given in UTC, are days.
  public var localTime: LocalTime

  public init(
    kind: Kind? = nil, dates: DateOrder? = nil, usualDates: DateOrder? = nil, currency: String? = nil,
    encoding: TextEncoding? = nil, latestDay: PartialDate? = nil, at localTime: LocalTime = .utc
  ) {
    (self.kind, self.dates, self.usualDates) = (kind, dates, usualDates)
    (self.currency, self.encoding, self.latestDay, self.localTime) = (currency, encoding, latestDay, localTime)
  }
}
