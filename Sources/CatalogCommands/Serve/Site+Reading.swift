internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Processes
internal import SQLite
internal import Web

extension Site {
  /// The number of items on one page of a listing.
  private static let pageSize = 50

  /// The page at a path.
  func read(_ visit: Visit) throws -> WebAnswer {
    let path = visit.request.path
    switch (path.first, path.count) {
    case (nil, _): return .now(response(try shelf(visit)))
    case ("item", 2): return .now(response(try item(number(path[1]), visit)))
    case ("item", 3) where path[2] == "edit": return .now(response(try editing(number(path[1]), visit)))
    case ("item", 3) where path[2] == "remove": return .now(response(try removing(number(path[1]), visit)))
    case ("cover", 2...3): return try cover(path, visit)
    case ("find", 1): return try find(visit)
    case ("recent", 1): return .now(response(try recents(visit)))
    case ("diary", 1): return .now(response(try diary(visit)))
    case ("wishes", 1): return .now(response(try wishes(visit)))
    case ("loans", 1): return .now(response(try loans(visit)))
    case ("genres", 1): return try genres(visit)
    case ("browsers", 1): return .now(response(try pairedBrowsers(visit)))
    default: throw WebResponse.refusing(.notFound)
    }
  }

  /// The number in a part of a path.
  func number(_ text: String) throws -> Int64 {
    guard let number = Int64(text), number > 0 else { throw WebResponse.refusing(.notFound) }
    return number
  }

  /// The context in the language of the visit.
  func context(for visit: Visit) -> Context {
    var context = context
    context.terminal.translation = visit.translation
    return context
  }

  // MARK: The shelf

  private static let orders: [HTMLPage.Form.Field.Choice] = [
    .init("", "Newest first"), .init("title", "Title"), .init("year", "Year"), .init("year-", "Year, newest first"),
    .init("rating-", "Best first"),
  ]

  private func shelf(_ visit: Visit) throws -> HTMLPage {
    let asked = visit.request.query
    let (words, kind, order) = (asked["q"] ?? "", asked["kind"] ?? "", asked["sort"] ?? "")
    let place = min(max(asked["page"].flatMap { Int($0) } ?? 1, 1), 1_000_000)
    var page = page("Shelf", at: "/", visit)
    page.add(
      .form(
        HTMLPage.Form(
          "Show", to: "/", changes: false,
          [
            .init("q", "Words, or a query such as genre:jazz year:1955..1965", .search, value: words),
            .init("kind", "Kind", .choice(Self.kindChoices), value: kind),
            .init("sort", "Order", .choice(Self.orders), value: order),
          ])))
    let store = try store()
    var query: Query
    do {
      query =
        words.allSatisfy(\.isWhitespace)
        ? Query() : try context.query(line: words, in: store)
    } catch let problem as Query.Problem {
      page.add(.told([Message(verbatim: Failure(problem).message.text(in: visit.translation).capitalizedFirst)]))
      return page
    }
    if let kind = Kind(rawValue: kind) { query.require(.kind(kind)) }
    var things = try things(
      query, order: ListingOrder(order).map { [$0] } ?? [], limit: Self.pageSize + 1,
      offset: (place - 1) * Self.pageSize, visit)
    let hasMore = things.count > Self.pageSize
    things = Array(things.prefix(Self.pageSize))
    guard !things.isEmpty else {
      page.add(.paragraph(query.isEverything ? "There is nothing here yet." : "Nothing here matches."))
      page.add(.links([HTMLPage.Link("Look it up in the sources", "/find" + Self.query(("q", words)))]))
      return page
    }
    page.add(.things(things))
    var links: [HTMLPage.Link] = []
    func link(_ words: Message, _ to: Int) -> HTMLPage.Link {
      .init(
        words, "/" + Self.query(("q", asked["q"]), ("kind", asked["kind"]), ("sort", asked["sort"]), ("page", "\(to)")))
    }
    if place > 1 { links.append(link("Previous page", place - 1)) }
    if hasMore { links.append(link("More", place + 1)) }
    if !links.isEmpty { page.add(.links(links)) }
    return page
  }

  static let kindChoices: [HTMLPage.Form.Field.Choice] =
    [.init("", "Everything")] + Kind.shelved.map { .init($0.rawValue, $0.plurals) }

  /// The query part of an address, with its question mark.
  static func query(_ fields: (String, String?)...) -> String {
    var form = WebForm()
    for (name, value) in fields { form.add(name, value) }
    return form.fields.isEmpty ? "" : "?\(form.text)"
  }

  private static let fields: [Field] = [.id, .title, .creator, .year, .genres, .rating]

  private func things(
    _ query: Query, order: [ListingOrder] = [], limit: Int? = nil, offset: Int = 0, _ visit: Visit
  ) throws -> [HTMLPage.Thing] {
    var things: [HTMLPage.Thing] = []
    var ids: [ItemID] = []
    try store().list(query, fields: Self.fields, order: order, limit: limit, offset: offset) { row in
      let note = (2...5).map { Self.fields[$0].shown(row, $0, in: visit.language, at: context.localTime) }.filter {
        !$0.isEmpty
      }
      let id = ItemID(rawValue: row.integer(0))
      ids.append(id)
      things.append(
        HTMLPage.Thing(
          Message(verbatim: row.text(1)), note: Message(verbatim: note.joined(separator: " · ")),
          address: "/item/\(id)"))
      return true
    }
    let covers = try covers(of: ids, .small)
    for (place, id) in ids.enumerated() { things[place].picture = covers[id] }
    return things
  }

  // MARK: One thing

  private func item(_ number: Int64, _ visit: Visit) throws -> HTMLPage {
    let (store, id) = (try store(), ItemID(rawValue: number))
    let context = context(for: visit)
    var detail = try store.read { try ItemDisplay(of: .item(id), in: store) }.detail
    (detail.moneyLanguage, detail.language, detail.isFull) = (context.moneyLanguage, visit.language, true)
    let record = detail.record
    var page = page(Message(verbatim: record.title), subtitle: Message(verbatim: Self.subtitle(record)), visit)
    if let cover = try covers(of: [id], .large)[id] { page.add(.picture(address: cover, label: record.title)) }
    page.add(.entries(detail.facts))
    if let summary = record.summary { page.add(.quote(summary)) }
    if !record.tracks.isEmpty {
      let columns: [Table.Column] = [
        .init("position", "Track", importance: 2), .init("title", "Title", importance: 3),
        .init("time", "Length", alignment: .right),
      ]
      let rows = record.tracks.map { track -> [Table.Cell] in
        [.init(track.position), .init(track.title), .init(track.seconds.map(PlayingTime.minutes))]
      }
      page.add(.table(Table(columns: columns, rows: rows), caption: "Tracks"))
    }
    page.add(.heading("Cards"))
    if detail.cards.isEmpty { page.add(.note("None yet.")) }
    for card in detail.cards { add(card, to: &page) }
    for form in Self.forms(of: detail) { page.add(.form(form)) }
    page.add(.links([.init("Edit", "/item/\(id)/edit"), .init("Remove", "/item/\(id)/remove")]))
    remember(visit, number)
    return page
  }

  static func subtitle(_ record: Record) -> String {
    let year = (record.year ?? record.released?.year).map { "\($0)" }
    let original = record.originalTitle.flatMap { $0 == record.title ? nil : $0 }
    return [original, record.creators.joined(separator: ", "), year].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: " · ")
  }

  private func add(_ card: Card, to page: inout HTMLPage) {
    let stars = card.rating.map { "\($0.stars)  " as Message }
    page.add(.note([stars, card.heading(at: context.localTime)].compactMap(\.self).joined()))
    if let comment = card.comment { page.add(.quote(comment)) }
    page.add(
      .form(
        HTMLPage.Form(
          "Change the card", to: "/card/\(card.id)/edit", summary: "Change the card",
          Self.cardFields(card) + [.hidden("item", "\(card.item)")])))
    page.add(
      .form(
        HTMLPage.Form(
          "Remove the card", to: "/card/\(card.id)/remove", summary: "Remove the card",
          Self.was(card.shown) + [.hidden("item", "\(card.item)")])))
  }

  private static let stars: [HTMLPage.Form.Field.Choice] =
    [.init("", "No stars")]
    + stride(from: 10, through: 1, by: -1).map { half in
      let value = half.isMultiple(of: 2) ? "\(half / 2)" : "\(half / 2).5"
      return .init(
        value, Message(verbatim: String(repeating: "★", count: half / 2) + (half.isMultiple(of: 2) ? "" : "½")))
    }

  /// The fields of a card's form. A rating that is no half star is a choice of its own, so that it is not changed by
  /// accident.
  private static func cardFields(_ card: Card?) -> [HTMLPage.Form.Field] {
    let shown = card?.shown ?? [:]
    let (rating, seen, comment) = (shown["stars"] ?? "", shown["seen"] ?? "", shown["words"] ?? "")
    // Stars can be changed, but not removed.
    var choices = rating.isEmpty ? stars : Array(stars.dropFirst())
    if !choices.contains(where: { $0.value == rating }) { choices.append(.init(rating, Message(verbatim: rating))) }
    let fields: [HTMLPage.Form.Field] = [
      .init("stars", "Stars", .choice(choices), value: rating),
      .init("seen", "Seen, read or heard on", card == nil ? .day : .line, value: seen),
      .init("words", "Words", .text, value: comment),
    ]
    return fields + was(shown)
  }

  /// The shown values: only fields that differ from them are changed, and only while the item or card still has them.
  private static func was(_ shown: [String: String]) -> [HTMLPage.Form.Field] {
    shown.sorted { $0.key < $1.key }.map { .hidden("was-\($0.key)", $0.value) }
  }

  private static func forms(of detail: Detail) -> [HTMLPage.Form] {
    guard let item = detail.item else { return [] }
    let (path, kind) = ("/item/\(item.id)", item.record.kind)
    let today: Message = kind == .book ? "Read" : kind == .movie ? "Watched" : "Played"
    let grades: [HTMLPage.Form.Field.Choice] =
      [.init("", "Not given")] + Grade.ordered.reversed().map { .init($0.rawValue, Message(verbatim: $0.rawValue)) }
    var copy: [HTMLPage.Form.Field] = [
      .init("place", "Place"), .init("price", "Price, such as 25000 KRW"), .init("from", "Where from"),
      .init("note", "Note"),
    ]
    if kind == .vinyl {
      copy = [.init("media", "Record", .choice(grades)), .init("sleeve", "Sleeve", .choice(grades))] + copy
    }
    let lending = detail.copies.map { copy in
      copy.holder == nil
        ? HTMLPage.Form(
          "Lend it", to: "/copy/\(copy.id)/lend", summary: "Lend copy \(copy.id)",
          [.init("person", "To whom"), .init("due", "Back on", .day), .hidden("item", "\(item.id)")])
        : HTMLPage.Form("Copy \(copy.id) is back", to: "/copy/\(copy.id)/return", [.hidden("item", "\(item.id)")])
    }
    return [
      HTMLPage.Form("Write the card", to: "\(path)/card", summary: "Write a card", cardFields(nil)),
      HTMLPage.Form(
        "Write it into the diary", to: "\(path)/log", summary: today,
        [
          .init("on", "Date; today if empty", .day), .init("stars", "Stars", .choice(stars)),
          .init("words", "Words", .text),
        ]),
      item.favoriteSince == nil
        ? HTMLPage.Form("Make it a favorite", to: "\(path)/favorite", [])
        : HTMLPage.Form("Remove from favorites", to: "\(path)/unfavorite", []),
      HTMLPage.Form("Keep the copy", to: "\(path)/copy", summary: "I own a copy", copy),
      HTMLPage.Form(
        "Wish", to: "\(path)/wish", summary: "I wish for it",
        [.init("limit", "Up to, such as 30000 KRW"), .init("note", "Note")]),
      coverForm(item.id),
    ] + lending
  }

  /// Records the item as viewed, unless the browser fetches the page in advance.
  private func remember(_ visit: Visit, _ number: Int64) {
    guard visit.request[header: "sec-purpose"] == nil else { return }
    views.removeAll { $0.item.rawValue == number }
    views.append((ItemID(rawValue: number), context.timestamp))
    writeViews()
  }

  private func editing(_ number: Int64, _ visit: Visit) throws -> HTMLPage {
    let item = try store().item(ItemID(rawValue: number))
    var page = page("Edit", subtitle: Message(verbatim: item.record.headline), visit)
    page.add(.note("Separate several values with '; '. Fields that you do not change stay as they are."))
    let draft = Draft(item)
    let fields = Field.editable(of: item.record.kind).flatMap { field -> [HTMLPage.Form.Field] in
      let value = field.text(of: draft)
      let isText = ["description", "note"].contains(field.key)
      return [
        .init(field.word, Message(words: field.heading), isText ? .text : .words, value: value),
        .hidden("was-\(field.word)", value),
      ]
    }
    page.add(.form(HTMLPage.Form("Change it", to: "/item/\(number)/edit", fields)))
    page.add(.links([.init("Back to the item", "/item/\(number)")]))
    return page
  }

  private func removing(_ number: Int64, _ visit: Visit) throws -> HTMLPage {
    let item = try store().item(ItemID(rawValue: number))
    var page = page("Remove", subtitle: Message(verbatim: item.record.headline), visit)
    page.add(.paragraph("Its cards, copies and diary are removed with it. The last change can be undone."))
    page.add(.form(HTMLPage.Form("Remove it", to: "/item/\(number)/remove", [])))
    page.add(.links([.init("Back to the item", "/item/\(number)")]))
    return page
  }

  // MARK: Lists

  private func recents(_ visit: Visit) throws -> HTMLPage {
    var page = page("Recent", subtitle: "The last ten viewed", at: "/recent", visit)
    let store = try store()
    let things = try store.recents().map { recent in
      let record = try recent.record(in: store)
      return HTMLPage.Thing(
        Message(verbatim: record.title), note: Message(verbatim: Self.subtitle(record)),
        address: recent.item.map { "/item/\($0)" },
        form: recent.item == nil ? recent.externalID.map { Self.adding($0.description, record.kind) } : nil)
    }
    page.add(things.isEmpty ? .part(.paragraph("Nothing was viewed yet.")) : .things(things))
    return page
  }

  private func diary(_ visit: Visit) throws -> HTMLPage {
    var page = page("Diary", subtitle: "The last hundred", at: "/diary", visit)
    let events = try store().diary(Query(), in: nil, limit: 100)
    guard !events.isEmpty else {
      page.add(.paragraph("The diary is empty."))
      return page
    }
    let context = context(for: visit)
    page.add(
      .things(
        events.map { event in
          let parts = [
            event.day.map { context.text($0.words) }, event.rating?.stars, context.text(event.what), event.note,
          ]
          return HTMLPage.Thing(
            Message(verbatim: event.title),
            note: Message(verbatim: parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")),
            address: "/item/\(event.item)")
        }))
    return page
  }

  private func wishes(_ visit: Visit) throws -> HTMLPage {
    var page = page("Wishes", at: "/wishes", visit)
    let (store, context) = (try store(), context(for: visit))
    let things = try store.wishes().map { wish in
      var address: String?
      if case .item(let id) = wish.subject { address = "/item/\(id)" }
      let limit = wish.terms.limit.map { "up to \($0.text(in: context.moneyLanguage))" as Message }
      let parts = [limit, wish.terms.note.map { Message(verbatim: $0) }].compactMap(\.self)
      return HTMLPage.Thing(
        Message(verbatim: try wish.title(in: store)), note: parts.isEmpty ? nil : parts.joined(separator: " · "),
        address: address, form: HTMLPage.Form("Remove the wish", to: "/wish/\(wish.id)/remove", []))
    }
    page.add(things.isEmpty ? .part(.paragraph("Nothing is wished for.")) : .things(things))
    page.add(
      .form(
        HTMLPage.Form(
          "Wish", to: "/wish", summary: "Wish for something in words",
          [.init("what", "What", .words), .init("limit", "Up to, such as 30000 KRW"), .init("note", "Note")])))
    return page
  }

  private func loans(_ visit: Visit) throws -> HTMLPage {
    var page = page("Loans", at: "/loans", visit)
    let (store, today) = (try store(), try context.today())
    let things = try store.loans().map { loan in
      let due = loan.dueOn.map {
        loan.isOverdue(on: today) ? "overdue since \($0.words)" as Message : "due \($0.words)"
      }
      return HTMLPage.Thing(
        Message(verbatim: try store.item(loan.item).record.headline),
        note: [Message(verbatim: loan.person), due].compactMap(\.self).joined(separator: " · "),
        address: "/item/\(loan.item)", form: HTMLPage.Form("It is back", to: "/copy/\(loan.copy)/return", []))
    }
    page.add(things.isEmpty ? .part(.paragraph("Nothing is lent.")) : .things(things))
    return page
  }

  /// The page of genres. For a large catalog it takes long, so it is made in a thread with a connection of its own.
  private func genres(_ visit: Visit) throws -> WebAnswer {
    guard let catalog = context.places.catalog else { throw WebResponse.refusing(.notFound) }
    let (now, localTime, translation) = (context.now(), context.localTime, visit.translation)
    let work = try BackgroundWork {
      let store = try Store.open(at: catalog, for: .reading)
      store.localTime = localTime
      store.db.interrupt { Interrupt.isRequested }
      let report = try store.genreReport(Query(), now: now)
      let matrices = try store.genreMatrices()
      return GenreView(
        report: report, matrices: matrices, top: GenresCommand.usualTop,
        question: GenreQuestion(parts: report.parts), day: localTime.day(of: Timestamp(now)), extent: .whole,
        terminal: Terminal(in: translation)
      ).make()
    }
    return .after(work) { [self] result in
      do {
        let made = try result.get()
        var page = page(made.title, subtitle: made.subtitle, at: "/genres", visit)
        page.blocks += made.blocks.map(HTMLPage.Block.part)
        return response(page)
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  private func pairedBrowsers(_ visit: Visit) throws -> HTMLPage {
    var page = page("Browsers", at: "/browsers", visit)
    page.add(
      .paragraph(
        "These browsers may see and change this catalog. A new one needs a code: \(code: "catalog serve pair")"))
    page.add(
      .things(
        try browsers.all.map { browser in
          HTMLPage.Thing(
            Message(verbatim: browser.name), note: "paired on \(browser.pairedOn), last here on \(browser.seenOn)",
            form: HTMLPage.Form("Unpair", to: "/browsers/forget", [.hidden("browser", browser.digest)]))
        }))
    return page
  }

  // MARK: Sources

  private func find(_ visit: Visit) throws -> WebAnswer {
    let asked = visit.request.query
    let (words, kind) = (asked["q"] ?? "", asked["kind"] ?? "")
    var page = page("Find", subtitle: "Results from the sources: choose what to keep", at: "/find", visit)
    page.add(
      .form(
        HTMLPage.Form(
          "Search", to: "/find", changes: false,
          [
            .init("q", "Words, an ISBN or a barcode", .search, value: words),
            .init("kind", "Kind", .choice(Self.kindChoices), value: kind),
          ])))
    page.add(
      .form(
        HTMLPage.Form(
          "Keep it", to: "/add", summary: "Enter it by hand",
          [
            .init("kind", "Kind", .choice(Array(Self.kindChoices.dropFirst())), value: "movie"),
            .init("title", "Title", .words),
            .init("creator", "By", .words), .init("year", "Year"), .init("genre", "Genre"),
          ])))
    page.add(.form(Self.photograph))
    guard !words.allSatisfy(\.isWhitespace) else { return .now(response(page)) }
    if words.allSatisfy({ $0.isNumber || $0 == "-" || $0 == " " || $0 == "X" }), words.count >= 8 {
      page.add(.things([HTMLPage.Thing(Message(verbatim: words), form: Self.adding(words, nil))]))
      return .now(response(page))
    }
    let search = try BackgroundWork { [makeContext, globals = try servedGlobals, language = visit.language] in
      try FoundPage(of: words, Kind(rawValue: kind)) { makeContext(globals, language, $0) }
    }
    return .after(search) { [self] result in
      do {
        return response(Self.filled(page, with: try result.get()))
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  /// The page with the results of a search.
  private static func filled(_ page: HTMLPage, with found: FoundPage) -> HTMLPage {
    var page = page
    page.add(
      .things(
        found.results.map { result in
          HTMLPage.Thing(
            Message(verbatim: result.title),
            note: result.item == nil
              ? Message(verbatim: result.note) : "\(Message(verbatim: result.note)) · on your shelf",
            address: result.item.map { "/item/\($0)" },
            form: result.item == nil ? adding(result.id.description, result.kind) : nil)
        }))
    // Warnings are shown beside the results.
    if !found.warnings.isEmpty { page.add(.told(found.warnings.map { Message(verbatim: $0) })) }
    return page
  }

  static func adding(_ reference: String, _ kind: Kind?) -> HTMLPage.Form {
    var fields: [HTMLPage.Form.Field] = [.hidden("what", reference)]
    // An album is added as a vinyl record.
    if kind == .music { fields.append(.hidden("as", Kind.vinyl.rawValue)) }
    return HTMLPage.Form("Keep it", to: "/add", fields)
  }
}
