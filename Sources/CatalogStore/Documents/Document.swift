public import CatalogModel

/// An item with all rows that belong to it, or a single row, as a JSON object.
///
/// Unknown members are kept, so a document is written back unchanged. docs/export.md describes the contents.
public typealias Document = JSON.Object

extension Document {
  /// The rows of a table: one for an object, several for a list of objects.
  public func rows(of table: String) -> [Document] {
    switch self[table] {
    case .object(let row): [row]
    case .list(let rows): rows.compactMap(\.object)
    default: []
    }
  }

  /// The document with another value of a member; nil removes it.
  func with(_ key: String, _ value: JSON?) -> Document {
    guard let value else { return without(key) }
    guard self[key] != nil else { return Document(members + [JSON.Member(key, value)]) }
    return Document(members.map { $0.key == key ? JSON.Member(key, value) : $0 })
  }

  func without(_ key: String) -> Document { Document(members.filter { $0.key != key }) }

  /// Parses a document, strictly: the program itself wrote it, so nothing may be lost.
  /// - Throws: ``DocumentProblem`` with the line of the error.
  public init(parsing bytes: [UInt8]) throws(DocumentProblem) {
    do throws(JSON.Problem) {
      guard case .object(let document) = try JSON(bytes, as: .document) else {
        throw JSON.Problem(reason: .otherText, line: 1)
      }
      self = document
    } catch {
      throw DocumentProblem(error)
    }
  }
}

extension JSON.Form {
  /// The form of a document. It is 4 levels deep, and has fewer values than this, with all that hangs on an item and
  /// all that is on a pile.
  fileprivate static let document = JSON.Form(deepest: 32, mostValues: 300_000)
}

extension JSON {
  /// The integers that every reader of JSON reads exactly: ±2^53. Numbers of rows stay within them, so that counting on
  /// from one never fails.
  public static let exactIntegers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// - Throws: ``DocumentProblem`` for an integer that lies beyond ``exactIntegers``.
  func checked(_ name: String) throws(DocumentProblem) -> JSON {
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

  fileprivate init(_ problem: JSON.Problem) {
    let message: Message =
      switch problem.reason {
      case .notUTF8: "it is not UTF-8"
      case .markup, .otherText: "it is not a JSON object"
      case .empty, .cutShort: "it is cut short"
      case .tooDeep: "it is nested too deeply"
      case .tooMuch: "it has too many values"
      case .repeatedKey(let key): "'\(key)' appears twice in it"
      case .halfCharacter: "it contains half of a character"
      case .notAlone: "there is something after the object"
      case .malformed(let text): "it is not valid JSON at '\(text)'"
      }
    self.init(message, line: problem.line)
  }
}
