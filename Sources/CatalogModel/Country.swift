internal import CResources

/// Names of countries: Data/countries.txt.
public enum Country {
  private static let list = NameList { catalog_countries() }

  /// The English name of a country by its alpha-2 code; the code itself when it is not known.
  public static func name(_ code: String) -> String {
    code.utf8.count == 2 ? list.name(of: code.uppercased()) ?? code : code
  }

  /// The alpha-2 code of a country by one of its names, or by itself.
  public static func code(named name: String) -> String? {
    let plain = name.replacing(" & ", with: " and ")
    return list.code(named: plain) ?? (plain.utf8.count == 2 && list.name(of: plain) != nil ? plain : nil)
  }
}
