internal import CExpat
internal import CatalogModel
internal import Processes

/// An XML element with all its contents.
struct XMLElement: Sendable, Hashable {
  /// The name without a namespace prefix.
  var name: String
  var attributes: [(name: String, value: String)] = []
  var children: [XMLElement] = []
  /// The text of the element, without that of its children.
  var text = ""
  /// Whether it has bytes that are not UTF-8 in it or just before it.
  var isMended = false

  static func == (left: XMLElement, right: XMLElement) -> Bool {
    left.name == right.name && left.text == right.text && left.children == right.children
      && left.attributes.elementsEqual(right.attributes, by: ==)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(text)
  }

  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
}

/// Reads the requested elements of an XML file one by one with libexpat, regardless of the file's length.
///
/// It reads nothing outside the file. A file that declares entities is rejected, because a few bytes could expand to a
/// gigabyte.
struct XMLElements {
  static let deepest = 64
  /// The limits of one element: its size in bytes, and its number of elements and attributes.
  static let longestElement = 4 << 20
  static let mostParts = 50_000

  let source: ByteSource

  /// Calls `each` for every outermost element with one of these names, until it returns false.
  /// - Parameter begin: receives every other outer element with its attributes; returning false ends the reading.
  /// - Throws: ``ImportProblem`` for invalid XML, and for an element that is too long.
  func forEach(
    named names: Set<String>, begin: ((XMLElement) -> Bool)? = nil, _ each: (XMLElement) throws -> Bool
  ) throws {
    guard let parser = XML_ParserCreate(nil) else {
      throw ImportProblem.damaged("there is not enough memory to read XML")
    }
    defer { XML_ParserFree(parser) }
    let builder = Builder(names: names, begin: begin, parser: parser)
    var mender = XMLMender()
    var fed = 0
    try withExtendedLifetime(builder) {
      builder.install()
      while true {
        let raw = try source.next()
        let piece = mender.mended(raw)
        // The whole piece waits for the next one.
        if piece.isEmpty, !raw.isEmpty { continue }
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
          for var element in builder.ready {
            (element.isMended, mender.hasMended) = (mender.hasMended, false)
            guard try each(element) else { return }
          }
          builder.ready.removeAll(keepingCapacity: true)
          if let problem = builder.problem { throw problem }
          if builder.isEnough { return }
          // A comment or a tag without end: expat keeps all of it, and begins anew with each piece.
          if status == XML_STATUS_OK, fed - Int(XML_GetCurrentByteIndex(parser)) > Self.longestElement {
            throw ImportProblem.tooMuch("a comment or a tag of the XML is too long to read")
          }
          guard status == XML_STATUS_OK else {
            let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it is not XML"
            throw ImportProblem.damaged("the XML is broken at line \(XML_GetCurrentLineNumber(parser)): \(words)")
          }
        } while !rest.isEmpty
        if piece.isEmpty { return }
      }
    }
  }

  /// Builds elements from the events of expat. A class, because expat refers to it by address.
  private final class Builder {
    let names: Set<String>
    let begin: ((XMLElement) -> Bool)?
    let parser: XML_Parser
    var ready: [XMLElement] = []
    var problem: ImportProblem?
    var isEnough = false
    /// The current element and those around it.
    private var open: [XMLElement] = []
    private var depth = 0
    private var bytes = 0
    private var parts = 0

    init(names: Set<String>, begin: ((XMLElement) -> Bool)?, parser: XML_Parser) {
      (self.names, self.begin, self.parser) = (names, begin, parser)
    }

    func install() {
      XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
      XML_SetElementHandler(
        parser, { Builder.at($0)?.start($1, $2) }, { data, _ in Builder.at(data)?.end() })
      XML_SetCharacterDataHandler(parser) { data, text, count in Builder.at(data)?.add(text, Int(count)) }
      XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
        Builder.at(data)?.stop(ImportProblem(.tooMuch, "the XML declares entities, which are not read"))
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

    private func stop(_ problem: ImportProblem? = nil) {
      guard self.problem == nil, !isEnough else { return }
      self.problem = problem
      isEnough = problem == nil
      XML_StopParser(parser, 0)
    }

    private func start(
      _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
      guard let name, problem == nil, !isEnough else { return }
      depth += 1
      guard depth <= XMLElements.deepest else {
        return stop(.tooMuch("the XML is nested too deeply"))
      }
      var element = XMLElement(name: Self.local(name))
      let isWanted = !open.isEmpty || names.contains(element.name)
      guard isWanted || begin != nil else { return }
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
        if begin?(element) == false { stop() }
        return
      }
      parts += 1
      open.append(element)
      check()
    }

    private func end() {
      guard problem == nil, !isEnough else { return }
      depth -= 1
      guard let element = open.popLast() else { return }
      if open.isEmpty {
        ready.append(element)
        (bytes, parts) = (0, 0)
      } else {
        open[open.count - 1].children.append(element)
      }
    }

    private func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
      guard let text, !open.isEmpty, problem == nil, !isEnough else { return }
      bytes += count
      check()
      text.withMemoryRebound(to: UInt8.self, capacity: count) {
        open[open.count - 1].text += String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
      }
    }

    private func check() {
      if bytes > XMLElements.longestElement || parts > XMLElements.mostParts {
        stop(.tooMuch("an element of the XML is too large to read"))
      }
    }

    private static func local(_ name: UnsafePointer<CChar>) -> String {
      let name = String(cString: name)
      return name.split(separator: ":").last.map(String.init) ?? name
    }
  }
}
