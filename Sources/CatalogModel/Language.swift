internal import CResources

/// Names of languages: Data/languages.txt.
public enum Language {
  private static let list = NameList { catalog_languages() }
  private static let codes = list.codes

  /// All codes.
  package static var all: [String] { Set(codes.values).sorted() }

  /// The English name of a language by its ISO 639-1 code; the code itself when it is not known.
  public static func name(_ code: String) -> String {
    code.utf8.count == 2 ? list.name(of: code.lowercased()) ?? code : code
  }

  /// The ISO 639-1 code of a language by its code of two or three letters, `en-US`, or one of its names, in any
  /// language.
  public static func code(named name: String) -> String? {
    if let code = codes[Folding.labelKey(name)] { return code }
    let short = name.prefix { $0 != "-" && $0 != "_" }
    return short.utf8.count < name.utf8.count && (2...3).contains(short.utf8.count) ? codes[short.lowercased()] : nil
  }
}
