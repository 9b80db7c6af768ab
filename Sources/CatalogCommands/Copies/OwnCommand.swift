internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog own WORDS|CODE|CATNO|-`: tells in a shop whether a person owns an item. No source is asked; what a code of
/// something else belongs to is looked up in the copies on this computer.
struct OwnCommand: Command {
  static let info = CommandInfo<Self>(
    "own", aliases: ["have"],
    summary: "Check whether you own an item: which pressing, what grade, who has borrowed it.",
    discussion: """
      Made for the shop: it needs no network. Give a title, perhaps with its kind, creator or year; a barcode or ISBN, \
      which may lack a digit at either end; a catalog number, with or without its blanks; or the number of an item, a \
      copy or a result. What only resembles the words is listed as similar, and decides nothing: words of a title or a \
      name, or initial consonants. Items that you know but do not own, and wishes, are shown too. What has a code or \
      catalog number that is not yours is named by the copies of sources on this computer, if there are any: 'catalog \
      help source build'. A '-' reads one of these per line from standard input, and prints an answer for each. The \
      exit status is 1 when you do not own it, or one of them.
      """,
    examples: [
      Example("catalog own kind of blue", "By its title."), Example("catalog own CL1355", "By its catalog number."),
      Example("catalog own 74646493526", "By its barcode, without the first digit, which was not readable."),
      Example("catalog own 소년이 온다 || echo buy it", "In a script."),
      Example("cat seen-in-the-shop.txt | catalog own -", "A list, or a scanner: one answer a line."),
    ],
    arguments: [
      .words(\.typed, value: "WORDS", help: "A title, a code, a catalog number, another reference, or '-'.")
    ] + TableOptions.arguments.lifted(\.table))

  var typed = TypedReferences()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    if typed.words == ["-"] { return try answerLines(in: store, context) }
    let answer = try Answer(to: typed, in: store, context)
    if table.format(on: context.terminal) == .fitted {
      try show(answer, in: store, context)
    } else {
      try HoldingTable.of(answer.lines).write(table, to: context.output, terminal: context.terminal)
      if answer.meant.isEmpty, answer.wishes.isEmpty { context.warn("you do not own \(answer.words.quoted)") }
    }
    if !answer.isOwned { throw SilentFailure(status: .failed) }
  }

  private func show(_ answer: Answer, in store: Store, _ context: Context) throws {
    for holding in answer.holdings where !holding.isSimilar { try show(holding, in: context) }
    for wish in answer.wishes { try show(wish, in: store, context) }
    if answer.meant.isEmpty, answer.wishes.isEmpty, answer.others.isEmpty { try context.print("no") }
    let like = answer.holdings.filter(\.isSimilar)
    if !like.isEmpty {
      try context.print("similar:")
      for holding in like { try show(holding, in: context) }
    }
    if let first = answer.others.first {
      try show(answer.others, in: context)
      let name = context.results.save(answer.others) ? "r1" : first.id.description
      context.hint("add it or wish for it: catalog add \(name), catalog wish \(name)")
    }
    if answer.hasMore { context.hint("there are more results: give more words") }
  }

  /// Answers each line of standard input by one line, at once: it may be typed, or read by a scanner.
  private func answerLines(in store: Store, _ context: Context) throws {
    let isFitted = table.format(on: context.terminal) == .fitted
    var (lines, rows): (TypedLines, [HoldingTable.Line]) = (TypedLines(readLine: context.readLine), [])
    var (count, isAllOwned) = (0, true)
    while let line = try lines.next() {
      try Interrupt.check()
      count += 1
      if let problem = line.problem {
        isAllOwned = false
        context.warn("line \(line.number), \(line.shown): \(problem.message)")
        if let hint = problem.hint { context.hint(hint) }
        continue
      }
      let answer = try Answer(to: TypedReferences(words: [line.name]), in: store, context)
      if !answer.isOwned { isAllOwned = false }
      if isFitted {
        try show(answer, asked: line, in: store, context)
        try context.output.flush()
      } else {
        var row = answer.lines.first ?? HoldingTable.Line()
        row.asked = line
        rows.append(row)
      }
    }
    guard count > 0 else { throw Failure("standard input is empty") }
    if !isFitted { try HoldingTable.of(rows).write(table, to: context.output, terminal: context.terminal) }
    if !isAllOwned { throw SilentFailure(status: .failed) }
  }

  /// Prints the answer to a line: the words asked, and what they name or resemble most.
  private func show(_ answer: Answer, asked line: TypedLine, in store: Store, _ context: Context) throws {
    let start = context.styled(
      verbatim: context.text(answer.isOwned ? "yes" : "no").padded(to: answerWidth(in: context)),
      answer.isOwned ? .green : .red)
    let holding = answer.holdings.first
    var parts: [String] = []
    if let holding, !holding.isSimilar {
      parts = [context.text(holding.item.line)] + (holding.isOwned ? [] : [context.text("known, not owned")])
      parts += holding.copies.map { "\($0.id)  \(context.text(context.line(of: $0)))" }
    } else if let wish = answer.wishes.first {
      parts = ["\(try wish.title(in: store)): \(context.text(wish.terms.line(money: context.moneyLanguage)))"]
    } else if let other = answer.others.first {
      parts = [other.record.headline]
    } else if let holding {
      parts = ["\(context.text("similar:")) \(context.text(holding.item.line))"]
    }
    let words = parts.isEmpty ? line.text : "\(line.text): \(parts.joined(separator: "; "))"
    try context.print(verbatim: start + context.safe(words))
  }

  private func show(_ holding: Holding, in context: Context) throws {
    let answer = context.text(holding.isOwned ? "yes" : "no")
    let width = answerWidth(in: context)
    let stars = holding.item.rating.map { "  " + context.styled(verbatim: $0.stars, .yellow) } ?? ""
    try context.print(
      verbatim: context.styled(verbatim: answer.padded(to: width), holding.isOwned ? .green : .red)
        + context.styled(verbatim: context.safe(holding.item.line), .bold) + stars)
    func line(_ text: String) throws {
      try context.print(verbatim: String(repeating: " ", count: width) + context.safe(text))
    }
    if let pressing = holding.pressing { try line(pressing) }
    for copy in holding.copies { try line("\(copy.id)  \(context.text(context.line(of: copy)))") }
    if !holding.isOwned { try line(context.text("known, not owned")) }
    if let wish = holding.wish { try line(context.text(wish.terms.line(money: context.moneyLanguage))) }
  }

  /// Prints what a code belongs to that is not on the shelf.
  private func show(_ others: [Candidate], in context: Context) throws {
    for (place, other) in others.enumerated() {
      let (record, width) = (other.record, answerWidth(in: context))
      let answer = place == 0 ? context.text("no") : ""
      try context.print(
        verbatim: context.styled(verbatim: answer.padded(to: width), .red)
          + context.styled(verbatim: context.safe(record.headline), .bold))
      let blank = String(repeating: " ", count: width)
      if let pressing = record.pressingLine { try context.print(verbatim: blank + context.safe(pressing)) }
      let name = Source.offered(other.id.source)?.name ?? other.id.source
      try context.print(verbatim: blank + context.text("not yours; from the copy of \(name) on this computer"))
    }
  }

  /// The width of the answers at the start of a line.
  private func answerWidth(in context: Context) -> Int {
    max(context.text("yes").cellWidth, context.text("no").cellWidth) + 2
  }

  private func show(_ wish: Wish, in store: Store, _ context: Context) throws {
    let width = answerWidth(in: context)
    let answer = context.styled(verbatim: context.text("no").padded(to: width), .red)
    let line = context.text(wish.terms.line(money: context.moneyLanguage))
    try context.print(verbatim: answer + context.safe("\(try wish.title(in: store)): \(line)"))
  }
}

/// The items and wishes that words name or resemble.
private struct Answer {
  let typed: TypedReferences
  let words: String
  /// The items that the words name.
  private(set) var meant: [ItemID] = []
  /// These items and those that only resemble the words, the nearest first.
  private(set) var holdings: [Holding] = []
  private(set) var wishes: [Wish] = []
  /// The candidates of a code that is not on the shelf, from the copies of sources.
  private(set) var others: [Candidate] = []
  /// Whether there are more items than ``holdings`` has.
  private(set) var hasMore = false

  /// The most items that are listed.
  private static let most = 10

  init(to typed: TypedReferences, in store: Store, _ context: Context) throws {
    (self.typed, words) = (typed, typed.together)
    try store.read {
      meant = try items(in: store, context)
      let similar = try similar(in: store, context)
      let found = (meant + similar).withoutRepeats(by: \.self)
      hasMore = found.count > Self.most
      holdings = try found.prefix(Self.most).map { try Holding($0, in: store, isSimilar: !meant.contains($0)) }
        .sorted { ($0.isSimilar ? 1 : 0, $0.isOwned ? 0 : 1) < ($1.isSimilar ? 1 : 0, $1.isOwned ? 0 : 1) }
      wishes = try store.openWishes(matching: words)
    }
    if holdings.isEmpty, wishes.isEmpty { others = try context.copiedCandidates(ofTypedCode: words) }
  }

  var isOwned: Bool { holdings.contains { $0.isOwned && !$0.isSimilar } }

  /// The rows for programs, the decisive one first.
  var lines: [HoldingTable.Line] {
    let held = holdings.flatMap { holding in
      let copies = holding.isOwned ? holding.copies.map(Optional.some) : [nil]
      return copies.map { HoldingTable.Line(holding: holding, copy: $0, wish: holding.wish) }
    }
    let known = held.prefix { $0.holding?.isSimilar == false }
    return known + wishes.map { HoldingTable.Line(wish: $0) } + others.map { HoldingTable.Line(other: $0) }
      + held.dropFirst(known.count)
  }

  /// The items that the words name: by a code, a catalog number, another reference or the title.
  private func items(in store: Store, _ context: Context) throws -> [ItemID] {
    let coded = try store.itemIDs(nearCode: words) + store.itemIDs(ofCatalogNumber: words)
    if !coded.isEmpty, Int64(words) == nil || words.utf8.count > 6 { return coded.withoutRepeats(by: \.self) }
    guard let reference = try? Reference(typed) else { return coded }
    switch reference {
    case .isbn, .barcode: return coded
    case .result, .recent, .external, .page:
      switch try context.target(reference, for: .reading, in: store) {
      case .item(let id): return [id]
      case .candidate(let candidate):
        switch try store.likeness(of: candidate) {
        case .same(let id), .edition(let id): return [id]
        case .perhaps, nil: return []
        }
      }
    case .copy, .wish: return [try context.item(reference, for: .reading, in: store)]
    case .item, .words:
      let named = try context.named(typed.words, in: store).compactMap {
        if case .item(let id) = $0 { id } else { nil }
      }
      guard named.isEmpty, coded.isEmpty, words.allSatisfy(\.isNumber) else {
        return (named + coded).withoutRepeats(by: \.self)
      }
      // The number in a catalog number: 1355 of CL 1355.
      return try store.search(words, limit: Self.most).filter { id in
        try store.item(id).record.vinyl.catalogNumber?.split { !$0.isNumber }.contains { $0 == words } == true
      }
    }
  }

  /// The items that have the words in a title, a name or a code; if none has them and none is named, those that are
  /// spelled nearly so. None for references.
  private func similar(in store: Store, _ context: Context) throws -> [ItemID] {
    guard (try? Reference(typed))?.isWords != false else { return [] }
    let found = try store.search(words, limit: Self.most + 1)
    return found.isEmpty && meant.isEmpty ? Array(try context.itemsAlike(words, in: store).prefix(3)) : found
  }
}

/// The copies and the wish of one item.
private struct Holding {
  var item: Item
  var copies: [Copy]
  var wish: Wish?
  /// Whether it only resembles what was asked for.
  var isSimilar: Bool

  init(_ id: ItemID, in store: Store, isSimilar: Bool) throws {
    self.isSimilar = isSimilar
    (item, copies, wish) = (try store.item(id), try store.copies(of: id), try store.openWish(for: .item(id)))
  }

  var isOwned: Bool { !copies.isEmpty }

  var pressing: String? { item.record.pressingLine }
}

extension Record {
  /// The countries of a movie, or the one of a record.
  fileprivate var countries: [String] { vinyl.country.map { [$0] } ?? movie.countries }

  /// The pressing: `Columbia, CL 1355, US`; for a book its publisher and ISBN. Nil when nothing of it is known.
  fileprivate var pressingLine: String? {
    let parts: [String?] =
      switch details {
      case .vinyl(let vinyl): recordLabels + [vinyl.catalogNumber, vinyl.country, vinyl.format]
      case .book(let book): [book.publisher, book.isbn?.digits13]
      default: []
      }
    let known = parts.compactMap(\.self)
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}

extension Wish.Terms {
  /// `wished for, at most ₩30,000: the mono one`.
  fileprivate func line(money language: String) -> Message {
    let wish: Message = limit.map { "wished for, at most \($0.text(in: language))" } ?? "wished for"
    return note.map { "\(wish): \($0)" } ?? wish
  }
}

/// The result for programs: a row for each copy, each item without copies, each wish without an item, and what
/// else has the code.
private enum HoldingTable {
  struct Line {
    var holding: Holding?
    var copy: Copy?
    var wish: Wish?
    /// A result from a copy on this computer.
    var other: Candidate?
    /// The asking line of standard input.
    var asked: TypedLine?

    var record: Record? { holding?.item.record ?? other?.record }
    /// The title and the kind of a wish by words.
    var words: (title: String, kind: Kind?)? {
      guard case .words(let title, let kind)? = wish?.subject else { return nil }
      return (title, kind)
    }
  }

  static func of(_ lines: [Line]) throws -> Table {
    try Table(
      lines,
      [
        .init("owned") { $0.copy != nil }, .init("item", \.holding?.item.id),
        .init("kind") { $0.record?.kind ?? $0.words?.kind },
        .init("title") { $0.record?.title ?? $0.words?.title },
        .init("creators") { $0.record?.creators ?? [] },
        .init("year") { $0.record.flatMap { $0.year ?? $0.released?.year } },
        .init("labels") { $0.record?.recordLabels ?? [] },
        .init("catalog_number", \.record?.vinyl.catalogNumber), .init("countries") { $0.record?.countries ?? [] },
        .init("copy", \.copy?.id), .init("copy_format", \.copy?.facts.format),
        .init("media_grade", \.copy?.facts.media), .init("sleeve_grade", \.copy?.facts.sleeve),
        .init("place", \.copy?.facts.place), .init("price", \.copy?.facts.price),
        .init("borrower", \.copy?.holder?.person), .init("due_on", \.copy?.holder?.due),
        .init("rating", \.holding?.item.rating?.value), .init("wished") { $0.wish != nil },
        .init("price_limit", \.wish?.terms.limit), .init("reference", \.other?.id),
        .init("line", \.asked?.number), .init("text", \.asked?.text),
        .init("similar") { $0.holding?.isSimilar ?? false },
      ])
  }
}
