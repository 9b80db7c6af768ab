internal import CatalogModel
internal import Lookup
internal import Processes

/// The layout of the elements in a JSON file.
enum JSONLayout: Sendable, Hashable {
  /// Consecutive values, usually one per line (JSONL); also a single value.
  case sequence
  /// The elements of one list.
  case list
  /// The elements of all lists that are members of one object.
  case lists
  /// The members of one object.
  case members
}

extension JSON.Form {
  /// The form of an element in another program's file: that of an answer, with the keys that are repeated.
  fileprivate static let export: JSON.Form = {
    var form = answer
    form.keepsRepeated = true
    return form
  }()
}

/// Reads the elements of a JSON file one by one, regardless of its length.
struct JSONElements {
  struct Element {
    /// The number of the element, from 1.
    var number: Int
    /// The name of the member that is the element or contains its list; nil without one.
    var name: String?
    var value: JSON
    /// Whether it contains bytes that are not UTF-8.
    var isMended = false
  }

  /// The maximum length of an element in bytes.
  static let longestElement = 4 << 20

  private let source: ByteSource
  private let layout: JSONLayout
  private var piece: [UInt8] = []
  private var place = 0
  private var number = 0

  init(_ source: ByteSource, layout: JSONLayout) { (self.source, self.layout) = (source, layout) }

  /// Calls `each` for every element, until it returns false.
  /// - Throws: ``ImportProblem`` for invalid JSON, and for an element that is too long.
  mutating func forEach(_ each: (Element) throws -> Bool) throws {
    switch layout {
    case .sequence:
      while try token() != nil {
        guard try give(nil, each) else { return }
        if try token() == UInt8(ascii: ",") { place += 1 }
      }
    case .list: _ = try list(nil, each)
    case .lists, .members:
      guard try token() == UInt8(ascii: "{") else { throw Self.broken }
      place += 1
      while let next = try token(), next != UInt8(ascii: "}") {
        if next == UInt8(ascii: ",") {
          place += 1
          continue
        }
        guard next == UInt8(ascii: "\""), let name = Self.single(try value())?.text else { throw Self.broken }
        guard try token() == UInt8(ascii: ":") else { throw Self.broken }
        place += 1
        switch (layout, try token()) {
        case (.lists, UInt8(ascii: "[")?): guard try list(name, each) else { return }
        case (.members, UInt8(ascii: "{")?): guard try give(name, each) else { return }
        default: _ = try value()
        }
      }
    }
  }

  private mutating func list(_ name: String?, _ each: (Element) throws -> Bool) throws -> Bool {
    guard try token() == UInt8(ascii: "[") else { throw Self.broken }
    place += 1
    while let next = try token() {
      switch next {
      case UInt8(ascii: "]"):
        place += 1
        return true
      case UInt8(ascii: ","): place += 1
      default: guard try give(name, each) else { return false }
      }
    }
    throw ImportProblem.damaged("the file is cut short: its list is not closed")
  }

  private mutating func give(_ name: String?, _ each: (Element) throws -> Bool) throws -> Bool {
    number += 1
    var (bytes, isMended) = (try value(), false)
    if (try? UTF8Span(validating: bytes.span)) == nil {
      bytes = Array(String(forgiving: bytes, isMended: &isMended).utf8)
    }
    let parsed: JSON?
    do {
      parsed = bytes.first == UInt8(ascii: "{") ? try JSON(bytes, as: .export) : Self.single(bytes)
    } catch {
      throw ImportProblem.damaged("part \(number) of the file is not valid JSON")
    }
    guard let parsed else { throw Self.broken }
    return try each(Element(number: number, name: name, value: parsed, isMended: isMended))
  }

  /// Parses a value of any type by wrapping it in a list.
  private static func single(_ bytes: [UInt8]) -> JSON? {
    let list = (try? JSON([UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")], as: .export))?.list
    return list?.count == 1 ? list?.first : nil
  }

  private static let broken = ImportProblem.damaged("the file begins like JSON, but is not JSON")

  // MARK: Bytes

  /// Returns the bytes of the value that begins here, without validating them.
  private mutating func value() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var depth = 0
    var (isInText, isEscaped) = (false, false)
    _ = try token()
    while let byte = try peek() {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // The end of the enclosing value.
          if depth == 0 { return try Self.something(bytes) }
          depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
          if depth == 0 { return try Self.something(bytes) }
        default: break
        }
      }
      bytes.append(byte)
      place += 1
      guard bytes.count <= Self.longestElement else {
        throw ImportProblem.tooMuch("part \(max(1, number)) of the file is too large to read")
      }
      if depth == 0, !isInText, "\"}]".utf8.contains(byte), bytes.count > 1 { return bytes }
    }
    guard depth == 0, !isInText else { throw ImportProblem.damaged("the file is cut short in part \(max(1, number))") }
    return try Self.something(bytes)
  }

  private static func something(_ bytes: [UInt8]) throws -> [UInt8] {
    guard !bytes.isEmpty else { throw broken }
    return bytes
  }

  /// Skips blanks and returns the next byte.
  private mutating func token() throws -> UInt8? {
    while let byte = try peek() {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      place += 1
    }
    return nil
  }

  private mutating func peek() throws -> UInt8? {
    if place == piece.count {
      piece = try source.next()
      place = 0
    }
    return place < piece.count ? piece[place] : nil
  }
}
