/// An element of HTML or SVG, parsed as strictly as XML: text that is not well-formed is an error.
public struct MarkupElement: Sendable {
  public var name: String
  public var attributes: [String: String]
  public var children: [Node] = []

  public enum Node: Sendable {
    case element(MarkupElement)
    case text(String)
  }

  /// The reason why a text is not well-formed, with the text at that place.
  public struct Problem: Error, CustomStringConvertible {
    public var description: String
  }

  /// Parses a whole document: a declaration, a document type, one element.
  public init(parsing document: String) throws(Problem) {
    var reader = Reader(rest: Array(document.unicodeScalars)[...])
    if reader.take("<?xml") { try reader.skip(past: "?>") }
    reader.skipBlanks()
    if reader.take("<!DOCTYPE") { try reader.skip(past: ">") }
    reader.skipBlanks()
    self = try reader.element()
    reader.skipBlanks()
    if !reader.rest.isEmpty { throw reader.problem("something behind the root element") }
  }

  fileprivate init(name: String, attributes: [String: String]) { (self.name, self.attributes) = (name, attributes) }

  /// The text at any depth.
  public var text: String {
    children.map { node in
      switch node {
      case .element(let element): element.text
      case .text(let text): text
      }
    }.joined()
  }

  /// The child elements.
  public var elements: [MarkupElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The element and all elements below it, in document order.
  public var everything: [MarkupElement] { [self] + elements.flatMap(\.everything) }

  /// The elements with this name, at any depth.
  public func all(_ name: String) -> [MarkupElement] { everything.filter { $0.name == name } }
}

private struct Reader {
  var rest: ArraySlice<Unicode.Scalar>

  func problem(_ words: String) -> MarkupElement.Problem {
    var context = String.UnicodeScalarView()
    context.append(contentsOf: rest.prefix(60))
    return MarkupElement.Problem(description: "\(words) at: \(String(context))")
  }

  mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest = rest.dropFirst(text.unicodeScalars.count)
    return true
  }

  mutating func skip(past text: String) throws(MarkupElement.Problem) {
    while !rest.isEmpty {
      if take(text) { return }
      rest = rest.dropFirst()
    }
    throw problem("no \(text)")
  }

  mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\n" } }

  mutating func name() throws(MarkupElement.Problem) -> String {
    var name = ""
    while let scalar = rest.first, scalar.properties.isAlphabetic || "0123456789-:".unicodeScalars.contains(scalar) {
      name.unicodeScalars.append(scalar)
      rest = rest.dropFirst()
    }
    guard name.first?.isLetter ?? false else { throw problem("no name") }
    return name
  }

  /// The text up to one of these characters, with entities resolved.
  mutating func text(until ends: Unicode.Scalar...) throws(MarkupElement.Problem) -> String {
    var text = ""
    while let scalar = rest.first, !ends.contains(scalar) {
      switch scalar.value {
      case 0x3C: throw problem("a bare <")
      case 0x09, 0x0A, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: break
      default: throw problem("a character that must not be there")
      }
      if scalar == "&" {
        let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&#10;": "\n"]
        guard let entity = entities.first(where: { rest.starts(with: $0.key.unicodeScalars) }) else {
          throw problem("a bare &")
        }
        _ = take(entity.key)
        text += entity.value
      } else {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  mutating func element() throws(MarkupElement.Problem) -> MarkupElement {
    guard take("<") else { throw problem("no element") }
    var element = MarkupElement(name: try name(), attributes: [:])
    while true {
      let hadBlank = rest.first == " "
      skipBlanks()
      if take("/>") { return element }
      if take(">") { break }
      guard hadBlank else { throw problem("no blank before an attribute") }
      let key = try name()
      guard take("=\"") else { throw problem("an attribute without quotes") }
      guard element.attributes.updateValue(try text(until: "\""), forKey: key) == nil else {
        throw problem("an attribute twice")
      }
      _ = take("\"")
    }
    while true {
      let text = try text(until: "<")
      if !text.isEmpty { element.children.append(.text(text)) }
      if rest.isEmpty { throw problem("\(element.name) is not closed") }
      if take("</") {
        guard try name() == element.name, take(">") else { throw problem("another element than \(element.name) ends") }
        return element
      }
      element.children.append(.element(try self.element()))
    }
  }
}
