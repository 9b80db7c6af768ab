/// Addresses of remote repositories, as people and git write them: `git@example.org:me/catalog.git`, `https://…`, a
/// folder.
public enum RemoteAddress {
  /// Whether an address has a password or a token: `https://ann:secret@example.org/catalog.git`.
  public static func hasPassword(_ address: String) -> Bool {
    guard let parts = Parts(address[...]), let user = parts.user else { return false }
    // Hosts of the web accept a token as a name, too.
    return user.contains(":") || parts.isOfWeb && tokens.contains { user.hasPrefix($0) }
  }

  /// A text whose addresses have no passwords and tokens: `https://example.org/catalog.git`. The name of an account
  /// stays if it grants no access, as in `ssh://git@example.org`.
  public static func redacted(_ text: String) -> String {
    var (redacted, rest) = ("", text[...])
    while let mark = rest.firstRange(of: "://") {
      let scheme = rest[..<mark.lowerBound].reversed().prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+")
      }
      let start = rest.index(mark.lowerBound, offsetBy: -scheme.count)
      let end = rest[mark.upperBound...].firstIndex { $0.isWhitespace || "'\"<>".contains($0) } ?? rest.endIndex
      redacted += rest[..<start] + (Parts(rest[start..<end])?.shown ?? String(rest[start..<end]))
      rest = rest[end...]
    }
    return redacted + rest
  }

  /// The prefixes of access tokens of large hosts.
  private static let tokens = ["ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "glpat-"]

  private struct Parts {
    var scheme: Substring
    /// The user name and password; nil if the address has none.
    var user: Substring?
    /// The host and everything after it.
    var rest: Substring

    init?(_ address: Substring) {
      guard let mark = address.firstRange(of: "://") else { return nil }
      scheme = address[..<mark.lowerBound]
      rest = address[mark.upperBound...]
      let host = rest.prefix { !"/?#".contains($0) }
      var sign = host.lastIndex(of: "@")
      // A password with a slash in it: the text behind the colon is no port.
      if sign == nil, let colon = host.firstIndex(of: ":"), !host[colon...].dropFirst().allSatisfy(\.isNumber) {
        sign = rest.lastIndex(of: "@")
      }
      guard let sign else { return }
      user = rest[..<sign]
      rest = rest[rest.index(after: sign)...]
    }

    var isOfWeb: Bool { !scheme.lowercased().contains("ssh") }

    var shown: String {
      let name = isOfWeb ? nil : user?.prefix { $0 != ":" }
      return "\(scheme)://" + (name.map { "\($0)@" } ?? "") + rest
    }
  }
}
