internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Message {
  /// The noun for a column of a table: `year`, `original title`.
  init(column: String) {
    let name = ["_at", "_on"].contains { column.hasSuffix($0) } ? String(column.dropLast(3)) : column
    self = Field.all.first { $0.word == name }?.noun ?? Message(verbatim: name.replacing("_", with: " "))
  }

  /// The noun for a part of a document, `card comment`; for a part of the item itself that of the column alone.
  init(part: String) {
    let parts = part.split(separator: " ").map(String.init)
    guard let table = parts.first, TableSchema.named(table) != nil else {
      self = parts.map { Message(column: $0) }.joined(separator: " ")
      return
    }
    let columns = parts.dropFirst().map { Message(column: $0) }
    let isOwn = TableSchema.ofItemItself.contains(table) && !columns.isEmpty
    self = ((isOwn ? [] : [Message(table: table)]) + columns).joined(separator: " ")
  }
}
