internal import CatalogModel

extension Request {
  /// An address made from its parts, with all ambiguous characters escaped.
  ///
  ///     Request.url("https://itunes.apple.com", "/search", query: [("term", "kind of blue"), ("media", "music")])
  ///     // https://itunes.apple.com/search?term=kind+of+blue&media=music
  ///
  /// - Parameters:
  ///   - base: scheme and host as configured; only a slash at the end is removed.
  ///   - path: begins with a slash. Text of a user in it must not contain slashes.
  ///   - query: names and values. A space becomes `+`, which every web API reads as a space.
  public static func url(_ base: String, _ path: String, query: [(String, String)] = []) -> String {
    var url = base.hasSuffix("/") ? String(base.dropLast()) : base
    url += escaped(path, also: "/:@", space: "%20")
    for (index, (name, value)) in query.enumerated() {
      url += index == 0 ? "?" : "&"
      url += escaped(name) + "=" + escaped(value)
    }
    return url
  }

  /// The address with one more part at the end of its query.
  static func url(_ url: String, adding part: (name: String, value: String)) -> String {
    let end = url.firstIndex(of: "#") ?? url.endIndex
    return url[..<end] + (url[..<end].contains("?") ? "&" : "?") + escaped(part.name) + "=" + escaped(part.value)
  }

  /// The address without the parts of its query that have this name.
  static func url(_ url: String, removing name: String) -> String {
    guard let question = url.firstIndex(of: "?") else { return url }
    let end = url[question...].firstIndex(of: "#") ?? url.endIndex
    let parts = url[url.index(after: question)..<end].split(separator: "&", omittingEmptySubsequences: false)
    let kept = parts.filter { $0.prefix { $0 != "=" } != name }
    guard kept.count < parts.count else { return url }
    return url[..<question] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + url[end...]
  }

  /// The text with all but RFC 3986's unreserved characters as percent and two digits a byte.
  static func escaped(_ text: String, also kept: StaticString = "", space: String = "+") -> String {
    let keeps = Set((kept.description + ".~").utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "): bytes += space.utf8
      case _ where byte.isOfIdentifier || keeps.contains(byte): bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the address is HTTPS, or plain HTTP to this very computer, which tests and local mirrors use.
  public static func isAllowed(_ url: String) -> Bool {
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }) else { return false }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let start = url.dropFirst(scheme.count)
    guard start.hasPrefix("://") else { return false }
    let authority = start.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    switch scheme {
    case "https": return !authority.isEmpty
    case "http": return isLoopback(String(authority))
    default: return false
    }
  }

  /// Knows the few ways of writing this very computer, and takes everything else for another.
  private static func isLoopback(_ authority: String) -> Bool {
    let host = withoutPort(authority)
    if host.lowercased() == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy {
        (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIDigit) && (Int($0) ?? 256) < 256
      }
  }

  static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].utf8.allSatisfy(\.isASCIIDigit) else {
      return host
    }
    return String(host[..<colon])
  }
}
