internal import CExpat
package import CatalogModel

/// An XML element with all its contents.
package struct XMLElement: Sendable {
  /// The name without a namespace prefix.
  package var name: String
  package var attributes: [(name: String, value: String)] = []
  package var children: [XMLElement] = []
  /// The text of the element, without that of its children.
  package var text = ""
  /// The number of bytes of the text around it that stand before it.
  package var place = 0
  /// Whether it has bytes that are not UTF-8 in it or just before it.
  package var isMended = false

  /// All text in it, also that of its children, in order.
  /// - Parameter instead: gives the text of a child that is not that of its contents; nil for other children.
  package func words(_ instead: (XMLElement) -> String? = { _ in nil }) -> String {
    guard !children.isEmpty else { return text }
    var (words, rest, start) = ("", text.utf8[...], 0)
    for child in children {
      words += String(decoding: rest.prefix(child.place - start), as: UTF8.self)
      (rest, start) = (rest.dropFirst(child.place - start), child.place)
      words += instead(child) ?? child.words(instead)
    }
    return words + String(decoding: rest, as: UTF8.self)
  }

  package subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
}

/// Why a text cannot be read as XML.
package struct XMLProblem: Error {
  /// Whether it exceeds a limit, rather than being damaged.
  package let isTooMuch: Bool
  package let message: Message

  init(isTooMuch: Bool = false, _ message: Message) { (self.isTooMuch, self.message) = (isTooMuch, message) }
}

/// Reads the requested elements of an XML text one by one with libexpat, regardless of its length.
///
/// It reads nothing outside the text. One that declares entities is rejected, because a few bytes could expand to a
/// gigabyte.
package struct XMLElements {
  package static let deepest = 64
  /// The limits of one element: its size in bytes, and its number of elements and attributes.
  package static let longestElement = 4 << 20
  package static let mostParts = 50_000

  /// Returns the next piece of the text, and whether it was mended; an empty one at the end.
  private let next: () throws -> (bytes: [UInt8], isMended: Bool)

  package init(next: @escaping () throws -> (bytes: [UInt8], isMended: Bool)) { self.next = next }

  /// Calls `each` for every outermost element with one of these names, until it returns false.
  /// - Parameter begin: receives every other outer element with its attributes, in order with the others; returning
  ///   false ends the reading.
  /// - Throws: ``XMLProblem`` for invalid XML, and for an element that is too long.
  package func read(
    named names: Set<String>, begin: ((XMLElement) -> Bool)? = nil, _ each: (XMLElement) throws -> Bool
  ) throws {
    guard let parser = XML_ParserCreate(nil) else {
      throw XMLProblem("there is not enough memory to read XML")
    }
    defer { XML_ParserFree(parser) }
    let builder = Builder(names: names, tellsOuter: begin != nil, parser: parser)
    var (isMended, fed) = (false, 0)
    try withExtendedLifetime(builder) {
      builder.install()
      while true {
        let (piece, wasMended) = try next()
        isMended = isMended || wasMended
        // Small steps keep the list of finished elements short.
        var rest = piece[...]
        repeat {
          let part = rest.prefix(16 << 10)
          rest = rest.dropFirst(part.count)
          let status = part.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
              XML_Parse(parser, $0.baseAddress, Int32(clamping: $0.count), piece.isEmpty ? 1 : 0)
            }
          }
          fed += part.count
          for (var element, isOuter) in builder.ready {
            if isOuter {
              guard begin?(element) ?? true else { return }
              continue
            }
            (element.isMended, isMended) = (isMended, false)
            guard try each(element) else { return }
          }
          builder.ready.removeAll(keepingCapacity: true)
          if let problem = builder.problem { throw problem }
          // A comment or a tag without end: expat keeps all of it, and begins anew with each piece.
          if status == XML_STATUS_OK, fed - Int(XML_GetCurrentByteIndex(parser)) > Self.longestElement {
            throw XMLProblem(isTooMuch: true, "a comment or a tag of the XML is too long to read")
          }
          guard status == XML_STATUS_OK else {
            let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it is not XML"
            throw XMLProblem("the XML is broken at line \(XML_GetCurrentLineNumber(parser)): \(words)")
          }
        } while !rest.isEmpty
        if piece.isEmpty { return }
      }
    }
  }

  /// Builds elements from the events of expat. A class, because expat refers to it by address.
  private final class Builder {
    let names: Set<String>
    /// Whether the elements around those with the names are wanted, too.
    let tellsOuter: Bool
    let parser: XML_Parser
    var ready: [(element: XMLElement, isOuter: Bool)] = []
    var problem: XMLProblem?
    /// The current element and those around it.
    private var open: [XMLElement] = []
    private var depth = 0
    private var bytes = 0
    private var parts = 0

    init(names: Set<String>, tellsOuter: Bool, parser: XML_Parser) {
      (self.names, self.tellsOuter, self.parser) = (names, tellsOuter, parser)
    }

    func install() {
      XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
      XML_SetElementHandler(
        parser, { Builder.at($0)?.start($1, $2) }, { data, _ in Builder.at(data)?.end() })
      XML_SetCharacterDataHandler(parser) { data, text, count in Builder.at(data)?.add(text, Int(count)) }
      XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
        Builder.at(data)?.stop(XMLProblem(isTooMuch: true, "the XML declares entities, which are not read"))
      }
      XML_SetUnknownEncodingHandler(
        parser,
        { _, name, info in
          let known = ["windows-1252", "cp1252"]
          guard let name, let info, known.contains(String(cString: name).lowercased()) else { return 0 }
          withUnsafeMutableBytes(of: &info.pointee.map) { map in
            let codes = map.bindMemory(to: Int32.self)
            for byte in 0..<256 { codes[byte] = Int32(clamping: Windows1252.codePoint(UInt8(clamping: byte))) }
          }
          info.pointee.convert = nil
          info.pointee.release = nil
          return 1
        }, nil)
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> Builder? {
      data.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop(_ problem: XMLProblem) {
      guard self.problem == nil else { return }
      self.problem = problem
      XML_StopParser(parser, 0)
    }

    private func start(
      _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
      guard let name, problem == nil else { return }
      depth += 1
      guard depth <= XMLElements.deepest else {
        return stop(XMLProblem(isTooMuch: true, "the XML is nested too deeply"))
      }
      var element = XMLElement(name: Self.local(name))
      let isWanted = !open.isEmpty || names.contains(element.name)
      guard isWanted || tellsOuter else { return }
      if var pair = attributes {
        while let name = pair[0], let value = pair[1] {
          element.attributes.append((Self.local(name), String(cString: value)))
          bytes += element.attributes.last.map { $0.value.utf8.count } ?? 0
          parts += 1
          pair += 2
        }
      }
      guard isWanted else {
        (bytes, parts) = (0, 0)
        return ready.append((element, true))
      }
      parts += 1
      element.place = open.last?.text.utf8.count ?? 0
      open.append(element)
      check()
    }

    private func end() {
      guard problem == nil else { return }
      depth -= 1
      guard let element = open.popLast() else { return }
      if open.isEmpty {
        ready.append((element, false))
        (bytes, parts) = (0, 0)
      } else {
        open[open.count - 1].children.append(element)
      }
    }

    private func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
      guard let text, !open.isEmpty, problem == nil else { return }
      bytes += count
      check()
      text.withMemoryRebound(to: UInt8.self, capacity: count) {
        open[open.count - 1].text += String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
      }
    }

    private func check() {
      if bytes > XMLElements.longestElement || parts > XMLElements.mostParts {
        stop(XMLProblem(isTooMuch: true, "an element of the XML is too large to read"))
      }
    }

    private static func local(_ name: UnsafePointer<CChar>) -> String {
      let name = String(cString: name)
      return name.split(separator: ":").last.map(String.init) ?? name
    }
  }
}

/// The Latin-1 of Windows. <https://encoding.spec.whatwg.org/index-windows-1252.txt>
package enum Windows1252 {
  /// The code points of 0x80 … 0x9F.
  package static let signs: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E,
    0x178,
  ]

  package static func codePoint(_ byte: UInt8) -> UInt16 {
    (0x80...0x9F).contains(byte) ? signs[Int(byte) - 0x80] : UInt16(truncatingIfNeeded: byte)
  }

  package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    return Array(String(decoding: bytes.map(codePoint), as: UTF16.self).utf8)
  }
}
