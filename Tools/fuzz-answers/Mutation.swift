import CatalogModel
import Lookup

/// Ways to damage an answer, as in transit or by a change of the source.
enum Mutation {
  // MARK: Bytes

  static let splices = [
    "null", "-1", "0", "1e999", "99999999999999999999", "\"\"", "[]", "{}", "true", "\"\\u0000\"", "\"\\ud800\"", "]",
    "}", "{\"key\":", "\\", "\"", ",", "<", "&#27;", "\u{FEFF}", "[[[[[[[[", "9223372036854775807",
    "-9223372036854775808", "0.5",
  ]

  /// Up to four changes anywhere.
  static func damaged(_ bytes: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      let length = Int.random(in: 0...min(12, bytes.count - at), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(at..<at + length)
      case 2: bytes.replaceSubrange(at..<at + length, with: (splices.randomElement(using: &random) ?? "").utf8)
      case 3: bytes.insert(contentsOf: bytes[at..<at + length], at: Int.random(in: 0...bytes.count, using: &random))
      case 4 where Int.random(in: 0..<4, using: &random) == 0: bytes.removeSubrange(at...)
      default:
        guard let colon = bytes[at...].firstIndex(of: UInt8(ascii: ":")),
          let end = bytes[colon...].firstIndex(where: { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) })
        else { continue }
        bytes.replaceSubrange(colon + 1..<end, with: (splices.randomElement(using: &random) ?? "").utf8)
      }
    }
    return bytes
  }

  // MARK: Values

  /// The replacements for any value.
  private static let values =
    splices + [
      "-0", "1E400", "-1e-400", "2147483648", "4294967296", "1000000000000", "1000000000001", "1.7976931348623157e308",
      "false", "[null]", "[[]]", "{\"\":{}}", "\"0000-00-00\"", "\"9999-99-99\"", "\"-0044\"", "\"１９９０\"",
      "\"١٩٩٠-٠١-٠١\"", "\"1e3\"", "\" 12 \"", "\"+5\"", "\"0x10\"", "\"NaN\"", "\"-Infinity\"",
      "\"99999999999999999999\"",
      "\"https://\"", "\"https://user:word@host/x\"", "\"javascript:alert(1)\"", "\"//host/x\"",
      "\"file:///etc/passwd\"",
      "\"/../../x\"", "\"http://127.0.0.1:99999/\"", "\"\\u001b]0;x\\u0007\"", "\"\\u009b31m\"", "\"\\ud83d\\ude00\"",
      "\"a\\u0000b\"", "\"\\u202e\\u2066\"", "\"기생충\"", "\"ㄱㅏ\"", "\"a, b & c, Jr. / d\"", "\"(2)\"", "\" (2)*\"",
      "\"99:99:99:99\"", "\":::\"", "\"<p><p\"", "\"&#x110000;&#55296;&#-1;\"", "\"9780306406157 0306406152\"",
    ]

  /// The characters repeated in long texts: letters, wide characters, marks, incomplete markup.
  private static let letters = [
    "x", "한", "e\u{301}", "\u{200D}👩", "<", "<a", "&", "&#", "\\u0041", "\\n", " ", "/", "-", ",", " & ", "(", "9",
  ]

  /// Incomplete and invalid UTF-8.
  private static let broken: [[UInt8]] = [
    [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xFF], [0x80], [0xF5, 0x80, 0x80, 0x80],
  ]

  /// Changes one to three values of a JSON text.
  /// - Parameter limit: the maximum size of the result in bytes, unless the text itself is longer.
  static func changed(
    _ bytes: [UInt8], _ map: JSONMap, limit: Int, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let room = max(0, limit - bytes.count)
    var edits: [(range: Range<Int>, new: [UInt8])] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let value = map.values.randomElement(using: &random) else { break }
      let edit = edit(value, of: bytes, map, room: room, using: &random)
      if !edits.contains(where: { $0.range.overlaps(edit.range) }) { edits.append(edit) }
    }
    var bytes = bytes
    for (range, new) in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(range, with: new)
    }
    return bytes
  }

  private static func edit(
    _ value: JSONMap.Value, of bytes: [UInt8], _ map: JSONMap, room: Int,
    using random: inout some RandomNumberGenerator
  ) -> (range: Range<Int>, new: [UInt8]) {
    let old = Array(bytes[value.range])
    func repeated(_ bytes: [UInt8], _ counts: Int...) -> [UInt8] {
      let count = min(counts.randomElement(using: &random) ?? 1, room / max(1, bytes.count))
      return Array(repeatElement(bytes, count: max(1, count)).joined())
    }
    func other() -> [UInt8] { Array((values.randomElement(using: &random) ?? "null").utf8) }
    let comma = UInt8(ascii: ",")
    switch (Int.random(in: 0..<12, using: &random), value.place) {
    case (0, _), (1, _): return (value.range, other())
    // Another value of the answer.
    case (2, _): return (value.range, map.values.randomElement(using: &random).map { Array(bytes[$0.range]) } ?? old)
    // A key twice, with two values.
    case (3, .member(let key)):
      let member = Array(bytes[value.whole])
      let double = Array(bytes[key]) + [UInt8(ascii: ":")] + other()
      return (value.whole, Bool.random(using: &random) ? member + [comma] + double : double + [comma] + member)
    // Another key.
    case (4, .member(let key)):
      let keys = map.values.compactMap { if case .member(let key) = $0.place { Array(bytes[key]) } else { nil } }
      let odd = ["\"\"", "\"_\"", "\"-\"", "\"__a__\"", "\"\\u0069d\"", "null", "\"제목\""].map { Array($0.utf8) }
      return (key, (Bool.random(using: &random) ? keys : odd).randomElement(using: &random) ?? [])
    // Without it.
    case (5, .member), (5, .element): return (value.whole, Array("\"\":0".utf8).suffix(isMember(value) ? 4 : 1))
    case (6, _):
      let isList = Bool.random(using: &random)
      let open = repeated(Array((isList ? "[" : "{\"a\":").utf8), 1, 2, 10, 63, 64, 65, 1_000, 100_000)
      let depth = isList ? open.count : open.count / 5
      return (value.range, open + old + Array(repeating: UInt8(ascii: isList ? "]" : "}"), count: depth))
    case (7, _): return (value.range, repeated([UInt8.random(in: 48...57, using: &random)], 15, 20, 40, 400))
    case (8, _):
      let text = Array((letters.randomElement(using: &random) ?? "").utf8)
      return (value.range, quoted(repeated(text, 1, 100, 5_000, 60_000)))
    case (9, _) where value.isText && old.count > 2:
      var text = old
      text.insert(
        contentsOf: broken.randomElement(using: &random) ?? [], at: Int.random(in: 1..<text.count, using: &random))
      return (value.range, text)
    // The same element many times.
    case (10, .element):
      return (value.range, old + repeated([comma] + old, 1, 10, 300, 5_000))
    case (11, _) where value.isText && old.count > 2:
      // A text with odd bytes in it: a control character, a quote that ends it, half of an escape.
      var text = old
      let odd = ["\\u0000", "\\u001b[2J", "\"", "\\", "\\u", "\\ud800", "\u{85}", "\u{2028}", "\u{FEFF}", "\n"]
      text.insert(
        contentsOf: (odd.randomElement(using: &random) ?? "").utf8, at: Int.random(in: 1..<text.count, using: &random))
      return (value.range, text)
    default: return (value.range, other())
    }
  }

  // MARK: Too much

  /// The elements repeated in a heavy answer: few bytes that need much memory. `@` is replaced by a new number each
  /// time.
  private static let crumbs = [
    "{}", "[]", "1", "0.5", "null", #""""#, #""x""#, #""sixteen letters @""#, #"{"a":1}"#, #"{"id":@,"title":"x"}"#,
    #"{"key":"OL@W","title":"x"}"#, #"{"name":"x"}"#, #"{"name":"@","job":"Director"}"#,
    #"{"name":"sixteen letters @"}"#, #"{"title":"x","position":"@"}"#, #"{"file_path":"/@"}"#, "[1]", "[[[[1]]]]",
    #"{"a":{"b":{"c":{}}}}"#, #""\u0041""#, #""9780306406157""#,
  ]

  /// Copies of `unit`, one behind the other. Each step doubles them, which is fast in a debug build, too.
  private static func repeated(_ unit: [UInt8], count: Int) -> [UInt8] {
    var all = count > 0 ? unit : []
    while all.count < unit.count * count { all += all.prefix(unit.count * count - all.count) }
    return all
  }

  /// A valid answer with too much of something: elements, members, text, depth. The amount is at the parser's limit,
  /// somewhat below, or as much as `limit` bytes hold.
  static func heavy(
    _ bytes: [UInt8], _ map: JSONMap?, limit: Int, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let values = map?.values ?? []
    let elements = values.filter { if case .element = $0.place { true } else { false } }
    let crumb = Array((crumbs.randomElement(using: &random) ?? "1").utf8)
    let share: Double = [1, 1, 0.9, 20].randomElement(using: &random) ?? 1
    let spare = max(1, JSON.Form.answer.mostValues - values.count - 10)
    /// A list of as many copies of `unit` as the limits of one list and of all lists allow.
    func row(_ unit: [UInt8], among lists: Int = 1) -> [UInt8] {
      let most = min(JSON.Form.answer.mostTogether - 100, spare / lists / max(1, JSONMap(unit)?.values.count ?? 1))
      return row(unit, count: min(Int(Double(most) * share), limit / lists / (unit.count + 5)))
    }
    func row(_ unit: [UInt8], count: Int) -> [UInt8] {
      let parts = unit.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
      if parts.count == 1 { return repeated(unit + [UInt8(ascii: ",")], count: max(1, count)).dropLast() }
      var row: [UInt8] = []
      for number in 0..<max(1, count) {
        if number > 0 { row.append(UInt8(ascii: ",")) }
        row += parts[0]
        for part in parts.dropFirst() {
          row += "\(number)".utf8
          row += part
        }
      }
      return row
    }
    func unit(_ value: JSONMap.Value) -> [UInt8] {
      Bool.random(using: &random) ? crumb : Array(bytes[value.range]).filter { $0 != UInt8(ascii: "@") }
    }
    var edits: [(range: Range<Int>, new: [UInt8])] = []
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3 where !elements.isEmpty:
      // Several lists of the answer.
      let lists = Int.random(in: 1...6, using: &random)
      for _ in 0..<lists {
        guard let element = elements.randomElement(using: &random) else { break }
        if edits.contains(where: { $0.range.overlaps(element.range) }) { continue }
        edits.append((element.range, row(unit(element), among: lists)))
      }
    case 4...5 where !elements.isEmpty:
      // Lists in the elements of a list: discs with tracks, hits with genres.
      guard let inner = elements.randomElement(using: &random),
        let outer = elements.filter({ $0.range != inner.range && $0.range.contains(inner.range.lowerBound) })
          .min(by: { $0.range.count < $1.range.count })
      else { fallthrough }
      let lists = Int.random(in: 2...30, using: &random)
      let one =
        Array(bytes[outer.range.lowerBound..<inner.range.lowerBound]) + row(unit(inner), among: lists)
        + bytes[inner.range.upperBound..<outer.range.upperBound]
      edits = [(outer.range, row(one, count: lists - 1))]
    case 6:
      guard let text = values.filter(\.isText).randomElement(using: &random) else { fallthrough }
      let letter = Array((letters.randomElement(using: &random) ?? "").utf8)
      let most = Double(min(limit, JSON.Form.answer.longestText) - 10) * share
      let long = quoted(repeated(letter, count: min(Int(most), limit) / letter.count))
      // The one, or as many as there is room for.
      let isAlone = Bool.random(using: &random)
      edits = [(text.range, isAlone || isMember(text) ? long : row(long, count: limit / long.count))]
    case 7:
      // Members with names of their own, short or long, in one object or many.
      let name = "@" + String(repeating: "-", count: Bool.random(using: &random) ? 1 : 20)
      let object = Array(
        "{\(String(decoding: row(Array("\"\(name)\":".utf8) + crumb, among: 20), as: UTF8.self))}".utf8)
      return Bool.random(using: &random)
        ? object : [UInt8(ascii: "[")] + row(object, count: 19) + [UInt8(ascii: "]")]
    case 8:
      let depth = JSON.Form.answer.deepest - 3
      let deep = Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
      return Array("[".utf8) + row(deep) + Array("]".utf8)
    default: return Array("[".utf8) + row(crumb) + Array("]".utf8)
    }
    var heavy = bytes
    for (range, new) in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      heavy.replaceSubrange(range, with: new)
    }
    return Array(heavy.prefix(limit))
  }

  private static func isMember(_ value: JSONMap.Value) -> Bool {
    if case .member = value.place { true } else { false }
  }

  private static func quoted(_ text: [UInt8]) -> [UInt8] { [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")] }

  // MARK: Heads

  private static let statuses = [
    "100", "200", "204", "206", "301", "304", "307", "308", "400", "401", "403", "404", "410", "422", "429", "500",
    "503",
    "599", "600", "999", "0", "-1", "", "99999999999999999999",
  ]

  private static let headerValues = [
    "", "0", "-1", "1", "30", "4294967295", "4294967296", "99999999999999999999", "1e9", "NaN", " ", "\t", "no-store",
    "no-cache", "max-age=", "max-age=-1", "max-age=99999999999999999999", "max-age=1, max-age=2, no-store", "=,=,,",
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 9999 08:49:37 GMT", "Sun, 99 Feb 0000 99:99:99 GMT",
    "Sun Nov  6 1994",
    "Sunday, 06-Nov-94 08:49:37 GMT", "\"", "W/\"x\"", "\u{FEFF}", "기생충", "\u{1B}[2J", "\u{0}",
  ]

  private static let redirects = [
    "", "https://", "https://elsewhere.example/", "http://elsewhere.example/", "HTTPS://API.EXAMPLE/3", "//x", "/x",
    "javascript:0", "file:///etc/passwd", "http://127.0.0.1/", "http://127.0.0.1.example/", "http://localhost@x/",
    "https://api.example@elsewhere.example/", "https://api.example:444/", "https://api.example\\@elsewhere.example/",
    "https://api.example/?api_key=other&x=1#api_key=third", "https://api.example/\u{1B}", "https://[::1]/",
    "gopher://x/",
  ]

  /// The output of curl before the body of an answer.
  static func head(_ status: String, _ headers: [(name: String, value: String)], redirect: String = "") -> [UInt8] {
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }
    return Array("HTTP/2 \(status) \r\n\(lines.joined())\r\n\n\(Head.redirectMark)\(redirect)".utf8)
  }

  /// A head with another status, other values of its headers, another redirect address, or damaged bytes.
  static func changedHead(
    _ status: String, _ headers: [(name: String, value: String)], using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var (status, headers, redirect) = (status, headers, "")
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = headers.indices.randomElement(using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: status = statuses.randomElement(using: &random) ?? status
      case 1:
        status = ["301", "302", "303", "307", "308"].randomElement(using: &random) ?? status
        redirect = redirects.randomElement(using: &random) ?? ""
      case 2: if let index { headers.append(headers[index]) }
      case 3: if let index { headers.remove(at: index) }
      default: if let index { headers[index].value = headerValues.randomElement(using: &random) ?? "" }
      }
    }
    let head = head(status, headers, redirect: redirect)
    return Int.random(in: 0..<3, using: &random) == 0 ? damaged(head, using: &random) : head
  }
}
