import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import Lookup
@testable import fuzz_answers

/// Tests the parser of answers. Its use by sources is tested in ``AnswerTests``.
struct JSONTests {
  /// The value of `text`, parsed within a list.
  static func value(_ text: String) throws(SourceError) -> JSON {
    let elements = try JSON(answer: Array("[\(text)]".utf8)).list
    return elements?.count == 1 ? elements?.first ?? .null : .list([])
  }

  @Test(arguments: [
    ("null", JSON.null), ("true", .flag(true)), ("false", .flag(false)), ("0", .integer(0)), ("-12", .integer(-12)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .real(9_223_372_036_854_775_808)),
    ("1.5", .real(1.5)), ("12.0", .real(12)), ("1e3", .real(1000)), ("-2.5E-1", .real(-0.25)),
    ("1e999", .real(.infinity)), ("{}", .members([:])), ("[]", .list([])),
    ("[[1 , 2]\n,{} ]", .list([.list([.integer(1), .integer(2)]), .members([:])])),
    (#"{"a":1,"b":{"c":null}}"#, .members(["a": .integer(1), "b": .members(["c": .null])])),
    (#"{"a":1,"a":2}"#, .members(["a": .integer(2)])),
    (#"{"b":1,"a":2,"b":3}"#, .members(["b": .integer(3), "a": .integer(2)])),
  ])
  func `JSON values are parsed`(text: String, value: JSON) throws {
    #expect(try Self.value(text) == value)
  }

  @Test(arguments: [
    (#""""#, ""), (#""해리 포터""#, "해리 포터"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""a\u00e9\uD55Cb""#, "aé한b"),
    (#""\ud83d\ude00\\""#, "😀\\"), (#""\u0000""#, "\u{0}"), ("\"a\nb\"", "a\nb"),
  ])
  func `JSON strings are parsed with their escapes`(text: String, value: String) throws {
    #expect(try Self.value(text) == .text(value))
  }

  @Test(arguments: [
    #""\ud800""#, #""a\udc00b""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\ud83d\ud83d\ude00""#,
  ])
  func `half a surrogate pair makes only its string unreadable`(text: String) throws {
    #expect(try JSON(answer: Array("[\(text),1]".utf8)) == .list([.null, .integer(1)]))
    #expect(try JSON(answer: Array("{\(text):1,\"b\":2}".utf8)) == .members(["b": .integer(2)]))
  }

  @Test(arguments: [
    "[,]", "[1,]", "[1 2]", "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a" 1}"#, "[nul]", "[truth]", "[-]",
    "[1.2.3]",
    "[1}", "[]]", "[] []", #"["\x"]"#, #"["\u12G4"]"#, "[é]", "[+]", "[0x10]", "[NaN]",
  ])
  func `malformed JSON is reported as another shape`(text: String) {
    #expect(throws: SourceError.anotherShape) { try JSON(answer: Array(text.utf8)) }
  }

  /// Tests that a text is recognized as cut short wherever it ends.
  @Test func `every prefix of an answer is reported as truncated`() throws {
    let answer = Array(#"{"a":[1,-2.5e3,true,null,"é\n\ud83d\ude00"],"b_c":{"d":false}}"#.utf8)
    _ = try JSON(answer: answer)
    for length in 1..<answer.count {
      let start = Array(answer.prefix(length))
      guard String(validating: start, as: UTF8.self) != nil else { continue }
      #expect(throws: SourceError.unreadable("an answer that is cut short"), "\(length)") { try JSON(answer: start) }
    }
  }

  @Test func `nesting beyond the limit is refused`() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      _ = try JSON(answer: nested(JSON.Form.answer.deepest, open, close))
      #expect(throws: SourceError.unreadable("an answer nested too deeply")) {
        try JSON(answer: nested(JSON.Form.answer.deepest + 1, open, close))
      }
    }
    let wide = Array(("[" + String(repeating: "[],", count: 1000) + "1]").utf8)
    guard case .list(let elements) = try JSON(answer: wide) else { return #expect(Bool(false)) }
    #expect(elements.count == 1001)
  }

  @Test func `JSON beyond the limits of size and count is refused`() throws {
    func list(_ elements: [String]) -> [UInt8] { Array("[\(elements.joined(separator: ","))]".utf8) }
    func many(_ element: String, _ count: Int) -> [String] { Array(repeating: element, count: count) }
    let (together, all) = (JSON.Form.answer.mostTogether, JSON.Form.answer.mostValues)
    func members(_ count: Int) -> [UInt8] {
      Array("{\((0..<count).map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
    }
    _ = try JSON(answer: list(many("1", together)))
    _ = try JSON(answer: members(together))
    // With the list, its lists and what is in them.
    let row = String(decoding: list(many("{}", 999)), as: UTF8.self)
    _ = try JSON(answer: list(many(row, all / 1000 - 1)))
    _ = try JSON(answer: list(["\"\(String(repeating: "x", count: JSON.Form.answer.longestText))\""]))
    _ = try JSON(answer: list(["\"\(String(repeating: #"\u0041"#, count: JSON.Form.answer.longestText))\""]))
    let tooMuch = [
      list(many("1", together + 1)), members(together + 1), list(many(row, all / 1000)),
      list(["\"\(String(repeating: "x", count: JSON.Form.answer.longestText + 1))\""]),
      list(["\"\(String(repeating: #"\u0041"#, count: JSON.Form.answer.longestText + 1))\""]),
    ]
    for bytes in tooMuch { #expect(throws: SourceError.tooMuch) { try JSON(answer: bytes) } }
  }

  @Test(arguments: [1, 23, 24, 25, 26, 200])
  func `a repeated key is found among any number of members`(count: Int) throws {
    let keys = (0..<count).map { "k\($0)" }
    for repeated in [keys[0], keys[count / 2], keys[count - 1]] {
      let text = Array("{\((keys + [repeated]).map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
      #expect(try JSON(answer: text).object?.members.map(\.key) == keys)
      var strict = JSON.Form.answer
      strict.isLenient = false
      #expect(throws: JSON.Problem(reason: .repeatedKey(repeated), line: 1)) { try JSON(text, as: strict) }
    }
  }

  // MARK: Beside the system's reader

  /// The value that Foundation's parser returns for the same text; nil when it refuses it.
  static func other(_ bytes: [UInt8]) -> Any? { try? JSONSerialization.jsonObject(with: Data(bytes)) }

  /// Whether both values are equal.
  static func agree(_ json: JSON, _ other: Any?) -> Bool {
    switch (json, other) {
    case (.null, is NSNull): return true
    // The system's reader drops a byte order mark at the beginning of a text or key, which is no business of its.
    case (.text(let text), let other as String):
      return text.utf8.elementsEqual(other.utf8) || text.utf8.elementsEqual("\u{FEFF}\(other)".utf8)
    case (.list(let elements), let others as [Any]):
      return elements.count == others.count && zip(elements, others).allSatisfy { agree($0, $1) }
    case (.object(let object), let others as [String: Any]):
      return others.allSatisfy { agree(object[$0] ?? object["\u{FEFF}\($0)"] ?? .null, $1) }
    case (.flag(let flag), let other as NSNumber): return flag == other.boolValue
    case (.integer(let number), let other as NSNumber): return number == other.int64Value
    // A decimal number's own `doubleValue` is a little off.
    case (.real(let number), let other as NSNumber): return number == Double(other.stringValue)
    default: return false
    }
  }

  /// Tests damaged answers: our parser accepts all that the system's accepts, with the same value. The system's also
  /// accepts a trailing comma; such answers are skipped.
  @Test(arguments: MutationTests.searches.filter { !$0.value.drop(while: \.isWhitespace).hasPrefix("<") }.keys.sorted())
  func `damaged answers are parsed as Foundation parses them`(source: String) throws {
    let answer = try #require(MutationTests.searches[source])
    var random = SplitMix(seed: 11)
    var read = 0
    for _ in 0..<2_000 {
      let bytes = Mutation.damaged(Array(answer.utf8), using: &random)
      let text = String(decoding: bytes, as: UTF8.self)
      guard !text.contains(/,\s*[\]}]/), let other = Self.other(bytes) else { continue }
      read += 1
      let json = try? JSON(answer: bytes)
      #expect(json.map { Self.agree($0, other) } == true, "\(text)")
    }
    #expect(read > 10)
  }

  @Test(.enabled(if: Recorded.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
  func `recorded answers are parsed as Foundation parses them`() throws {
    let folder = try #require(Recorded.folder)
    let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    var read = 0
    for file in files.filter({ $0.hasSuffix(".json") }).sorted() {
      let bytes = try Recorded.body(file)
      let other = try #require(Self.other(bytes), "\(file)")
      let json = try JSON(answer: bytes)
      #expect(Self.agree(json, other), "\(file)")
      // The bounds of what is read are far away.
      let isFarAway = json.count * 20 < JSON.Form.answer.mostValues
      #expect(file.hasPrefix("datasets/") || isFarAway, "\(file) has \(json.count) values")
      read += 1
    }
    #expect(read > 50)
  }
}

extension JSON {
  fileprivate static func members(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(Object(members.map { Member($0.key, $0.value) }))
  }

  /// The number of values in it.
  fileprivate var count: Int {
    switch self {
    case .list(let elements): elements.reduce(1) { $0 + $1.count }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.count }
    default: 1
    }
  }
}
