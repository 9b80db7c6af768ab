/// What the environment says of a person's language and country: `ko_KR.UTF-8` is `ko` and `KR`.
public struct LocaleSetting: Hashable, Sendable {
  /// Two letters; nil where the locale is none, as `C` is.
  public let language: String?
  /// Two letters.
  public let territory: String?
  /// What `LANGUAGE` says.
  private let named: String

  /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that says something decides. Unless that is `C`, `LANGUAGE` may name other
  /// languages to be spoken to in, as with gettext.
  public init(environment: [String: String]) {
    var name = ""
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] where name.isEmpty { name = environment[variable] ?? "" }
    // On bytes: every start asks.
    let bytes = name.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
    let behind = bytes.dropFirst(2)
    guard bytes.count >= 2, behind.isEmpty || behind.first == UInt8(ascii: "_") else {
      (language, territory, named) = (nil, nil, "")
      return
    }
    language = String(Substring(bytes.prefix(2))).lowercased()
    territory = behind.count == 3 ? String(Substring(behind.dropFirst())).uppercased() : nil
    named = environment["LANGUAGE"] ?? ""
  }

  /// The languages to speak to them, the best first.
  public var languages: [String] {
    guard let language else { return [] }
    return named.split(separator: ":").map { String($0.prefix { $0 != "_" && $0 != "." && $0 != "@" }).lowercased() }
      + [language]
  }

  /// The first of the languages that is offered; nil for English, which nothing needs to be read for.
  public func spoken(of offered: @autoclosure () -> [SpokenLanguage]) -> SpokenLanguage? {
    if language == nil || language == "en" && named.isEmpty { return nil }
    let offered = offered()
    for code in languages {
      if code == "en" { return nil }
      if let language = offered.first(where: { $0.code == code }) { return language }
    }
    return nil
  }
}
