/// What the `User-Agent` says: the program, and where its user can be reached, told only to those who ask for it.
///
/// Open Library, MusicBrainz and Wikimedia refuse programs that name no contact; the others need none to answer.
public struct Identity: Sendable, Hashable {
  /// The program and its version: `catalog/1.0`.
  public var program: String
  /// The page of the program, where a release has one.
  public var page: String?
  /// The e-mail address or page of the person.
  public var contact: String?

  public init(program: String, page: String? = nil, contact: String? = nil) {
    (self.program, self.page, self.contact) = (program, page, contact)
  }

  /// The `User-Agent` for those who ask for a contact: `catalog/1.0 (+https://example.org; me@example.org)`.
  public var full: String {
    let parts = [page.map { "+\($0)" }, contact].compactMap(\.self)
    return parts.isEmpty ? program : "\(program) (\(parts.joined(separator: "; ")))"
  }

  /// Whether requests say how somebody can be reached.
  public var hasContact: Bool { page != nil || contact != nil }

  /// Hosts that ask for a contact, with those below them, whoever leads to them.
  static let hosts = [
    "openlibrary.org", "archive.org", "musicbrainz.org", "coverartarchive.org", "wikidata.org", "wikimedia.org",
    "inventaire.io", "discogs.com",
  ]

  /// The `User-Agent` for a request at the address to which it has led so far.
  func agent(for request: Request, at url: String) -> String {
    let host = Request.host(of: url).lowercased()
    let isAsked = Self.hosts.contains { host == $0 || host.hasSuffix("." + $0) }
    // A mirror wants what its source wants.
    let isSource = host == request.host.lowercased() && request.asksForContact
    return isAsked || isSource ? full : program
  }
}

extension Request {
  /// Whether its source wants to know a contact.
  var asksForContact: Bool { source == Source.archive || Source.named(source)?.asksForContact == true }
}
