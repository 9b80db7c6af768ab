internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A finding of the genre report in plain words.
struct FindingSentence {
  var finding: GenreFinding
  /// The genre's name in the user's language; empty for a finding about all items.
  var genre: String
  /// The question of the report.
  var question = GenreQuestion()
  /// The first of the last 365 days.
  var yearAgo: PartialDate?
  /// The kinds of the report, and what dates them.
  var parts: [GenreReport.Part] = []

  /// The sentence, with the command that lists its items.
  var note: Footnote { Footnote(words, command: command) }

  var command: String { (["catalog list"] + terms.map(\.shellWord)).joined(separator: " ") }

  /// The query terms that select the items of the finding.
  var terms: [String] {
    let genre = finding.genre.map { ["genre:\($0)"] } ?? []
    let more =
      switch finding.claim {
      case .trend: yearAgo.map(self.since) ?? []
      case .quiet, .slow: [String]()
      case .new(let since, _, _): self.since(since)
      case .loved: ["-rating:none"]
      case .publicly: ["-rating:none", "-public_rating:none"]
      case .waiting: ["rating:none", "status:planned"]
      case .story(_, _, let items): ["id:" + items.map(\.description).joined(separator: ",")]
      }
    return genre + more + question.terms
  }

  var words: Message {
    switch finding.claim {
    case .trend(let now, let before):
      let (now, then) = (Self.percent(now), Self.percent(before))
      return isHigher
        ? "More \(genre): \(now) of the \(datedKinds) in the last year, \(then) before"
        : "Less \(genre): \(now) of the \(datedKinds) in the last year, \(then) before"
    case .slow(let now, let before):
      let (last, first) = (Self.percent(now), Self.percent(before))
      return isHigher
        ? "More and more \(genre): \(first) of the first third of the \(datedKinds), \(last) of the last"
        : "Less and less \(genre): \(first) of the first third of the \(datedKinds), \(last) of the last"
    case .quiet(let since, let items, _):
      return "No \(genre) among the \(datedKinds) since \(since.monthAndYear), \(items) before"
    case .new(let since, let items, _):
      return "New and stayed: \(genre), \(items) of the \(datedKinds) since \(since.monthAndYear)"
    case .loved(let mean, let others):
      let (rating, rest) = (Self.stars(mean), Self.stars(others))
      if isHigher, mean.value >= Double(GenreReport.lovedFrom) {
        return "You love \(genre): \(rating) stars over \(mean.items), other \(kinds) \(rest)"
      }
      return isHigher
        ? "You rate \(genre) higher: \(rating) stars over \(mean.items), other \(kinds) \(rest)"
        : "You rate \(genre) lower: \(rating) stars over \(mean.items), other \(kinds) \(rest)"
    case .publicly(let difference, nil):
      let (stars, items) = (Self.stars(difference), difference.items)
      return isHigher
        ? "You give \(stars) stars more than the public, over \(items) \(kinds)"
        : "You give \(stars) stars less than the public, over \(items) \(kinds)"
    case .publicly(let difference, let rest?):
      let (stars, others) = (Self.signed(difference), Self.signed(rest))
      return "You and the public differ on \(genre): \(stars) stars over \(difference.items), other \(kinds) \(others)"
    case .waiting(let part, let rest):
      return """
        \(genre) waits: \(Self.percent(part)) of \(part.whole) neither begun nor rated, of other \(kinds) \(Self.percent(rest))
        """
    case .story(let books, let films, _):
      let (stars, others) = (Self.stars(books), Self.stars(films))
      return isHigher
        ? "The book was better: \(stars) stars for \(books.items) books, \(others) for the films of their stories"
        : "The film was better: \(others) stars for \(books.items) films, \(stars) for the books of their stories"
    }
  }

  private var isHigher: Bool { finding.numbers.isHigher }

  /// The kinds that were compared: `movies`, `movies and books`.
  private var kinds: Message {
    let names = finding.kinds.map(\.plurals)
    guard let first = names.first else { return "items" }
    return names.dropFirst().reduce(first) { "\($0) and \($1)" }
  }

  /// The basis on which a kind is in the report.
  private func basis(_ kind: Kind) -> GenreReport.Part.Basis { parts.first { $0.kind == kind }?.basis ?? .added }

  /// The kinds that were compared, with what dates them: `movies you watched and records you added`.
  private var datedKinds: Message {
    let names = finding.kinds.map { kind -> Message in
      switch (basis(kind), kind) {
      case (.finished, .movie): "movies you watched"
      case (.finished, .book): "books you read"
      case (.finished, _): "records you played"
      case (.owned, _): "\(kind.plurals) you got"
      case (.rated, _): "\(kind.plurals) you rated"
      case (.added, _): "\(kind.plurals) you added"
      }
    }
    guard let first = names.first else { return "items" }
    return names.dropFirst().reduce(first) { "\($0) and \($1)" }
  }

  /// The terms for the items from a day on.
  private func since(_ day: PartialDate) -> [String] {
    let bases = Set(finding.kinds.map(basis))
    guard bases.count == 1, let basis = bases.first else { return [] }
    return switch basis {
    case .finished: ["seen:\(day).."]
    case .added: ["added:\(day).."]
    // The day of a rating and of the first copy are no fields.
    case .rated: ["-rating:none"]
    case .owned: ["copies:1.."]
    }
  }

  private static func percent(_ share: GenreFinding.Share) -> String { "\((share.value * 100).fixed(0)) %" }
  private static func stars(_ mean: GenreFinding.Mean) -> String { abs(mean.value).stars() }
  /// `+0.9`, `−0.2`, `0.0`.
  private static func signed(_ mean: GenreFinding.Mean) -> String {
    let stars = abs(mean.value).stars()
    return stars == "0.0" ? stars : (mean.value > 0 ? "+" : "−") + stars
  }
}

extension GenreFinding {
  /// The numbers of a claim, in the words of the JSON.
  struct Numbers {
    /// A share, a mean rating or a difference of ratings.
    var value: Double?
    /// The number of items behind `value`.
    var items: Int
    /// The value that `value` is compared with.
    var against: Double?
    var againstItems: Int?
    var since: PartialDate?

    var isHigher: Bool { (value ?? 0) > (against ?? 0) }
  }

  var numbers: Numbers {
    switch claim {
    case .trend(let a, let b), .slow(let a, let b), .waiting(let a, let b):
      Numbers(value: a.value, items: a.whole, against: b.value, againstItems: b.whole)
    case .loved(let a, let b), .story(let a, let b, _):
      Numbers(value: a.value, items: a.items, against: b.value, againstItems: b.items)
    case .publicly(let a, let b): Numbers(value: a.value, items: a.items, against: b?.value, againstItems: b?.items)
    case .quiet(let since, let items, let others), .new(let since, let items, let others):
      Numbers(items: items, againstItems: others, since: since)
    }
  }
}

extension GenreReport {
  /// Whether there are items enough to say more than how many there are.
  var hasEnoughItems: Bool { itemsWithGenre >= GenreFinding.leastItems }

  /// The message shown instead of findings.
  var tooFew: Message {
    """
    Come back with \(GenreFinding.leastItems) items with a genre, there are \(itemsWithGenre): what changes, what you love, \
    what goes together and how your taste moves is then more than chance.
    """
  }
}

extension GenreReport {
  /// A finding of the report in plain words.
  /// - Parameter name: of a genre, in the user's language.
  func sentence(of finding: GenreFinding, _ question: GenreQuestion, _ name: (String) -> String) -> FindingSentence {
    FindingSentence(
      finding: finding, genre: finding.genre.map(name) ?? "", question: question, yearAgo: yearAgo, parts: parts)
  }
}
