/// The articles that titles begin with, by language. Sorting, comparing and searching of titles use this table.
public enum Articles {
  private static let byLanguage: [String: Set<String>] = [
    "en": "the a an",
    "de": "der die das den dem des ein eine einen einem einer",
    "fr": "le la les l' un une des d'",
    "es": "el la los las lo un una unos unas",
    "it": "il lo la i gli le l' un uno una",
    "pt": "o a os as um uma",
    "nl": "de het een 't",
    "sv": "en ett den det de", "da": "en et den det de", "no": "en ei et den det de",
    "ca": "el la els les l' un una", "ro": "un o", "hu": "a az egy",
  ].mapValues { Set($0.split(separator: " ").map(String.init)) }

  /// Those of all languages, folded. An elided one has its apostrophe: `l'`.
  public static let all = byLanguage.values.reduce(into: Set<String>()) { $0.formUnion($1) }
  /// Those that go before a title of unknown language. Any other may be a word: *Die Hard*.
  public static let usual = byLanguage["en"] ?? []

  /// Those of a language, given by its code, and the usual ones.
  public static func of(_ language: String?) -> Set<String> {
    guard let language, let own = byLanguage[String(language.prefix(2))] else { return usual }
    return own.union(usual)
  }

  /// The title for sorting: `Wall, The` for `The Wall`, `Prozess, Der` for a German title; nil when it does not change.
  public static func sortTitle(of title: String, in language: String? = nil) -> String? {
    let rest = dropped(from: title, in: language)
    guard rest.startIndex > title.startIndex else { return nil }
    return "\(rest), \(title[..<rest.startIndex].trimmingBlanks)"
  }

  /// A title without the article that it begins with; whole when it is nothing else.
  public static func dropped(from title: String, in language: String? = nil) -> Substring {
    guard let count = count(in: title, among: of(language)) else { return title[...] }
    let rest = title.dropFirst(count).drop { $0 == " " }
    return rest.isEmpty ? title[...] : rest
  }

  /// A title or name with the article that stands behind it in front: `The Beatles` for `Beatles, The`. One letter is
  /// an initial.
  public static func inFront(_ name: String) -> String {
    guard let comma = name.utf8.lastIndex(of: UInt8(ascii: ",")) else { return name }
    let article = name[name.index(after: comma)...].drop { $0 == " " }
    guard comma > name.startIndex, article.count > 1, article.count < 7, all.contains(Folding.fold(String(article)))
    else { return name }
    return article + (article.last?.isApostrophe == true ? "" : " ") + name[..<comma]
  }

  /// The number of characters of the article that a text begins with; nil when it has none, or is nothing else.
  private static func count(in title: String, among articles: Set<String>) -> Int? {
    let first = title.prefix(6).prefix { $0 != " " && !$0.isApostrophe }
    let behind = title.dropFirst(first.count).first
    guard let behind else { return nil }
    let word = first.lowercased() + (behind.isApostrophe ? "'" : "")
    return articles.contains(word) ? first.count + (behind.isApostrophe ? 1 : 0) : nil
  }
}

extension Character {
  fileprivate var isApostrophe: Bool { unicodeScalars.first?.isApostrophe ?? false }
}
