internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog add …`: adds items from results, codes, words to search, lines of standard input, or typed fields.
struct AddCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Add items: search results, codes, photographs of barcodes, titles, or by hand.",
    discussion: """
      A reference (r1, itunes:track/1440857781) is fetched in full, its genres are mapped and its cover is stored in \
      the catalog. Words are searched for first: together they are one title, perhaps with its kind before and its year behind \
      it, and each argument in quotes that contains a blank is a title of its own. If nothing has all the words, and each of them alone is a title, each is \
      a title. A '-' reads one reference or code per line from standard input, and prints the result of each. Items \
      that are already there are named and left unchanged. A record or a book gets a copy, since you own it; 'config \
      copies.kinds' chooses the kinds. A photograph may have several barcodes in it, which the program zbarimg reads; \
      one that it reads only once is asked about.
      """,
    examples: [
      Example("catalog add r1", "Adds the first result of the last search to its shelf."),
      Example("catalog add --isbn 9788936434120", "Looks a book up by its ISBN."),
      Example("catalog add --photo shelf.jpg", "Every book and record whose barcode is in the picture."),
      Example("catalog add movie dune 1984", "By its title, kind and year."),
      Example("catalog add \"blade runner\" \"kind of blue\"", "Two titles, searched one after the other."),
      Example("catalog add book --title 토지 --creator 박경리 --year 1969 --genre \"Historical Fiction\"", "By hand."),
    ],
    arguments: [
      .words(
        \.typed, isRequired: false, value: "REF|TITLE", completion: "results",
        help: "References, titles, '-', or for an entry by hand the kind."),
      .option("isbn", \.isbns, value: "ISBN", help: "Look a book up by its ISBN; with --title, the ISBN of the entry."),
      .option(
        "barcode", \.barcodes, value: "CODE", help: "Look a record up by its barcode; with --title, that of the entry."),
      .option(
        "photo", \.photos, value: "FILE", completion: .files,
        help: "Look up the barcodes in a photograph; '-' is standard input."),
      .option(
        "as", \.shelf,
        help: "Shelve it as this kind: a music album as vinyl."),
      .option("source", short: "s", \.source, help: "Search for words in this source only."),
      .option("title", short: "t", \.title, help: "By hand: the title."),
      .option(
        "creator", short: "c", \.creators, value: "NAME",
        help: "By hand: director, author or artist; repeat for several."),
      .option("year", \.year, help: "By hand: the year it came out."),
      .option(
        "genre", short: "g", \.genres, completion: .dynamic("genres"),
        help: "A genre; repeat for several. Replaces the source's. Asks before it creates a new one."),
      .option("comment", \.comment, value: "WORDS", help: "Write a card with these words as well."),
      .option("stars", \.stars, value: "RATING", help: "Write a card with this rating as well: 4.5, 9/10, 87%."),
      .flag("favorite", \.isFavorite, help: "Make it a favorite as well."),
      .flag("copy", \.isOwned, sets: true, help: "You own it: write a copy, whatever its kind."),
      .flag("no-copy", \.isOwned, sets: false, help: "You do not own it: write no copy."),
      .flag("no-cover", \.skipsCover, help: "Do not fetch the cover."),
    ] + ResultOptions.arguments.lifted(\.result))

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var isbns: [ISBN] = []
  var barcodes: [Barcode] = []
  var photos: [String] = []
  var shelf: Shelf?
  var source: Source?
  var title: String?
  var creators: [String] = []
  var year: YearArgument?
  var genres: [String] = []
  var comment: String?
  var stars: Rating?
  var isFavorite = false
  var skipsCover = false
  var isOwned: Bool?
  var result = ResultOptions()
  var isAboutMany: Bool { readsLines }

  private var readsLines: Bool { typed.words == ["-"] }

  func validate() throws(UsageError) {
    guard title == nil else {
      guard photos.isEmpty else {
        throw UsageError("--photo adds what the barcodes in the picture are, and --title an entry by hand")
      }
      return _ = try recordByHand()
    }
    guard !readsLines || !photos.contains("-") else {
      throw UsageError("standard input has either a photograph or lines")
    }
    if let first = [creators.isEmpty ? nil : "--creator", year == nil ? nil : "--year"].compactMap({ $0 }).first {
      throw UsageError("\(first) describes an entry by hand, which needs --title")
    }
    guard !typed.isEmpty || !isbns.isEmpty || !barcodes.isEmpty || !photos.isEmpty else {
      throw UsageError("no item to add was named", hint: "for example: catalog search dune, then catalog add r1")
    }
  }

  func run(in context: Context) throws {
    let request = ItemAdder.Request(
      kind: shelf?.kind, source: source, genres: genres, skipsCover: skipsCover, isOwned: isOwned,
      hasMore: stars != nil || comment != nil || isFavorite)
    let store = try context.changing()
    try context.agree(toNewGenres: genres, in: store)
    var adder = ItemAdder(request, to: store, in: context) { store, id in
      let now = context.timestamp
      if stars != nil || comment != nil {
        let card = try store.addCard(to: id, rating: stars, comment: comment, now: now)
        context.changes?.note("card", card.id, of: id)
      }
      if isFavorite { try store.favorite(id, now: now) }
    }
    let outcome: ItemAdder.Outcome
    if title != nil {
      outcome = try adder.keep(byHand: recordByHand())
    } else {
      let codes = isbns.map { Code.isbn($0) } + barcodes.map { Code.barcode($0) }
      let named = readsLines ? [] : try context.parts(of: typed).map(AddRequest.init)
      let photographed = try photos.flatMap { try context.requests(inPhotograph: $0) }
      let things = codes.map(AddRequest.code) + photographed + named
      guard readsLines || !things.isEmpty else {
        context.warn("nothing was changed")
        throw SilentFailure(status: .failed)
      }
      outcome = try adder.add(things, thenLines: readsLines)
    }
    if let status = outcome.status { throw SilentFailure(status: status) }
  }

  /// The record of an entry by hand: the kind is the only word, the rest are options.
  private func recordByHand() throws(UsageError) -> Record {
    let kind: Kind
    switch (typed.words.count, shelf) {
    case (1, _): kind = try Kind(shelf: typed.words[0])
    case (0, let shelf?): kind = shelf.kind
    default:
      throw UsageError("an entry by hand starts with its kind", hint: "for example: catalog add book --title 토지")
    }
    var record = Record(kind: kind, title: title ?? "")
    record.year = year?.year
    record.credits = creators.map { Credit(name: $0, role: Credit.Role(main: kind)) }
    if !isbns.isEmpty, kind != .book { throw UsageError("only books have an ISBN") }
    if !barcodes.isEmpty, kind != .vinyl { throw UsageError("only records have a barcode here") }
    switch record.details {
    case .book(var book):
      book.isbn = isbns.first
      record.details = .book(book)
    case .vinyl(var vinyl):
      vinyl.barcode = barcodes.first?.digits
      record.details = .vinyl(vinyl)
    default: break
    }
    return record
  }
}
