internal import CResources

/// The words of values in all languages: Data/values.tsv.
public enum ValueWords {
  /// A sort of words: the first part of a line.
  public enum Sort: String, CaseIterable, Sendable {
    /// Days, weeks, months and years by their distance from today: `-1d`.
    case day
    /// `2 weeks ago`: the unit of the number, the words for the direction, and numbers that are words with their units.
    case unit, past, future, span
    /// The words in a written day.
    case part
    /// What stands before or behind the first year of a decade.
    case decade
    /// Headings of days in languages that begin with the day.
    case heading
  }

  /// The value that a word stands for, in any language.
  static func value(_ word: some StringProtocol, of sort: Sort) -> String? {
    values[sort.rawValue]?[Folding.labelKey(String(word))]
  }

  /// All words of a sort with their values, as the file has them.
  package static func all(of sort: Sort) -> [(value: String, language: String, word: String)] {
    lines.filter { $0.first == sort.rawValue }.flatMap { line in
      line.count == 4 ? words(line[3]).map { (line[1], line[2], $0) } : []
    }
  }

  private static let values: [String: [String: String]] = {
    var values: [String: [String: String]] = [:]
    for line in lines where line.count == 4 {
      for word in words(line[3]) { values[line[0], default: [:]][Folding.labelKey(word)] = line[1] }
    }
    return values
  }()

  private static var lines: [[String]] {
    let resource = catalog_values()
    // It lives as long as the program.
    let bytes = UnsafeRawBufferPointer(start: resource.start, count: resource.count)
    return bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map { line in
      line.split(separator: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func words(_ list: String) -> [String] { list.split(separator: ";").map(\.trimmingBlanks) }
}
