internal import CResources

/// Names of countries: Data/countries.txt.
public enum Country {
  private static let list = NameList { catalog_countries() }
  private static let codes = list.codes

  package static var all: [String] { Set(codes.values).sorted() }

  /// The English name of a country by its alpha-2 code; the code itself when it is not known.
  public static func name(_ code: String) -> String {
    code.utf8.count == 2 ? list.name(of: code.uppercased()) ?? code : code
  }

  /// The name for a narrow column; US and UK stay abbreviated. Nil for an unknown code.
  public static func shortName(_ code: String) -> String? {
    switch code.uppercased() {
    case "US": "US"
    case "GB", "UK": "UK"
    case let letters where letters.utf8.count == 2: list.name(of: letters)
    default: code
    }
  }

  /// The alpha-2 code of a country by its code of two or three letters or one of its names, in any language.
  public static func code(named name: String) -> String? { codes[Folding.nameKey(name)] }
}
