/// What the environment says of a person's language and country: `ko_KR.UTF-8` is `ko` and `KR`.
public struct LocaleSetting: Hashable, Sendable {
  /// Two letters; nil where the locale is none, as `C` is.
  public let language: String?
  /// Two letters.
  public let territory: String?
  /// The languages to speak to them, the best first.
  public let languages: [String]

  /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that says something decides. Unless that is `C`, `LANGUAGE` may name other
  /// languages to be spoken to in, as with gettext.
  public init(environment: [String: String]) {
    var name = ""
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] where name.isEmpty { name = environment[variable] ?? "" }
    let parts = name.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
    language = parts.first.flatMap { Self.code($0)?.lowercased() }
    territory = parts.count > 1 ? Self.code(parts[1])?.uppercased() : nil
    guard let language else {
      languages = []
      return
    }
    let named = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap {
      Self.code($0.prefix { $0 != "_" && $0 != "." && $0 != "@" })?.lowercased()
    }
    languages = named + [language]
  }

  private static func code(_ letters: Substring) -> String? { letters.utf8.count == 2 ? String(letters) : nil }

  /// The first of the languages that is offered; nil for English, which nothing needs to be read for.
  public func spoken(of offered: [SpokenLanguage]) -> SpokenLanguage? {
    for code in languages {
      if code == "en" { return nil }
      if let language = offered.first(where: { $0.code == code }) { return language }
    }
    return nil
  }
}
