public import CatalogModel

/// What a source shows around a movie. Only the facts and the people are kept in a catalog.
///
/// The parts are asked for at once, and each stands or falls alone.
public struct MovieParts: Sendable, Hashable {
  public enum Part: String, CaseIterable, Sendable, Hashable {
    case facts, cast, gallery, videos, similar, recommended
  }

  /// The record without its people.
  public var facts: Record?
  /// The directors and the cast.
  public var people: [Credit]?
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
    /// Of the original, in pixels.
    public var width: Int?
    public var height: Int?
    /// ISO 639-1 code of the words in it; nil when there are none.
    public var language: String?
  }

  public struct Video: Sendable, Hashable {
    /// Without the `[…]` before it that tells where the video is shown.
    public var name: String
    /// The source's word: `Trailer`, `Teaser`, `Featurette`.
    public var type: String?
    /// `YouTube`, `Vimeo`.
    public var site: String
    /// Nil when it is not known how the site's addresses are made.
    public var url: String?
    public var published: PartialDate?
  }

  /// The record with the people that are known: of a search result, nothing is lost where a part failed.
  public func record(over known: Record) -> Record {
    var record = facts ?? known
    if let people { record.credits = people } else if facts != nil { record.credits = known.credits }
    return record
  }
}
