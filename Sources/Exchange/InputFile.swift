public import CatalogModel

/// A file that is read, with what its beginning says of it.
struct InputFile: Sendable {
  let path: String
  let shape: Shape
  /// What a person says of it.
  var choices = ImportChoices()
  /// How its text is written down; nil where that is still to be found out.
  var decoding: TextDecoding?
  /// What its things are, where it does not say so itself.
  var kind: Kind? { choices.kind }

  /// Its text, in UTF-8.
  func text() throws -> ByteSource { try ByteSource(path: path).decoded(decoding, path: path) }
}

extension Shape {
  /// The names of columns or members, as ``Cells/key(_:)`` understands names; nil for what has none.
  var names: Set<String>? {
    switch self {
    case .table(let header, _, _): Set(header.map(Cells.key))
    case .json(let names, _): Set(names.map(Cells.key))
    case .notes(let names): Set(names.map(Cells.key))
    case .xml, .zip, .database, .lines, .empty: nil
    }
  }
}

/// What a person says of a file that is imported, and what day it is.
public struct ImportChoices: Sendable {
  /// What the things in it are, where it does not say so itself.
  public var kind: Kind?
  /// What comes first in its days, where the numbers can be read in two ways.
  public var dates: DateOrder?
  /// The last day on which something can have happened; nil where any can be.
  public var latestDay: PartialDate?

  public init(kind: Kind? = nil, dates: DateOrder? = nil, latestDay: PartialDate? = nil) {
    (self.kind, self.dates, self.latestDay) = (kind, dates, latestDay)
  }
}
