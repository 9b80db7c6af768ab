/// One of five levels of a record collection, by the number of records.
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
