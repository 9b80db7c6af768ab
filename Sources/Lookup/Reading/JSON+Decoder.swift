internal import CatalogModel

/// A decoder of a JSON value for the synthesized `init(from:)`, which knows the names of a type's fields.
///
/// The forms named by `Lenient` and `Elements` read the fields. Numbers, texts and objects are decoded too; lists are
/// `Elements` or `List`.
struct JSONDecoding: Decoder {
  var json: JSON

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = json else { throw Mismatch() }
    return KeyedDecodingContainer(Members(object: object))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Mismatch() }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

/// A mismatch of the type. The caller ignores the error and tries another form, or none.
private struct Mismatch: Error {}

extension JSONDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { json == .null }

  func decode(_ type: Bool.Type) throws -> Bool { try known(Flag.read(json)) }
  func decode(_ type: String.Type) throws -> String { try known(json.text) }

  func decode<Number: BinaryFloatingPoint & Decodable>(_ type: Number.Type) throws -> Number {
    switch json {
    case .integer(let number): Number(number)
    case .real(let number): Number(number)
    default: throw Mismatch()
    }
  }

  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    switch json {
    case .integer(let number): try known(Number(exactly: number))
    case .real(let number): try known(Number(exactly: number))
    default: throw Mismatch()
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

  private func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Mismatch() }
    return value
  }
}

/// The members of an object by the names of a type's fields.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  var object: JSON.Object

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
  func decodeNil(forKey key: Key) -> Bool { value(key).json == .null }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key).decode(type) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try value(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }
  func superDecoder() -> any Decoder { JSONDecoding(json: .object(object)) }
  func superDecoder(forKey key: Key) -> any Decoder { value(key) }

  /// The value of a member; null when it is missing.
  private func value(_ key: Key) -> JSONDecoding { JSONDecoding(json: object[key.stringValue] ?? .null) }
}
