internal import CatalogModel

/// A file that is read, with what its beginning says of it.
struct InputFile: Sendable {
  let path: String
  let shape: Shape
  /// What its things are, where it does not say so itself.
  var kind: Kind?

  /// Its text, in UTF-8.
  func text() throws -> ByteSource { try ByteSource(path: path).decoded(path: path) }
}

extension Shape {
  /// The names of columns or members, as ``Cells/key(_:)`` understands names; nil for what has none.
  var names: Set<String>? {
    switch self {
    case .table(let header, _, _): Set(header.map(Cells.key))
    case .json(let names, _): Set(names.map(Cells.key))
    case .xml, .zip, .database, .lines, .empty: nil
    }
  }
}
