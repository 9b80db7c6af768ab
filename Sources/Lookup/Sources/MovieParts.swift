public import CatalogModel

/// The parts of a source's page of a movie. Only the facts and the people are stored in a catalog.
///
/// All parts are requested at the same time, and each can fail separately.
public struct MovieParts: Sendable, Hashable {
  public enum Part: String, CaseIterable, Sendable, Hashable {
    case facts, cast, gallery, videos, similar, recommended
  }

  /// The record without its people.
  public var facts: Record?
  /// The directors and the cast.
  public var people: [Credit]?
  /// The cast again, with pictures where available; it arrives with the people.
  public var portraits: [Portrait]?
  public var gallery: [Picture]?
  public var videos: [Video]?
  public var similar: [Candidate]?
  public var recommended: [Candidate]?
  /// Why the parts that are nil are missing.
  public var failures: [Part: SourceError] = [:]

  public init() {}

  /// A picture, at a size for a screen.
  public struct Picture: Sendable, Hashable {
    public enum Subject: String, Sendable, Hashable {
      case backdrop, poster, logo
    }

    public var subject: Subject
    public var url: String
    /// The width of the original, in pixels.
    public var width: Int?
    public var height: Int?
    /// The ISO 639-1 code of the text in the picture; nil without text.
    public var language: String?
  }

  /// A member of the cast, in billing order.
  public struct Portrait: Sendable, Hashable {
    public var name: String
    public var character: String?
    /// Nil when the source has no picture of them.
    public var url: String?
  }

  public struct Video: Sendable, Hashable {
    /// The name without a `[…]` before it, such as `[메인 예고편]` (main trailer).
    public var name: String
    /// The source's word: `Trailer`, `Teaser`, `Featurette`.
    public var type: String?
    /// `YouTube`, `Vimeo`.
    public var site: String
    /// Nil when it is not known how the site's addresses are made.
    public var url: String?
    public var published: PartialDate?
  }

  /// Whether there is anything to show.
  public var isAnything: Bool {
    let lists: [Int?] = [people?.count, gallery?.count, videos?.count, similar?.count, recommended?.count]
    return facts != nil || lists.contains { ($0 ?? 0) > 0 }
  }

  /// The record with the people that are known: of a search result, nothing is lost where a part failed.
  public func record(over known: Record) -> Record {
    var record = facts ?? known
    if let people { record.credits = people } else if facts != nil { record.credits = known.credits }
    return record
  }
}

/// A site that shows videos, of which it is known how its addresses are made.
public enum VideoSite: String, CaseIterable, Sendable {
  case youTube = "YouTube"
  case vimeo = "Vimeo"

  private var hosts: [String] {
    switch self {
    case .youTube: ["www.youtube.com", "youtube.com", "m.youtube.com", "youtu.be"]
    case .vimeo: ["vimeo.com", "www.vimeo.com", "player.vimeo.com"]
    }
  }

  /// The address of a video; nil for an invalid key.
  func url(of key: String) -> String? {
    guard !key.isEmpty, key.utf8.allSatisfy(\.isOfIdentifier) else { return nil }
    return switch self {
    case .youTube: "https://www.youtube.com/watch?v=\(key)"
    case .vimeo: "https://vimeo.com/\(key)"
    }
  }

  /// Whether the address leads to a supported video site.
  public static func hasVideo(at url: String) -> Bool {
    let host = Request.host(of: url).lowercased()
    return Request.isAllowed(url) && allCases.contains { $0.hosts.contains(host) }
  }
}
