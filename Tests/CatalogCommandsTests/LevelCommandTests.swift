import CatalogModel
import CommandLineKit
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct LevelCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  private func addRecords(_ count: Int) throws {
    let records = (0..<count).map { (record: Record(kind: .vinyl, title: "Record \($0)"), genres: [String]?.none) }
    _ = try catalog.store.addAll(records, now: catalog.clock)
  }

  /// Level, name and gauge of the marked line.
  private func current() -> String {
    let lines = catalog.run("level").output.split(separator: "\n").filter { $0.hasPrefix("true") }
    return lines.map { $0.split(separator: "\t").enumerated().filter { [1, 2, 4].contains($0.offset) } }
      .map { $0.map(\.element).joined(separator: " ") }.joined()
  }

  @Test(arguments: [
    (0, "1 닐페이스 (Vinyl Face) 0/1"), (1, "1 닐페이스 (Vinyl Face) 1/1"), (2, "2 닐리즈 (Vinyl Leeds) 2/9"),
    (9, "2 닐리즈 (Vinyl Leeds) 9/9"), (10, "3 닐스터 (Vinylster) 10/49"), (49, "3 닐스터 (Vinylster) 49/49"),
    (50, "4 닐암스트롱 (Vinyl Armstrong) 50/499"), (499, "4 닐암스트롱 (Vinyl Armstrong) 499/499"),
    (500, "5 닐라대왕 (King Vinylla) 500"),
  ])
  func `the level comes from the records on the shelf`(records: Int, level: String) throws {
    try addRecords(records)
    try catalog.add(.movie, "Not a record")
    #expect(current() == level)
  }

  @Test(arguments: [
    (2, "1 닐페이스 (Vinyl Face) 1/1"), (10, "2 닐리즈 (Vinyl Leeds) 9/9"), (50, "3 닐스터 (Vinylster) 49/49"),
    (500, "4 닐암스트롱 (Vinyl Armstrong) 499/499"),
  ])
  func `the level falls when a record is removed`(records: Int, level: String) throws {
    try addRecords(records)
    #expect(catalog.run("remove", "1", "--yes").status == 0)
    #expect(current() == level)
  }

  @Test(arguments: [30, 38, 45, 60, 80, 120]) func `the gauge stays on a narrow terminal`(width: Int) throws {
    try addRecords(7)
    catalog.atTerminal(width: width)
    let lines = catalog.run("level").output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("▶") && $0.hasSuffix(" 7/9") && $0.contains("███") && $0.contains("닐리즈") })
    #expect(lines.allSatisfy { $0.cellWidth <= width })
  }

  @Test func `level on a terminal prints a gauge`() throws {
    try addRecords(7)
    catalog.atTerminal()
    #expect(
      catalog.run("level").output == """
           Level  Name                          Records
               1  닐페이스 (Vinyl Face)             0–1
        ▶      2  닐리즈 (Vinyl Leeds)              2–9  ███████████████▌░░░░ 7/9
               3  닐스터 (Vinylster)              10–49
               4  닐암스트롱 (Vinyl Armstrong)   50–499
               5  닐라대왕 (King Vinylla)          500–

        """)
  }

  @Test func `level --json prints the records, the level and its limits`() throws {
    try addRecords(500)
    #expect(
      catalog.run("level", "--json").output == """
        {"vinyl":500,"level":5,"name":"닐라대왕 (King Vinylla)","gauge":"500","levels":[\
        {"level":1,"name":"닐페이스 (Vinyl Face)","least":0,"most":1},\
        {"level":2,"name":"닐리즈 (Vinyl Leeds)","least":2,"most":9},\
        {"level":3,"name":"닐스터 (Vinylster)","least":10,"most":49},\
        {"level":4,"name":"닐암스트롱 (Vinyl Armstrong)","least":50,"most":499},\
        {"level":5,"name":"닐라대왕 (King Vinylla)","least":500,"most":null}]}

        """)
  }
}
