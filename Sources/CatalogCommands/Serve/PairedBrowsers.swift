internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Processes

/// The paired browsers that may see and change a catalog, and the forms that they sent last, in a private file beside
/// it. Only digests of their tokens are stored.
struct PairedBrowsers: Sendable {
  let path: String

  struct Browser: Codable, Hashable, Sendable {
    /// The SHA-256 of the browser's token.
    var digest: String
    /// The name that its person chose.
    var name: String
    /// The day of the pairing, `2026-11-23`; then the day of the last visit.
    var pairedOn: String
    var seenOn: String
  }

  /// A form that was sent, and its result: when it is sent again, that is told again, and nothing is written.
  struct SentForm: Codable, Hashable, Sendable {
    /// The digest of everything that the browser sent, with the token of this one form on this one page.
    var key: String
    /// The page that was shown afterwards.
    var place: String
    var lines: [String]
    /// The operation that it wrote.
    var operation: Int64?

    init(_ key: String, _ result: CommandResult, place: String) {
      (self.key, self.place, operation) = (key, place, result.operation)
      lines = result.lines.prefix(Self.mostLines).map { String($0.prefix(Self.longestLine)) }
    }

    private static let (mostLines, longestLine) = (5, 200)
  }

  struct Content: Codable, Hashable, Sendable {
    /// The pairing code, which can be used once.
    fileprivate var code: Code?
    var browsers: [Browser] = []
    /// The last forms, the newest last; nil before the first.
    fileprivate var sent: [SentForm]?

    /// The form with this key and its result; nil if none was sent.
    func sentForm(_ key: String) -> SentForm? { sent?.last { $0.key == key } }
  }

  fileprivate struct Code: Codable, Hashable, Sendable {
    var digest: String
    var until: String
  }

  /// The number of sent forms that are kept.
  private static let mostSent = 100

  /// The lifetime of a code, in seconds.
  static let lifetime = 600.0

  /// - Throws: ``Failure``, ``SystemError``.
  var all: [Browser] {
    get throws { try content().browsers }
  }

  /// The browser with this token; nil for an unknown one.
  static func browser(token: String, among browsers: [Browser]) -> Browser? {
    let digest = digest(token)
    return browsers.first { $0.digest == digest }
  }

  /// Makes a new code, `K7QF-2M9X`, which replaces an unused one.
  func makeCode(now: Date) throws -> String {
    // Characters that look alike are left out; the code has 40 bits.
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    let code = String((0..<8).map { _ in letters[Int.random(in: letters.indices)] })
    try change {
      $0.code = Code(digest: Self.digest(code), until: Timestamp(now.addingTimeInterval(Self.lifetime)).rawValue)
    }
    return "\(code.prefix(4))-\(code.suffix(4))"
  }

  /// Pairs a browser by a typed code, which is used up.
  /// - Returns: the browser's token; nil for a wrong code.
  func pair(code typed: String, name: String, now: Date, on day: String) throws -> String? {
    let digest = Self.digest(typed.uppercased().filter { $0.isLetter || $0.isNumber })
    let token = (0..<2).map { _ in Self.hexadecimal(UInt64.random(in: 0...UInt64.max)) }.joined()
    var isPaired = false
    try change { content in
      guard let code = content.code, code.digest == digest, Timestamp(now).rawValue <= code.until else { return }
      content.code = nil
      content.browsers.append(Browser(digest: Self.digest(token), name: name, pairedOn: day, seenOn: day))
      isPaired = true
    }
    return isPaired ? token : nil
  }

  /// Records that a browser was used on a day.
  func see(_ browser: Browser, on day: String) throws {
    guard browser.seenOn != day else { return }
    try change { content in
      for place in content.browsers.indices where content.browsers[place].digest == browser.digest {
        content.browsers[place].seenOn = day
      }
    }
  }

  /// Keeps the result of a form.
  func keep(_ form: SentForm) throws {
    try change { $0.sent = (($0.sent ?? []) + [form]).suffix(Self.mostSent) }
  }

  /// Removes the pairing of a browser.
  func forget(_ browser: Browser) throws { try change { $0.browsers.removeAll { $0.digest == browser.digest } } }

  func content() throws -> Content {
    guard let bytes = try AtomicFile.read(path, atMost: 1 << 20) else { return Content() }
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
      throw Failure(
        "\(path.quoted) is damaged: the paired browsers are lost",
        hint: "remove it, and pair them again: rm \(path.shellWord)")
    }
    return content
  }

  /// Changes the current content of the file, under its lock.
  private func change(_ body: (inout Content) -> Void) throws {
    try FileLock.holding("\(path).lock") {
      let before = try content()
      var content = before
      body(&content)
      // Such as by a code that is wrong.
      guard content != before else { return }
      try AtomicFile.write(Array(JSONEncoder().encode(content)), to: path, isPrivate: true)
    }
  }

  private static func digest(_ text: String) -> String { SHA256.hexadecimal(of: Array(text.utf8)) }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
