import CatalogModel
import Foundation
import Lookup
import Testing

/// Tests the collection and the wantlist of a Discogs user.
struct DiscogsAccountTests {
  static func account(_ web: FakeWeb, user: String = "collector") throws -> DiscogsAccount {
    try #require(DiscogsAccount(user, Source.discogs.settings(), web.client))
  }

  static func account(_ path: String, _ response: Response) throws -> DiscogsAccount {
    try account(FakeWeb([path: response]))
  }

  static func copies(_ rows: String..., pages: Int = 1) -> String {
    """
    {"pagination": {"page": 1, "pages": \(pages), "per_page": 100, "items": 7, "urls": {}},
     "releases": [\(rows.joined(separator: ","))]}
    """
  }

  static let copy = """
    {"id": 7, "instance_id": 12, "folder_id": 3, "rating": 4, "date_added": "2020-01-19T14:19:11-08:00",
     "notes": [{"field_id": 1, "value": "Very Good Plus (VG+)"}, {"field_id": 4, "value": ""}, {"field_id": "5", "value": "A2"}],
     "basic_information": {"id": 7, "title": "Stockholm - Live", "year": 0, "artists": [{"name": "Jensen (2)", "id": 9}],
       "labels": [{"name": "Svek", "catno": "SK032"}], "genres": ["Electronic"], "styles": ["Techno"], "thumb": "",
       "cover_image": "https://i.discogs.com/h:600/x.jpeg",
       "formats": [{"name": "Vinyl", "qty": "1", "descriptions": ["LP"], "text": "Purple"}]}}
    """

  @Test func `a copy has its release, folder, rating, date and notes`() throws {
    let web = FakeWeb(["/folders/0/releases": Self.copies(Self.copy, pages: 3)])
    let page = try Self.account(web).page(2, of: .copies)
    let entry = try #require(page.entries.first)
    #expect((entry.id, entry.folder, entry.rating) == ("12", 3, 4))
    #expect(entry.addedOn == PartialDate("2020-01-19"))
    #expect(entry.notes.map(\.field) == [1, 5])
    #expect(entry.notes.map(\.text) == ["Very Good Plus (VG+)", "A2"])
    #expect(entry.record.title == "Stockholm - Live", "there is no artist in it")
    #expect(entry.record.creators == ["Jensen"])
    #expect(entry.record.externalIDs == [ExternalID(source: "discogs", value: "7")])
    #expect(entry.record.year == nil)
    #expect(entry.record.labels == ["Electronic", "Techno"])
    #expect(entry.record.vinyl?.format == "Vinyl, LP, Purple")
    #expect(entry.record.artworkURL == "https://i.discogs.com/h:600/x.jpeg")
    #expect((page.total, page.hasMore, page.unreadable) == (7, true, 0))
    #expect(try !Self.account(web).page(3, of: .copies).hasMore)
    #expect(
      web.asked.first == [
        "https://api.discogs.com/users/collector/collection/folders/0/releases"
          + "?sort=added&sort_order=asc&page=2&per_page=100"
      ])
  }

  @Test func `an entry of the wantlist has one note`() throws {
    let want = Self.copy.replacing(
      #"[{"field_id": 1, "value": "Very Good Plus (VG+)"}, {"field_id": 4, "value": ""}, {"field_id": "5", "value": "A2"}]"#,
      with: #""first pressing""#)
    let page = try Self.account("/wants", Response(json: #"{"wants": [\#(want)]}"#)).page(1, of: .wants)
    #expect(page.entries.map(\.id) == ["7"])
    #expect(page.entries.first?.notes.map(\.text) == ["first pressing"])
    #expect(page.entries.first?.notes.first?.field == nil)
    #expect((page.total, page.hasMore) == (nil, false))
  }

  @Test func `fields and folders are listed by number and name`() throws {
    let web = FakeWeb([
      "/collection/fields":
        #"{"fields": [{"id": 1, "name": "Media Condition"}, {"id": 4}, 5, {"id": 6, "name": "Pressed in"}]}"#,
      "/collection/folders": #"{"folders": [{"id": 0, "name": "All", "count": 2}, {"id": 3, "name": "Jazz"}]}"#,
    ])
    #expect(try Self.account(web).fields() == [1: "Media Condition", 6: "Pressed in"])
    #expect(try Self.account(web).folders() == [0: "All", 3: "Jazz"])
  }

  @Test func `an unreadable entry is counted without affecting the others`() throws {
    let page = try Self.account(
      "/releases", Response(json: Self.copies(#"{"id": 1, "instance_id": 2}"#, "null", Self.copy, #"{"rating": 9}"#))
    ).page(1, of: .copies)
    #expect(page.entries.map(\.id) == ["12"])
    #expect(page.unreadable == 3)
    let odd = Self.copy.replacing(#""rating": 4"#, with: #""rating": 9"#).replacing("2020-01-19T", with: "soon")
    let entry = try Self.account("/releases", Response(json: Self.copies(odd))).page(1, of: .copies).entries.first
    #expect(entry?.rating == nil)
    #expect(entry?.addedOn == nil)
    #expect(entry?.id == "12")
  }

  @Test func `a page that cannot be read is an error`() throws {
    func error(_ response: Response) throws -> SourceError? {
      let account = try Self.account("/releases", response)
      return #expect(throws: SourceError.self) { try account.page(1, of: .copies) }
    }
    #expect(try error(Response(json: #"{"message": "x"}"#, status: 404)) == .notFound)
    #expect(try error(Response(json: #"{"message": "x"}"#, status: 401)) == .key(missing: false))
    #expect(try error(Response(json: #"{"message": "No."}"#, status: 403)) == .refused(status: 403, words: "No."))
    for answer in ["{}", String(Self.copies(Self.copy).dropLast(9)), "<html>", #"{"releases": {}}"#] {
      guard case .unreadable = try error(Response(json: answer)) else {
        Issue.record("read: \(answer)")
        continue
      }
    }
  }

  @Test func `a user name with special characters is refused`() {
    for name in ["", ".", "..", "a/b", "../x", "a?b", "a b", "a#b", "a:b", String(repeating: "a", count: 101)] {
      #expect(DiscogsAccount(name, Source.discogs.settings(), .offline) == nil, "\(name)")
    }
    for name in ["collector", "vinyl.fan_1-2", "1", "Ängström"] {
      #expect(DiscogsAccount(name, Source.discogs.settings(), .offline) != nil, "\(name)")
    }
  }

  @Test(.enabled(if: Recorded.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
  func `recorded collection pages are read completely`() throws {
    func page(_ file: String) throws -> DiscogsAccount.Page {
      try Self.account("/releases", Recorded.answer("discogs/\(file)")).page(1, of: .copies)
    }
    let first = try page("collection_folder_items_p1.json")
    #expect(first.entries.map(\.id) == ["431009995", "146424864"])
    #expect((first.total, first.hasMore, first.unreadable) == (95, true, 0))
    #expect(first.entries.map(\.addedOn) == [PartialDate("2020-01-19"), PartialDate("2015-11-08")])
    #expect(first.entries.last?.record.vinyl?.catalogNumber == "STUMM 12")
    let later = try page("collection_items_2021.json")
    #expect(later.entries.map(\.folder) == [1])
    #expect(later.entries.first?.record.artworkURL?.contains("/w:600/") == true)
    #expect((later.hasMore, later.unreadable) == (false, 0))
  }
}
