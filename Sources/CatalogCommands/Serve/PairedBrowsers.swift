internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Processes

/// The browsers that may see and change a catalog, in a private file beside it. Of what proves who they are only digests are kept.
struct PairedBrowsers: Sendable {
  let path: String

  /// One of them.
  struct Browser: Codable, Hashable {
    /// SHA-256 of what the browser keeps.
    var digest: String
    /// As its person calls it.
    var name: String
    /// Days, `2026-11-23`.
    var pairedOn: String
    var seenOn: String
  }

  private struct Content: Codable {
    /// What is typed into a browser, once.
    var code: Code?
    var browsers: [Browser] = []
  }

  private struct Code: Codable {
    var digest: String
    var until: String
  }

  /// How long a code can be typed, in seconds.
  static let lifetime = 600.0

  /// - Throws: ``Failure``, ``SystemError``.
  var all: [Browser] {
    get throws { try content().browsers }
  }

  /// Whose token this is; nil for nobody's.
  static func browser(token: String, among browsers: [Browser]) -> Browser? {
    let digest = digest(token)
    return browsers.first { $0.digest == digest }
  }

  /// A new code, `K7QF-2M9X`, in the place of one that nobody typed.
  func makeCode(now: Date) throws -> String {
    // Without what looks like another letter or digit: 40 bits.
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    let code = String((0..<8).map { _ in letters[Int.random(in: letters.indices)] })
    try change {
      $0.code = Code(digest: Self.digest(code), until: Timestamp(now.addingTimeInterval(Self.lifetime)).rawValue)
    }
    return "\(code.prefix(4))-\(code.suffix(4))"
  }

  /// Pairs the browser whose person typed a code, which is good for one.
  /// - Returns: the token that it keeps from now on; nil for a wrong code.
  func pair(code typed: String, name: String, now: Date) throws -> String? {
    let digest = Self.digest(typed.uppercased().filter { $0.isLetter || $0.isNumber })
    let token = (0..<2).map { _ in Self.hexadecimal(UInt64.random(in: 0...UInt64.max)) }.joined()
    var isPaired = false
    try change { content in
      guard let code = content.code, code.digest == digest, Timestamp(now).rawValue <= code.until else { return }
      content.code = nil
      let day = Timestamp(now).day
      content.browsers.append(Browser(digest: Self.digest(token), name: name, pairedOn: day, seenOn: day))
      isPaired = true
    }
    return isPaired ? token : nil
  }

  /// Keeps that a browser was here today.
  func see(_ browser: Browser, now: Date) throws {
    let day = Timestamp(now).day
    guard browser.seenOn != day else { return }
    try change { content in
      for place in content.browsers.indices where content.browsers[place].digest == browser.digest {
        content.browsers[place].seenOn = day
      }
    }
  }

  /// From now on it is a stranger.
  func forget(_ browser: Browser) throws { try change { $0.browsers.removeAll { $0.digest == browser.digest } } }

  private func content() throws -> Content {
    guard let bytes = try WholeFile.read(path, atMost: 1 << 20) else { return Content() }
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
      throw Failure(
        "\(path.quoted) is damaged: no browser is known any more",
        hint: "remove it, and pair them again: rm \(path.shellWord)")
    }
    return content
  }

  /// Changes the file as it is by now.
  private func change(_ body: (inout Content) -> Void) throws {
    try FileLock.holding("\(path).lock") {
      var content = try content()
      body(&content)
      try WholeFile.write(Array(JSONEncoder().encode(content)), to: path, isPrivate: true)
    }
  }

  private static func digest(_ text: String) -> String { SHA256.hexadecimal(of: Array(text.utf8)) }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
