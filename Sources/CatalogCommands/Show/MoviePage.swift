internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// A request for the cast, pictures, videos and related movies of a movie.
struct MovieQuestion: Sendable {
  var source: Source
  var id: ExternalID
  /// Fetches the parts that the source has.
  private var fetch: @Sendable (ExternalID, Set<MovieParts.Part>, SourceSettings, HTTPClient) -> MovieParts

  /// Fails when no source of these ids offers more than the record of a movie.
  init?(of ids: [ExternalID], in context: Context) {
    for id in ids {
      guard let source = context.source(of: id), let fetch = source.movieParts else { continue }
      (self.source, self.id, self.fetch) = (source, id, fetch)
      return
    }
    return nil
  }

  /// Fetches the parts, on any thread. ``noteFailures(of:in:)`` prints the missing ones, except the facts: the caller
  /// has to report those.
  /// - Throws: ``Failure`` when a key is required and missing.
  func fetching(
    _ parts: Set<MovieParts.Part>, in context: Context
  ) throws -> @Sendable () throws -> MovieParts {
    let settings = try context.settingsToAsk(source)
    return { [fetch, id, http = context.http] in
      let found = fetch(id, parts, settings, http)
      try Interrupt.check()
      return found
    }
  }

  /// Prints which parts are missing, with each reason once, and sets the exit status.
  /// - Parameter name: the name of a part.
  func noteFailures(of found: MovieParts, in context: Context, _ name: (MovieParts.Part) -> Message) {
    context.noteMissing(
      MovieParts.Part.allCases.compactMap { part in
        found.failures[part].map { (name(part), context.failure($0, of: source)) }
      })
  }
}

/// The number of elements shown of a long list: a movie's people, pictures, videos and related movies, an album's
/// pressings.
let shownOfMany = 10

extension MovieParts {
  func add(to page: inout Lines, isFull: Bool) {
    page.add(numbered: "Cast", portraits, isFull) { ($0.name + ($0.character.map { " (\($0))" } ?? ""), $0.url) }
    page.add(numbered: "Gallery", gallery, isFull) { picture in
      let size = picture.width.flatMap { width in picture.height.map { " \(width)×\($0)" } } ?? ""
      return (picture.subject.rawValue + size + (picture.language.map { " \(Language.name($0))" } ?? ""), picture.url)
    }
    page.add(numbered: "Videos", videos, isFull) { ($0.name, $0.url ?? $0.site) }
    for (name, movies) in [("Similar" as Message, similar), ("Recommended", recommended)] {
      page.add(part: name, movies, isFull) { ($0.id.description, $0.record.headline) }
    }
  }
}

extension Lines {
  /// Adds a heading and a line for each element: the address or reference, then its description.
  /// - Parameters:
  ///   - total: the number of all elements, when `elements` has not all of them.
  ///   - elsewhere: the option or address that shows the others.
  mutating func add<Element>(
    part name: Message, _ elements: [Element]?, _ isFull: Bool, total: Int? = nil, elsewhere: String = "--full",
    _ line: (Element) -> (address: String, words: String)
  ) {
    guard let elements, !elements.isEmpty else { return }
    let shown = elements.prefix(isFull ? .max : shownOfMany).map(line)
    add()
    add(verbatim: styled(name, .bold))
    let width = shown.map(\.address.cellWidth).max() ?? 0
    for (address, words) in shown {
      let line = safe(address).padded(to: width) + "  " + safe(words)
      add(verbatim: "  " + (terminal.isOutputTerminal ? line.truncated(to: max(width, terminal.width - 2)) : line))
    }
    let rest = max(elements.count, total ?? 0) - shown.count
    if rest > 0 { add(verbatim: "  " + styled("… and \(rest) more: \(elsewhere)", .dim)) }
  }
}

extension Lines {
  /// Adds a heading and a line for each element: its number for `cover` and `open`, its description, and its address.
  /// The address is never cut; it gets a line of its own when it does not fit.
  mutating func add<Element>(
    numbered name: Message, _ elements: [Element]?, _ isFull: Bool,
    _ line: (Element) -> (words: String, address: String?)
  ) {
    guard let elements, !elements.isEmpty else { return }
    let shown = elements.prefix(isFull ? .max : shownOfMany).map { element in
      let (words, address) = line(element)
      return (words: safe(words), address: address.map(safe))
    }
    let digits = "\(shown.count)".count
    let width = shown.map(\.words.cellWidth).max() ?? 0
    let isBeside =
      !terminal.isOutputTerminal
      || 4 + digits + width + 2 + (shown.compactMap(\.address?.cellWidth).max() ?? 0) <= terminal.width
    add()
    add(verbatim: styled(name, .bold))
    for (number, (words, address)) in zip(1..., shown) {
      let digit = String(repeating: " ", count: digits - "\(number)".count) + "\(number)"
      let number = "  " + styled(verbatim: digit, .dim) + "  "
      if isBeside {
        add(verbatim: number + (address.map { words.padded(to: width) + "  " + $0 } ?? words))
      } else {
        add(verbatim: number + words.truncated(to: max(8, terminal.width - 4 - digits)))
        if let address {
          add(verbatim: String(repeating: " ", count: 4 + digits) + styled(verbatim: address, .dim))
        }
      }
    }
    if elements.count > shown.count {
      add(verbatim: "  " + styled("… and \(elements.count - shown.count) more: \("--full")", .dim))
    }
  }
}

extension MovieParts {
  /// The parts as members of the object of `show --json`; null for a part that did not arrive.
  static var members: [Column<MovieParts>] {
    let movie: [Column<Candidate>] = [
      .init("reference", \.id), .init("title", \.record.title), .init("year", \.record.year),
      .init("public_rating", \.record.publicRating?.value),
    ]
    return [
      .list(
        "portraits", \.portraits, [.init("name", \.name), .init("detail", \.character), .init("url", \.url)]),
      .list(
        "gallery", \.gallery,
        [
          .init("subject", \.subject.rawValue), .init("url", \.url), .init("width", \.width),
          .init("height", \.height), .init("language", \.language),
        ]),
      .list(
        "videos", \.videos,
        [
          .init("name", \.name), .init("type", \.type), .init("site", \.site), .init("url", \.url),
          .init("published_on", \.published),
        ]),
      .list("similar", \.similar, movie), .list("recommended", \.recommended, movie),
    ]
  }
}
