import CExpat
import Foundation
import Lookup
import Processes
import TestSupport
import Testing

@testable import SourceCopies

struct XMLScannerTests {
  /// An element as a tree; text only where it has no elements in it.
  struct Node: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [Node] = []
  }

  /// The attributes that the dumps have, as the scanner is asked for them.
  private static let attributes: [(StaticString, String)] = [
    ("id", "id"), ("name", "name"), ("catno", "catno"), ("type", "type"), ("value", "value"), ("status", "status"),
    ("src", "src"), ("uri", "uri"), ("qty", "qty"), ("text", "text"), ("is_main_release", "is_main_release"),
    ("description", "description"), ("width", "width"),
  ]

  private static func scanned(_ element: Bytes) -> Node {
    var end = 1
    while end < element.count, !XMLParts.endsName(element[end]) { end += 1 }
    var node = Node(name: element.part(1, end).text)
    for (name, key) in attributes {
      let value = XMLParts.attribute(name, of: element)
      if !value.isEmpty { node.attributes[key] = text(value) }
    }
    var parts = XMLParts(of: element)
    while let part = parts.next() { node.children.append(scanned(part.element)) }
    if node.children.isEmpty {
      let close = element.lastIndex(of: UInt8(ascii: "<")) ?? 0
      let open = element.index(of: UInt8(ascii: ">")) ?? 0
      if close > open { node.text = text(element.part(open + 1, close)) }
    }
    return node
  }

  private static func text(_ raw: Bytes) -> String {
    PlainText.withoutReferences(raw.text).replacing("\r\n", with: "\n")
      .replacing("\r", with: "\n")
  }

  /// The outer elements of a file as the scanner reads them, and whether it was cut off.
  private static func scan(_ bytes: [UInt8], _ name: String, pieces: Int = 4_096) throws -> ([Node], isCut: Bool) {
    var place = 0
    let source = ByteSource(read: {
      defer { place = min(bytes.count, place + pieces) }
      return Array(bytes[place..<min(bytes.count, place + pieces)])
    })
    var scanner = XMLElementScanner(source, name: name, root: name + "s")
    var nodes: [Node] = []
    while try scanner.next({ nodes.append(scanned($0)) }) {}
    return (nodes, scanner.isCut)
  }

  /// The same as expat reads them.
  private static func judged(_ bytes: [UInt8]) throws -> [Node] {
    final class Builder {
      var open: [Node] = []
      var done: [Node] = []
    }
    let builder = Builder()
    let parser = try #require(XML_ParserCreate(nil))
    defer { XML_ParserFree(parser) }
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let data, let name else { return }
        var node = Node(name: String(cString: name))
        if var pair = attributes {
          while let key = pair[0], let value = pair[1] {
            let text = String(cString: value)
            if !text.isEmpty { node.attributes[String(cString: key)] = text }
            pair += 2
          }
        }
        Unmanaged<Builder>.fromOpaque(data).takeUnretainedValue().open.append(node)
      },
      { data, _ in
        guard let data else { return }
        let builder = Unmanaged<Builder>.fromOpaque(data).takeUnretainedValue()
        guard var node = builder.open.popLast() else { return }
        if !node.children.isEmpty { node.text = "" }
        switch builder.open.count {
        case 0: break
        case 1: builder.done.append(node)
        default: builder.open[builder.open.count - 1].children.append(node)
        }
      })
    XML_SetCharacterDataHandler(parser) { data, text, count in
      guard let data, let text else { return }
      let builder = Unmanaged<Builder>.fromOpaque(data).takeUnretainedValue()
      guard !builder.open.isEmpty else { return }
      text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
        builder.open[builder.open.count - 1].text += String(
          decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
      }
    }
    let status = bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { XML_Parse(parser, $0.baseAddress, Int32($0.count), 1) }
    }
    try #require(status == XML_STATUS_OK)
    return builder.done
  }

  private static let made = """
    <?xml version="1.0"?>
    <masters>
    <master id="1" note='a > b'><title>A &amp; B &#233; &lt;x&gt;</title><empty/><gone></gone></master>
    <master id='2'><!-- </master> --><title>C<![CDATA[ </master> & ]]>D</title></master>
    <master id="3" ><list ><item>1</item><item>2</item></list ><mastery>x</mastery></master >
    <master id="4"><title>Wow! <!----></title><a><a><b/></a></a></master>
    </masters>
    """

  @Test func `elements with comments, character data and signs in attributes are read as expat reads them`() throws {
    let bytes = Array(Self.made.utf8)
    // A blank before the end of an end tag is the one form that is not read.
    let usual = Array(Self.made.replacing("</list >", with: "</list>").replacing("</master >", with: "</master>").utf8)
    for pieces in [1, 2, 3, 7, 64, 4_096] {
      #expect(try Self.scan(usual, "master", pieces: pieces).0 == Self.judged(usual).map(Self.known))
    }
    #expect(try !Self.scan(bytes, "master").isCut)
  }

  @Test(
    .enabled(if: RecordedDumps.folder != nil, "set CATALOG_FIXTURES to the folder with recorded dumps"),
    arguments: [
      ("discogs/dump_20200806_masters_600.xml", "master"), ("discogs/dump_20200806_releases_600.xml", "release"),
    ])
  func `recorded elements are read as expat reads them`(_ file: String, _ name: String) throws {
    let bytes = try RecordedDumps.bytes(file)
    let (nodes, isCut) = try Self.scan(bytes, name, pieces: 65_536)
    #expect(nodes.count == 600)
    #expect(!isCut)
    let judged = try Self.judged(bytes)
    for (own, other) in zip(nodes, judged) {
      // Only the attributes that the scanner was asked for.
      #expect(own == Self.known(other))
    }
  }

  private static func known(_ node: Node) -> Node {
    var node = node
    node.attributes = node.attributes.filter { name, _ in attributes.contains { $0.1 == name } }
    node.children = node.children.map(known)
    return node
  }

  @Test func `a file that is cut off at any byte gives whole elements only, and is reported`() throws {
    let bytes = Array(
      Self.made.replacing("</list >", with: "</list>").replacing("</master >", with: "</master>").utf8)
    let whole = try Self.scan(bytes, "master").0
    for count in 0..<bytes.count {
      let (nodes, isCut) = try Self.scan(Array(bytes[..<count]), "master")
      #expect(nodes == Array(whole.prefix(nodes.count)), "cut at byte \(count)")
      #expect(isCut, "cut at byte \(count)")
    }
  }

  @Test func `damaged files are read to their end`() throws {
    var random = SplitMix(seed: 42)
    let bytes = Array(Self.made.utf8)
    var read = 0
    for _ in 0..<10_000 where try !Self.scan(Mutation.of(bytes, &random), "master", pieces: 256).0.isEmpty { read += 1 }
    // Damage loses the element in which it is, seldom all of them.
    #expect((5_000..<10_000).contains(read), "\(read)")
  }

  @Test func `an element longer than 16 MiB is left out and counted`() throws {
    var place = 0
    let pieces: [[UInt8]] =
      [Array("<masters><master id=\"1\">".utf8)] + Array(repeating: [UInt8](repeating: 0x61, count: 1 << 20), count: 20)
      + [Array("</master><master id=\"2\"><title>a</title></master></masters>".utf8)]
    let source = ByteSource(read: {
      guard place < pieces.count else { return [] }
      place += 1
      return pieces[place - 1]
    })
    var scanner = XMLElementScanner(source, name: "master", root: "masters")
    var count = 0
    while try scanner.next({ _ in count += 1 }) {}
    #expect(count == 1)
    #expect(scanner.leftOut == 1)
  }
}

/// Bytes with a random damage.
enum Mutation {
  static func of(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
      case 3: bytes.removeSubrange(place...)
      case 4:
        let signs = Array("<>/\"'&;![]{}\\\t\n,:-".utf8)
        bytes[place] = signs[Int.random(in: 0..<signs.count, using: &random)]
      default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
      }
    }
    return bytes
  }
}
