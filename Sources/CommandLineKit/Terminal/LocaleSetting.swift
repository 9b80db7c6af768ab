/// The user's language and country according to the environment: `ko_KR.UTF-8` is `ko` and `KR`.
public struct LocaleSetting: Hashable, Sendable {
  /// Two letters; nil for a locale without a language, such as `C`.
  public let language: String?
  /// Two letters.
  public let territory: String?
  /// The value of `LANGUAGE`.
  private let named: String

  /// The first non-empty one of `LC_ALL`, `LC_MESSAGES` and `LANG` decides. Unless it is `C`, `LANGUAGE` may list
  /// preferred languages, as with gettext.
  public init(environment: [String: String]) {
    var name = ""
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] where name.isEmpty { name = environment[variable] ?? "" }
    // On bytes, for speed at each start.
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
