internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// What a source shows around a movie, as `show` asks for it.
struct MovieQuestion: Sendable {
  var source: Source
  var id: ExternalID
  /// Fetches the parts; nil where the source has none.
  private var fetch: @Sendable (ExternalID, Set<MovieParts.Part>, SourceSettings, HTTPClient) -> MovieParts

  /// Nil when no source that calls the movie something knows more than its record.
  init?(of ids: [ExternalID], in context: Context) {
    for id in ids {
      guard let source = context.source(of: id), let fetch = source.movieParts else { continue }
      (self.source, self.id, self.fetch) = (source, id, fetch)
      return
    }
    return nil
  }

  /// Fetches the parts, on any thread. Those that are missing are named by ``noteFailures(of:in:)``, but for the facts,
  /// which somebody else must answer for.
  /// - Throws: ``Failure`` when there is no key to ask with.
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

  /// Says which parts are missing, and why, each reason once. The exit status says that some are.
  /// - Parameter name: what a part is called.
  func noteFailures(of found: MovieParts, in context: Context, _ name: (MovieParts.Part) -> Message) {
    var names: [(message: Message, parts: [Message])] = []
    for part in MovieParts.Part.allCases {
      guard let error = found.failures[part] else { continue }
      let message = context.failure(error, of: source).message
      if let index = names.firstIndex(where: { $0.message == message }) {
        names[index].parts.append(name(part))
      } else {
        names.append((message, [name(part)]))
      }
      context.isIncomplete(because: error)
    }
    for (message, parts) in names {
      context.warn("\(message); not available: \(parts.joined(separator: ", "))")
    }
  }
}

/// How many of a movie's people, pictures, videos and related movies, or of an album's pressings, are shown, unless all
/// are asked for.
let shownOfMany = 10

extension MovieParts {
  /// Adds the parts to the page of the movie.
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
  /// A heading and a line each: the address or reference, then words.
  /// - Parameters:
  ///   - total: how many there are, when not all of them came.
  ///   - elsewhere: where those are that are not shown.
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
  /// A heading and a line each: the number by which `cover` and `open` call it, words, and its address, which is never cut.
  /// Where there is no room for it beside the words, it stands below them.
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
  /// The members of the object that `show --json` prints: all that came, null for what did not.
  func write(to json: inout JSONWriter) {
    func list<Element>(
      _ key: String, _ elements: [Element]?, _ write: (Element, inout JSONWriter) -> Void
    ) {
      json.key(key)
      guard let elements else { return json.null() }
      json.array { json in for element in elements { json.object { write(element, &$0) } } }
    }
    list("portraits", portraits) { portrait, json in
      json.member("name", portrait.name)
      json.member("detail", portrait.character)
      json.member("url", portrait.url)
    }
    list("gallery", gallery) { picture, json in
      json.member("subject", picture.subject.rawValue)
      json.member("url", picture.url)
      json.member("width", picture.width)
      json.member("height", picture.height)
      json.member("language", picture.language)
    }
    list("videos", videos) { video, json in
      json.member("name", video.name)
      json.member("type", video.type)
      json.member("site", video.site)
      json.member("url", video.url)
      json.member("published", video.published?.description)
    }
    for (key, movies) in [("similar", similar), ("recommended", recommended)] {
      list(key, movies) { movie, json in
        json.member("ref", movie.id.description)
        json.member("title", movie.record.title)
        json.member("year", movie.record.year)
        json.member("public_rating", movie.record.publicRating?.value)
      }
    }
  }
}
