/// The contents of the `User-Agent`: the program, and the user's contact for the sources that ask for one.
///
/// Open Library, MusicBrainz and Wikimedia refuse programs without a contact; the other sources do not need one.
public struct Identity: Sendable, Hashable {
  /// The program and its version: `catalog/1.0`.
  public var program: String
  /// The home page of the program, if the release has one.
  public var page: String?
  /// The user's e-mail address or home page.
  public var contact: String?

  public init(program: String, page: String? = nil, contact: String? = nil) {
    (self.program, self.page, self.contact) = (program, page, contact)
  }

  /// The `User-Agent` with the contact: `catalog/1.0 (+https://example.org; me@example.org)`.
  public var full: String {
    let parts = [page.map { "+\($0)" }, contact].compactMap(\.self)
    return parts.isEmpty ? program : "\(program) (\(parts.joined(separator: "; ")))"
  }

  /// Whether the `User-Agent` contains a contact.
  public var hasContact: Bool { page != nil || contact != nil }

  /// The hosts that ask for a contact, including their subdomains and requests redirected to them.
  static let hosts = [
    "openlibrary.org", "archive.org", "musicbrainz.org", "coverartarchive.org", "wikidata.org", "wikimedia.org",
    "inventaire.io", "discogs.com",
  ]

  /// The `User-Agent` for a request at its current address.
  func agent(for request: Request, at url: String) -> String {
    let host = Request.host(of: url).lowercased()
    let isAsked = Self.hosts.contains { host == $0 || host.hasSuffix("." + $0) }
    // A mirror has the same rules as its source.
    let isSource = host == request.host.lowercased() && request.asksForContact
    return isAsked || isSource ? full : program
  }
}

extension Request {
  var asksForContact: Bool { source == Source.archive || Source.named(source)?.asksForContact == true }
}
