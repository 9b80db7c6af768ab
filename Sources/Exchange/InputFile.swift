public import CatalogModel
internal import Processes

/// An input file and the results of analyzing its beginning.
struct InputFile: Sendable {
  let path: String
  var shape: Shape
  /// The user's choices about the file.
  var choices = ImportChoices()
  /// The encoding of its text; nil if it is not determined yet.
  var decoding: TextDecoding?
  /// The kind of its items, if the records do not have it.
  var kind: Kind? { choices.kind }

  /// The text that stands in the file in another form: the table of a sheet, what an archive holds.
  var content: [UInt8]?
  /// Whether a line of the text is a row, also with line ends in its cells.
  var isOfRows = false
  /// The records of a file whose form is none of this program's; nil if they are read from the text.
  var records: [Cells]?

  /// The bytes as they are, or those of the text instead.
  func bytes() throws -> ByteSource {
    if let content { return ByteSource(bytes: content) }
    return try ByteSource(path: path)
  }

  /// The text, in UTF-8.
  func text() throws -> ByteSource {
    isOfRows ? try bytes() : try bytes().decoded(decoding, path: content == nil ? path : nil)
  }

  /// The rows of a table in the text.
  func rows(delimiter: UInt8) throws -> DelimitedReader {
    DelimitedReader(try text(), delimiter: delimiter, hasRows: isOfRows)
  }
}

extension Shape {
  /// The names of columns or members, as keys of ``Cells/key(_:)``; nil if the file has no names.
  var names: Set<String>? {
    switch self {
    case .table(let header, _, _): Set(header.map(Cells.key))
    case .json(let names, _): Set(names.map(Cells.key))
    case .notes(let names): Set(names.map(Cells.key))
    case .xml, .zip, .database, .container, .lines, .empty: nil
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
  /// The name of the sheet of a workbook to read; nil for the first with headings.
  public var sheet: String?
  /// The time zone in which the moments of a file, given in UTC, are days.
  public var localTime: LocalTime

  public init(
    kind: Kind? = nil, dates: DateOrder? = nil, usualDates: DateOrder? = nil, currency: String? = nil,
    encoding: TextEncoding? = nil, latestDay: PartialDate? = nil, sheet: String? = nil, at localTime: LocalTime = .utc
  ) {
    (self.kind, self.dates, self.usualDates, self.currency) = (kind, dates, usualDates, currency)
    (self.encoding, self.latestDay, self.sheet, self.localTime) = (encoding, latestDay, sheet, localTime)
  }
}
