public import CatalogModel

/// A user's collection and wantlist at Discogs.
///
/// <https://www.discogs.com/developers#page:user-collection>. Discogs calls copies *instances*: two copies of one
/// release are two instances. Private parts can be read only with the owner's token. Every request bypasses the cache.
public struct DiscogsAccount: Sendable {
  public let user: String
  private let settings: SourceSettings
  private let http: HTTPClient

  /// Nil for an invalid user name: names have letters, digits, `-`, `_` and dots.
  public init?(_ user: String, _ settings: SourceSettings, _ http: HTTPClient) {
    guard (1...100).contains(user.utf8.count), user.contains(where: { $0 != "." }),
      user.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
    else { return nil }
    (self.user, self.settings, self.http) = (user, settings, http)
  }

  /// A part of the account: the collection or the wantlist.
  public enum Part: Sendable, Hashable {
    case copies, wants
  }

  /// A copy, or a release on the wantlist.
  public struct Entry: Sendable, Hashable {
    /// The number of the instance, or of the release on the wantlist.
    public var id: String
    public var record: Record
    /// The number of the copy's folder.
    public var folder: Int?
    /// 1 … 5; nil when it is not rated.
    public var rating: Int?
    public var addedOn: PartialDate?
    public var notes: [Note]
  }

  /// The owner's note on a copy or on a release of the wantlist.
  public struct Note: Sendable, Hashable {
    /// The number of the note's field; nil on the wantlist, which has no fields.
    public var field: Int?
    public var text: String
  }

  /// A page of a part: at most ``mostOnPage`` entries.
  public struct Page: Sendable, Hashable {
    public var entries: [Entry]
    /// The number of entries on all pages, if Discogs reports it.
    public var total: Int?
    public var hasMore: Bool
    /// The number of elements that could not be read and were left out.
    public var unreadable: Int
  }

  public static let mostOnPage = 100

  /// The names of the fields for notes on a copy, by number: `Media Condition`. For other users, only the public
  /// fields.
  public func fields() throws(SourceError) -> [Int: String] { try names("fields") }

  /// The names of the folders, by number. 0 contains all copies, and 1 those in no other folder.
  public func folders() throws(SourceError) -> [Int: String] { try names("folders") }

  private func names(_ list: String) throws(SourceError) -> [Int: String] {
    try http.ask(Question(thing: request("collection/\(list)"), with: list))[list].elements.reduce(into: [:]) {
      guard let id = $1["id"].whole, let name = $1["name"].line, $0[id] == nil else { return }
      $0[id] = name
    }
  }

  /// A page of copies or of the wantlist, from 1. Copies are sorted by the time of addition, so that a new copy does
  /// not move others to another page.
  /// - Throws: ``SourceError/notFound`` for an unknown user, ``SourceError/refused(status:words:)`` with the status 403
  ///   for private data.
  public func page(_ number: Int, of part: Part) throws(SourceError) -> Page {
    let page = [("page", "\(number)"), ("per_page", "\(Self.mostOnPage)")]
    let (request, list) =
      switch part {
      case .copies:
        (request("collection/folders/0/releases", [("sort", "added"), ("sort_order", "asc")] + page), "releases")
      case .wants: (request("wants", page), "wants")
      }
    let found = try http.ask(Question(thing: request, with: list))
    let (all, pages) = (found[list].elements, found["pagination"])
    let entries = all.compactMap { Self.entry($0, of: part) }
    return Page(
      entries: entries, total: pages["items"].whole.flatMap { $0 < 0 ? nil : $0 },
      hasMore: !all.isEmpty && number < pages["pages"].whole ?? 0, unreadable: all.count - entries.count)
  }

  private func request(_ path: String, _ query: [(String, String)] = []) -> Request {
    var request = Discogs.ask("/users/\(user)/\(path)", settings, query: query)
    request.bypassesCache = true
    return request
  }

  /// Nil without a number or a release.
  private static func entry(_ kept: JSON, of part: Part) -> Entry? {
    guard let id = kept[part == .copies ? "instance_id" : "id"].identifier,
      let record = Discogs.candidate(kept["basic_information"], as: .vinyl)?.record
    else { return nil }
    let notes =
      switch part {
      case .copies:
        kept["notes"].elements.compactMap { note in
          note["value"].prose.map { Note(field: note["field_id"].whole, text: $0) }
        }
      case .wants: kept["notes"].prose.map { [Note(field: nil, text: $0)] } ?? []
      }
    return Entry(
      id: id, record: record, folder: kept["folder_id"].whole,
      rating: kept["rating"].whole.flatMap { (1...5).contains($0) ? $0 : nil }, addedOn: kept["date_added"].day,
      notes: notes)
  }
}
