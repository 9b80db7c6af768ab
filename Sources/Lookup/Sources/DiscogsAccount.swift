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
  public func fields() throws(SourceError) -> [Int: String] { try http.ask(question("fields", as: Fields.self)).names }

  /// The names of the folders, by number. 0 contains all copies, and 1 those in no other folder.
  public func folders() throws(SourceError) -> [Int: String] {
    try http.ask(question("folders", as: Folders.self)).names
  }

  /// A page of copies or of the wantlist, from 1. Copies are sorted by the time of addition, so that a new copy does
  /// not move others to another page.
  /// - Throws: ``SourceError/notFound`` for an unknown user, ``SourceError/refused(status:words:)`` with the status 403
  ///   for private data.
  public func page(_ number: Int, of part: Part) throws(SourceError) -> Page {
    let page = [("page", "\(number)"), ("per_page", "\(Self.mostOnPage)")]
    switch part {
    case .copies:
      let order = [("sort", "added"), ("sort_order", "asc")]
      return try http.ask(question("folders/0/releases", order + page, as: Copies.self)).page(number)
    case .wants:
      return try http.ask(Question(thing: request("wants", page), as: Wants.self)).page(number)
    }
  }

  // MARK: Asking

  private func question<Value: Decodable & Sendable>(
    _ path: String, _ query: [(String, String)] = [], as form: Value.Type
  ) -> Question<Value> { Question(thing: request("collection/\(path)", query), as: form) }

  private func request(_ path: String, _ query: [(String, String)]) -> Request {
    var request = Discogs.ask("/users/\(user)/\(path)", settings, query: query)
    request.bypassesCache = true
    return request
  }

  // MARK: The answers

  private struct Fields: Decodable {
    var fields: Elements<Named>
    var names: [Int: String] { fields.names }
  }

  private struct Folders: Decodable {
    var folders: Elements<Named>
    var names: [Int: String] { folders.names }
  }

  fileprivate struct Named: Decodable {
    @Lenient<Whole> var id: Int?
    @Lenient<Line> var name: String?
  }

  private struct Copies: Decodable {
    @Lenient<Object<Discogs.Pagination>> var pagination: Discogs.Pagination?
    var releases: Elements<Kept<List<Object<Written>>>>

    func page(_ number: Int) -> Page {
      Page(releases, number, pagination) { kept in
        kept.instanceId.map { id in
          (id, (kept.notes ?? []).compactMap { note in note.value.map { Note(field: note.fieldId, text: $0) } })
        }
      }
    }
  }

  private struct Wants: Decodable {
    @Lenient<Object<Discogs.Pagination>> var pagination: Discogs.Pagination?
    var wants: Elements<Kept<Prose>>

    func page(_ number: Int) -> Page {
      Page(wants, number, pagination) { kept in
        kept.id.map { ($0, kept.notes.map { [Note(field: nil, text: $0)] } ?? []) }
      }
    }
  }

  fileprivate struct Kept<Notes: Reading>: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Identifier> var instanceId: String?
    @Lenient<Whole> var folderId: Int?
    @Lenient<Whole> var rating: Int?
    @Lenient<Day> var dateAdded: PartialDate?
    @Lenient<Notes> var notes: Notes.Value?
    @Lenient<Object<Discogs.Release>> var basicInformation: Discogs.Release?
  }

  private struct Written: Decodable {
    @Lenient<Whole> var fieldId: Int?
    @Lenient<Prose> var value: String?
  }
}

extension DiscogsAccount.Page {
  /// - Parameter told: returns the number and the notes of an entry; nil when it has no number.
  fileprivate init<Notes>(
    _ all: Elements<DiscogsAccount.Kept<Notes>>, _ number: Int, _ pagination: Discogs.Pagination?,
    _ told: (DiscogsAccount.Kept<Notes>) -> (id: String, notes: [DiscogsAccount.Note])?
  ) {
    entries = all.all.compactMap { kept in
      guard let kept, let (id, notes) = told(kept), let record = kept.basicInformation?.candidate(as: .vinyl)?.record
      else { return nil }
      return DiscogsAccount.Entry(
        id: id, record: record, folder: kept.folderId, rating: kept.rating.flatMap { (1...5).contains($0) ? $0 : nil },
        addedOn: kept.dateAdded, notes: notes)
    }
    total = pagination?.items.flatMap { $0 < 0 ? nil : $0 }
    hasMore = !all.all.isEmpty && number < pagination?.pages ?? 0
    unreadable = all.all.count - entries.count
  }
}

extension Elements<DiscogsAccount.Named> {
  fileprivate var names: [Int: String] {
    Dictionary(all.compactMap { named in named?.id.flatMap { id in named?.name.map { (id, $0) } } }) { first, _ in first
    }
  }
}
