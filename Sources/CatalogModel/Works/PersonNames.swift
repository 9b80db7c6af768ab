internal import CResources

/// The names of people in several scripts: Data/people.tsv.
public enum PersonNames {
  /// The names of one person, the one in Latin letters first; only the name itself for a person whom the file does not
  /// know.
  public static func all(_ name: String) -> [String] { names[Folding.nameKey(name)] ?? [name] }

  /// The name in Latin letters, by which names in several scripts are compared; nil for one that is in these letters,
  /// and for a person whom the file does not know.
  static func inLatin(_ name: String) -> String? {
    name.unicodeScalars.contains { $0.value > 0x36F } ? names[Folding.nameKey(name)]?.first : nil
  }

  private static let names = lines.reduce(into: [String: [String]]()) { names, line in
    for name in line { names[Folding.nameKey(name)] = line }
  }

  /// The people of the file, each with all names.
  static var lines: [[String]] {
    catalog_people().lines.map { line in
      line.split { $0 == "\t" || $0 == ";" }.map(\.trimmingBlanks)
    }
  }
}
