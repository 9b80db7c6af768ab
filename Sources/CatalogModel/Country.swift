internal import CResources

/// Names of countries: Data/countries.txt.
public enum Country {
  private static let list = NameList { catalog_countries() }
  private static let codes = list.codes
  private static let allCodes = Set(codes.values)

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

  /// The alpha-2 code of a country by one of its names, or by itself.
  public static func code(named name: String) -> String? {
    let plain = name.utf8.contains(UInt8(ascii: "&")) ? name.replacing(" & ", with: " and ") : name
    return codes[plain] ?? (allCodes.contains(plain) ? plain : nil)
  }
}
