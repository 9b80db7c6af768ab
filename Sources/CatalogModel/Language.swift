internal import CResources

/// Names of languages: Data/languages.txt.
public enum Language {
  private static let list = NameList { catalog_languages() }
  private static let codes = list.codes

  /// The English name of a language by its ISO 639-1 code; the code itself when it is not known.
  public static func name(_ code: String) -> String {
    code.utf8.count == 2 ? list.name(of: code.lowercased()) ?? code : code
  }

  /// The ISO 639-1 code of a language by its three letters or its English name.
  public static func code(named name: String) -> String? { codes[name] }
}
