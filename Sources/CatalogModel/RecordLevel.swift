/// The medium of a record, as its format names it.
public enum RecordFormat {
  private static let vinyl: Set = ["lp", "lps", "vinyl", "vinyls", "shellac", "flexi", "acetate", "엘피", "바이닐"]
  private static let others: Set = [
    "cd", "cds", "cdr", "sacd", "hdcd", "minicd", "cassette", "cassettes", "cass", "tape", "mc", "minidisc", "md",
    "dat", "dcc",
    "8track", "reel", "file", "files", "mp3", "flac", "alac", "aac", "wav", "aiff", "ogg", "m4a", "digital", "download",
    "stream", "streaming", "dvd", "bluray", "vhs", "usb", "시디", "카세트", "카세트테이프", "테이프", "음원", "디지털",
  ]

  /// Whether a copy of a record is vinyl, by its format: `LP, 180 g`. A copy without a format, or with one that names
  /// no medium, is vinyl, since records are kept as vinyl.
  public static func isVinyl(_ format: String?) -> Bool {
    guard let format = format?.lowercased().replacing("8-track", with: "8track").replacing("blu-ray", with: "bluray")
    else { return true }
    // `2CD` and `2xCD` are two CDs.
    let words = Set(
      format.split { !$0.isLetter && !$0.isNumber }.map { word in
        let rest = word.drop { $0.isNumber && $0 != "8" }
        return String(rest.count < word.count && (rest.first == "x" || rest.first == "×") ? rest.dropFirst() : rest)
      })
    // `7"` and `12"` are sizes of vinyl.
    let hasSize = ["7\"", "10\"", "12\"", "7″", "10″", "12″", "7”", "10”", "12”"].contains { format.contains($0) }
    return hasSize || !words.isDisjoint(with: vinyl) || words.isDisjoint(with: others)
  }
}

/// One of five levels of a record collection, by the number of owned vinyl records.
public struct RecordLevel: Sendable, Hashable {
  /// 1 … 5.
  public let number: Int
  /// The name, followed by its reading in English.
  public let name: String
  /// The numbers of records in this level.
  public let records: ClosedRange<Int>

  public static let all = [
    RecordLevel(number: 1, name: "닐페이스 (Vinyl Face)", records: 0...1),
    RecordLevel(number: 2, name: "닐리즈 (Vinyl Leeds)", records: 2...9),
    RecordLevel(number: 3, name: "닐스터 (Vinylster)", records: 10...49),
    RecordLevel(number: 4, name: "닐암스트롱 (Vinyl Armstrong)", records: 50...499),
    RecordLevel(number: 5, name: "닐라대왕 (King Vinylla)", records: 500...Int.max),
  ]

  /// The level of a shelf with `records` records.
  public static func of(records: Int) -> RecordLevel {
    all.last { $0.records.lowerBound <= records } ?? all[0]
  }

  /// `7/9`; on the last level, which has no end, just the number.
  public func gauge(records: Int) -> String {
    isLast ? "\(records)" : "\(records)/\(self.records.upperBound)"
  }

  /// The filled fraction of the gauge, 0 … 1.
  public func fullness(records: Int) -> Double {
    isLast ? 1 : min(1, Double(max(0, records)) / Double(self.records.upperBound))
  }

  private var isLast: Bool { records.upperBound == Int.max }
}
