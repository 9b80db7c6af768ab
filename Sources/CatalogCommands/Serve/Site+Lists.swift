internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import Web

extension Site {
  // MARK: What is kept apart

  /// All that has no place in the bar.
  func more(_ visit: Visit) throws -> HTMLPage {
    var page = page("More", visit)
    let store = try store()
    page.add(
      PageLinks(
        PageLink("Recent", "/recent"), PageLink("Favorites", "/favorites"), PageLink("Wishes", "/wishes"),
        PageLink("Lent", "/loans"), PageLink("Stats", "/stats"), PageLink("Genres", "/genres"),
        PageLink("History", "/history"), PageLink("Browsers", "/browsers")))
    let piles = try store.piles().map {
      PageLink(Message(verbatim: $0.name), "/pile" + Self.query(("name", $0.name)), count: $0.items)
    }
    let tags = try store.tags().map {
      PageLink(Message(verbatim: $0.name), Self.address(of: Query.term("tag", $0.name)), count: $0.items)
    }
    let saved = try store.savedQueries().names.map {
      PageLink(Message(verbatim: $0), Self.address(of: "@\"\($0)\""))
    }
    for (heading, links) in [("Piles" as Message, piles), ("Tags", tags), ("Saved queries", saved)]
    where !links.isEmpty { page.add(PageSection(heading, [PageLinks(heading, links)])) }
    return page
  }

  func favorites(_ visit: Visit) throws -> HTMLPage {
    let tiles = try tiles(of: store().favorites(), visit)
    var page = page("Favorites", subtitle: tiles.count.counted("item", "items"), visit)
    page.add(PageWall(tiles: tiles))
    return page
  }

  /// The items of a pile, in their order.
  func pile(_ visit: Visit) throws -> HTMLPage {
    let (store, name) = (try store(), visit.request.query["name"] ?? "")
    let pile = try store.pile(named: name)
    var page = page(Message(verbatim: pile.name), subtitle: pile.items.counted("item", "items"), visit)
    page.layout = .narrow
    let rows = try tiles(of: store.items(onPile: name), visit).map { tile in
      var row = PageList.Row(tile)
      let given: [PageForm.Field] = [.hidden("name", pile.name), .hidden("item", "\(tile.item)")]
      row.acts = [
        PageForm(
          "Take it off", to: "/pile/remove", given, label: "Take \(tile.face.title) off the pile")
      ]
      return row
    }
    page.add(PageList(rows, orElse: "Nothing is on it."))
    return page
  }

  func recents(_ visit: Visit) throws -> HTMLPage {
    var page = page("Recent", subtitle: "The last ten viewed", visit)
    page.layout = .narrow
    let store = try store()
    // Those that are not written yet come first.
    let newest = views.map(\.item).reversed()
    let recents = try store.recents().filter { view in !newest.contains { $0 == view.item } }
    let tiles = try tiles(of: newest + recents.compactMap(\.item), visit)
    let unwritten = newest.compactMap { item in tiles.first { $0.item == item }.map { PageList.Row($0) } }
    let rows =
      try unwritten
      + recents.prefix(max(0, 10 - unwritten.count)).map { recent -> PageList.Row in
        if let tile = tiles.first(where: { $0.item == recent.item }) { return PageList.Row(tile) }
        let record = try recent.record(in: store)
        let note = [record.kind.singular, Message(verbatim: Self.subtitle(record))].joined(separator: " · ")
        return PageList.Row(
          Message(verbatim: record.title), note: note,
          acts: recent.externalID.map { [Self.adding($0.description, record.kind, record.title)] } ?? [])
      }
    page.add(PageList(rows, orElse: "Nothing was viewed yet."))
    return page
  }

  func wishes(_ visit: Visit) throws -> HTMLPage {
    var page = page("Wishes", visit)
    page.layout = .narrow
    let (store, context) = (try store(), context(for: visit))
    let rows = try store.wishes().map { wish -> PageList.Row in
      let title = try wish.title(in: store)
      let shown = ["limit": wish.terms.limit?.description ?? "", "note": wish.terms.note ?? ""]
      let limit = wish.terms.limit.map { "up to \($0.text(in: context.moneyLanguage))" as Message }
      let fields: [PageForm.Field] = [
        .init("limit", "Up to, such as 30000 KRW", value: shown["limit"] ?? ""),
        .init("note", "Note", .words, value: shown["note"] ?? ""),
      ]
      var row: PageList.Row
      if case .item(let id) = wish.subject, let tile = try tiles(of: [id], visit).first {
        row = PageList.Row(tile)
      } else {
        row = PageList.Row(Message(verbatim: title))
      }
      let parts = [row.note, limit, wish.terms.note.map { Message(verbatim: $0) }].compactMap(\.self)
      row.note = parts.isEmpty ? nil : parts.joined(separator: " · ")
      row.acts = [
        PageForm(
          "Change the wish", to: "/wish/\(wish.id)/edit", fields + PageForm.Field.was(shown), summary: "Change…"),
        PageForm("Remove", to: "/wish/\(wish.id)/remove", label: "Remove the wish for \(title)"),
      ]
      return row
    }
    page.add(PageList(rows, orElse: "Nothing is wished for."))
    page.add(
      PageForm(
        "Wish", to: "/wish",
        [
          .init("what", "What", .words, isRequired: true), .init("limit", "Up to, such as 30000 KRW"),
          .init("note", "Note"),
        ], summary: "Wish for something in words"))
    return page
  }

  func loans(_ visit: Visit) throws -> HTMLPage {
    var page = page("Loans", visit)
    page.layout = .narrow
    let (store, today) = (try store(), try context.today())
    let rows = try store.loans().compactMap { loan -> PageList.Row? in
      guard let tile = try tiles(of: [loan.item], visit).first else { return nil }
      let due = loan.dueOn.map {
        loan.isOverdue(on: today) ? "overdue since \($0.words)" as Message : "due \($0.words)"
      }
      var row = PageList.Row(tile)
      row.note = [tile.note, Message(verbatim: loan.person), due].compactMap(\.self).joined(separator: " · ")
      row.acts = [
        PageForm("It is back", to: "/copy/\(loan.copy)/return", label: "\(tile.face.title) is back")
      ]
      return row
    }
    page.add(PageList(rows, orElse: "Nothing is lent."))
    return page
  }

  func pairedBrowsers(_ visit: Visit) throws -> HTMLPage {
    var page = page("Browsers", visit)
    page.layout = .narrow
    page.add(
      .paragraph(
        "These browsers may see and change this catalog. A new one needs a code: \(code: "catalog serve pair")"))
    func day(_ text: String) -> Message { PartialDate(text)?.words ?? Message(verbatim: text) }
    page.add(
      PageList(
        try browsers.all.map { browser in
          let here: [Message] = browser.digest == visit.browser.digest ? ["this browser"] : []
          let days: [Message] = ["paired on \(day(browser.pairedOn))", "last here on \(day(browser.seenOn))"]
          return PageList.Row(
            Message(verbatim: browser.name), note: (here + days).joined(separator: " · "),
            acts: [
              PageForm(
                "Unpair", to: "/browsers/forget", [.hidden("browser", browser.digest)],
                label: "Unpair \(browser.name)")
            ])
        }))
    return page
  }

  // MARK: History

  /// The last changes. The newest one that is not undone can be undone.
  func history(_ visit: Visit) throws -> HTMLPage {
    var page = page("History", visit)
    page.layout = .narrow
    let store = try store()
    let operations = try store.operations()
    let last = operations.first { $0.undoneAt == nil }?.id
    let rows = try store.changes(of: Array(operations.prefix(100))).map { operation, changes -> PageList.Row in
      let lines = OperationWords(changes: changes).lines
      let rest = lines.count - 6
      let shown = Array(lines.prefix(6)) + (rest > 0 ? ["and \(rest) more"] : [])
      var row = PageList.Row(shown.first ?? "nothing that is left")
      let when = Message(verbatim: context.localTime.minute(of: operation.at))
      let undone: [Message] = operation.undoneAt == nil ? [] : ["undone"]
      row.note = (shown.dropFirst() + [when] + undone).joined(separator: " · ")
      if operation.id == last {
        row.acts = [PageForm("Undo", to: "/history/undo", [.hidden("operation", "\(operation.id)")])]
      }
      return row
    }
    page.add(PageList(rows, orElse: "Nothing was changed yet."))
    return page
  }

  // MARK: The diary

  /// A month of the diary, or the entries of which only the year is known, or not even that.
  func diary(_ visit: Visit) throws -> HTMLPage {
    let (store, context) = (try store(), context(for: visit))
    let months = try store.diaryMonths()
    let asked = visit.request.query["month"].map { $0 == "none" ? "" : $0 } ?? months.first?.month ?? ""
    let date = PartialDate(asked)
    var page = page(date?.monthAndYear ?? (months.isEmpty ? "Diary" : "Without a date"), visit)
    guard let place = months.firstIndex(where: { $0.month == asked }) else {
      page.add(.paragraph("The diary is empty."))
      return page
    }
    page.subtitle = months[place].count.counted("entry", "entries")
    let events = try store.diary(Query(), in: date.map { Period($0) }).filter {
      date == nil ? $0.day == nil : date?.month != nil || $0.day?.month == nil
    }
    let tiles = try tiles(of: events.map(\.item).withoutRepeats { $0 }, visit)
    func tile(of event: DiaryEvent) -> Tile? { tiles.first { $0.item == event.item } }
    if let date, let calendar = PageCalendar(of: date, events.map { ($0.day, tile(of: $0)) }) { page.add(calendar) }
    var last: Int?
    page.add(
      PageList(
        events.map { event in
          var row = tile(of: event).map(PageList.Row.init) ?? PageList.Row(Message(verbatim: event.title))
          let what = context.text(event.what)
          let note = [tile(of: event)?.note, Message(verbatim: what), event.note.map { Message(verbatim: $0) }]
          row.note = note.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
          (row.stars, row.said) = (event.rating?.stars ?? "", event.comment)
          let day = event.day?.day
          row.day = (day == last ? "" : day.map { "\($0)" } ?? "", "")
          if let name = event.day.flatMap(PageCalendar.weekday), day != last { row.day?.name = name }
          last = day
          row.acts = [PageButton("Change…", "/item/\(event.item)#diary")]
          return row
        }))
    page.add(PageLinks("Months", Self.months(around: place, of: months)))
    return page
  }

  /// Links to the months before and after, and to the last one of each year.
  private static func months(around place: Int, of months: [(month: String, count: Int)]) -> [PageLink] {
    func link(_ month: (month: String, count: Int), _ words: Message? = nil, isCurrent: Bool = false) -> PageLink {
      let name = PartialDate(month.month)?.words ?? "Without a date"
      return PageLink(
        words ?? name, "/diary" + query(("month", month.month.isEmpty ? "none" : month.month)), count: month.count,
        isCurrent: isCurrent)
    }
    var links: [PageLink] = []
    if place + 1 < months.count {
      let name = PartialDate(months[place + 1].month)?.words ?? "Without a date"
      links.append(link(months[place + 1], "‹ \(name)"))
    }
    if place > 0 {
      let name = PartialDate(months[place - 1].month)?.words ?? "Without a date"
      links.append(link(months[place - 1], "\(name) ›"))
    }
    let years = months.withoutRepeats { $0.month.prefix(4) }
    return links + years.map { link($0, isCurrent: $0.month == months[place].month) }
  }
}

/// The days of a month, each with the covers of what was seen on it.
private struct PageCalendar: PagePart {
  let month: PartialDate
  private let number: Int
  let days: [Int: [Tile]]
  /// The number of days of the week before the first, from Monday.
  let before: Int

  /// Nil for a date that is no month, and for one without a known day.
  init?(of month: PartialDate, _ events: [(day: PartialDate?, tile: Tile?)]) {
    guard let number = month.month, let first = PartialDate(year: month.year, month: number, day: 1) else { return nil }
    var days: [Int: [Tile]] = [:]
    for event in events {
      guard let day = event.day?.day, let tile = event.tile else { continue }
      days[day, default: []].append(tile)
    }
    guard !days.isEmpty, let weekday = Self.number(of: first) else { return nil }
    (self.month, self.number, self.days, before) = (month, number, days, weekday)
  }

  private static let names: [Message] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// The day of the week, from 0 for Monday.
  private static func number(of date: PartialDate) -> Int? {
    guard let month = date.month, let day = date.day else { return nil }
    // 1970 began on a Thursday.
    return ((PartialDate.dayNumber(year: date.year, month: month, day: day) + 3) % 7 + 7) % 7
  }

  /// `Mon`
  static func weekday(of date: PartialDate) -> Message? { number(of: date).map { names[$0] } }

  func write(to page: inout Markup) {
    let length = (28...31).last { PartialDate(year: month.year, month: number, day: $0) != nil } ?? 28
    page.element("ol", [("class", "cal"), ("aria-label", month.words.text(in: page.translation))]) { page in
      for name in Self.names { page.element("li", [("class", "d"), ("aria-hidden", "true")], name) }
      for _ in 0..<before { page.element("li", [("class", "d"), ("aria-hidden", "true")], text: "") }
      for day in 1...length {
        page.element("li") { page in
          page.append("\(day)")
          guard let tiles = days[day] else { return }
          page.element("div") { page in
            for tile in tiles.prefix(4) {
              page.element(
                "a", [("class", tile.face.shape), ("href", tile.address), ("aria-label", tile.face.title)]
              ) { tile.face.write(to: &$0) }
            }
          }
        }
      }
    }
  }
}
