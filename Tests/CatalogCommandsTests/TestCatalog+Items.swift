import CatalogModel
import FoundationEssentials
import Lookup

@testable import CatalogStore

extension TestCatalog {
  /// Adds an item, one second after the last one.
  @discardableResult
  func add(
    _ kind: Kind, _ title: String, by creators: String..., year: Int? = nil, genres: [String] = [],
    _ change: (inout Record) -> Void = { _ in }
  ) throws -> ItemID {
    var record = Record(kind: kind, title: title)
    record.credits = creators.map { Credit(name: $0, role: Credit.Role(main: kind)) }
    record.year = year
    change(&record)
    return try store.add(record, genres: genres, now: tick()).id
  }

  /// Adds three well-known items: a movie, a book with a rated card, a favorite record.
  func addThree() throws {
    try add(.movie, "기생충", by: "봉준호", year: 2019, genres: ["Thriller", "Drama"])
    let book = try add(.book, "소년이 온다", by: "한강", year: 2014, genres: ["Literary Fiction"])
    _ = try store.addCard(to: book, rating: try Rating("4.5"), comment: "잊을 수 없다", now: tick())
    let record = try add(.vinyl, "Kind of Blue", by: "Miles Davis", year: 1959, genres: ["Jazz"])
    try store.favorite(record, now: tick())
  }

  /// Makes a result that is not on the shelf the result `r1`.
  func addResult(_ kind: Kind = .vinyl, _ title: String = "Blue Train", by creator: String = "John Coltrane") {
    var record = Record(kind: kind, title: title)
    record.credits = [Credit(name: creator, role: Credit.Role(main: kind))]
    record.year = 1958
    let id = ExternalID(source: "pack", value: "\(kind.rawValue)/\(title)")
    record.externalIDs = [id]
    results([Candidate(id: id, record: record)])
  }

  /// The time of the clock in the form of the file.
  var clock: Timestamp { Timestamp(now) }

  private func tick() -> Timestamp {
    now += 1
    return Timestamp(now)
  }
}
