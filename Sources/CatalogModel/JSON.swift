/// A value of JSON (RFC 8259). Members of an object keep their order.
public enum JSON: Sendable, Hashable {
  case null
  case flag(Bool)
  case integer(Int64)
  /// A number with a fraction, or one that is not an `Int64`.
  case real(Double)
  case text(String)
  case list([JSON])
  case object(Object)

  /// A JSON object whose members keep their order.
  public struct Object: Sendable, Hashable {
    public var members: [Member]

    public init(_ members: [Member] = []) { self.members = members }

    /// The first member of that name; nil when there is none.
    public subscript(key: String) -> JSON? { members.first { $0.key == key }?.value }
  }

  public struct Member: Sendable, Hashable {
    public var key: String
    public var value: JSON

    public init(_ key: String, _ value: JSON) { (self.key, self.value) = (key, value) }
  }

  /// The member of an object; null when it is missing, or when this is not an object.
  public subscript(key: String) -> JSON { object?[key] ?? .null }

  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  public var list: [JSON]? { if case .list(let elements) = self { elements } else { nil } }
  public var object: Object? { if case .object(let object) = self { object } else { nil } }
}
