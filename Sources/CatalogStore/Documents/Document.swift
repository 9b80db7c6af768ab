public import CatalogModel

/// A JSON object whose members keep their order: an item with all rows that belong to it, or a single row.
///
/// Unknown members are kept, so a document is written back unchanged. docs/export.md describes the contents.
public struct Document: Sendable, Hashable {
  public struct Member: Sendable, Hashable {
    public var key: String
    public var value: DocumentValue

    public init(_ key: String, _ value: DocumentValue) { (self.key, self.value) = (key, value) }
  }

  public var members: [Member]

  public init(_ members: [Member] = []) { self.members = members }

  /// The first member of that name; nil when there is none.
  public subscript(key: String) -> DocumentValue? { members.first { $0.key == key }?.value }

  /// The rows of a table: one for an object, several for a list of objects.
  public func rows(of table: String) -> [Document] {
    switch self[table] {
    case .object(let row): [row]
    case .list(let rows): rows.compactMap { if case .object(let row) = $0 { row } else { nil } }
    default: []
    }
  }
}

/// A value of JSON.
public indirect enum DocumentValue: Sendable, Hashable {
  case null
  case flag(Bool)
  case integer(Int64)
  /// A number with a fraction, or one that is no `Int64`.
  case real(Double)
  case text(String)
  case list([DocumentValue])
  case object(Document)

  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  /// The integers that every reader of JSON reads exactly: ±2^53. Numbers of rows stay within them, so that counting on from one never
  /// fails.
  public static let exactIntegers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// - Throws: ``DocumentProblem`` for an integer that lies beyond ``exactIntegers``.
  func checked(_ name: String) throws(DocumentProblem) -> DocumentValue {
    if case .integer(let integer) = self, !Self.exactIntegers.contains(integer) {
      throw DocumentProblem("'\(name)' is \(integer), but numbers only go up to \(Self.exactIntegers.upperBound)")
    }
    return self
  }
}

/// A reason why a document cannot be read or stored, in the user's words.
public struct DocumentProblem: MessageError, Hashable {
  public let message: Message
  /// The line of the file, from 1; nil if it is unknown.
  public var line: Int?

  public init(_ message: Message, line: Int? = nil) { (self.message, self.line) = (message, line) }
}
