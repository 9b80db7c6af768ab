internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Web

extension Site {
  /// The page of an item.
  func item(_ visit: Visit) throws -> HTMLPage {
    let (store, context) = (try store(), context(for: visit))
    var detail = try store.read { try ItemDisplay(of: .item(visit.id), in: store) }.detail
    (detail.moneyLanguage, detail.language, detail.isFull) = (context.moneyLanguage, visit.language, true)
    var page = page(Message(verbatim: detail.record.title), visit)
    page.layout = .own
    page.add(
      try ItemLayout(
        detail, cover: covers(of: [visit.id], .large)[visit.id], parts: sections(of: detail, context),
        in: visit.language))
    page.parts += try rails(beside: detail, visit)
    page.add(also(detail))
    remember(visit)
    return page
  }

  /// Records the item as viewed, unless the browser fetches the page in advance.
  private func remember(_ visit: Visit) {
    guard visit.request[header: "sec-purpose"] == nil else { return }
    views.removeAll { $0.item == visit.id }
    views.append((visit.id, context.timestamp))
    writeViews()
  }

  private func sections(of detail: Detail, _ context: Context) throws -> [any PagePart] {
    guard let item = detail.item else { return [] }
    let record = detail.record
    let hidden: Set = [
      "creator", "genres", "year", "rating", "favorite_since", "tags", "has_cover", "copies", "seen", "added_at",
      "external_ids",
    ]
    let facts = detail.facts(without: hidden)
    var parts: [any PagePart] = [
      PageBox(.act, acts(detail)), Report.Block.entries(facts), cards(detail, context), diary(detail, context),
      copies(detail, item),
    ]
    if let summary = record.summary { parts.append(PageSection("Description", [PageQuote(words: summary)])) }
    if !record.tracks.isEmpty { parts.append(PageSection("Tracks", [Self.tracks(record)])) }
    return parts
  }

  private func acts(_ detail: Detail) -> [any PagePart] {
    guard let item = detail.item else { return [] }
    let today: Message =
      switch item.record.kind {
      case .movie: "Watched today"
      case .book: "Read today"
      default: "Played today"
      }
    let back = detail.copies.compactMap { copy in
      copy.holder.map { holder in
        PageForm("\(holder.person) has brought it back", to: "/copy/\(copy.id)/return", [.hidden("item", "\(item.id)")])
      }
    }
    var acts: [any PagePart] =
      [PageForm(today, to: "/item/\(item.id)/log", isMain: true), PageButton("Write a card", "#card")] + back
    if detail.copies.contains(where: { $0.holder == nil }) { acts.append(PageButton("Lend", "#copies")) }
    return acts + [PageButton("Edit", "/item/\(item.id)/edit"), PageButton("More…", "#more")]
  }

  // MARK: Cards and diary

  private func cards(_ detail: Detail, _ context: Context) -> PageSection {
    guard let item = detail.item else { return PageSection(nil, []) }
    let new = PageForm("Keep this card", to: "/item/\(item.id)/card", Self.cardFields(nil))
    return PageSection(
      "Cards", name: "card",
      [PageBox(.card, [new])]
        + detail.cards.map { card in
          let given: [PageForm.Field] = [.hidden("item", "\(card.item)")]
          var parts: [any PagePart] = [
            PageLine(stars: card.rating?.stars ?? "", words: card.heading(at: context.localTime))
          ]
          if let comment = card.comment { parts.append(PageQuote(words: comment)) }
          parts.append(
            PageForm(
              "Change the card", to: "/card/\(card.id)/edit", Self.cardFields(card) + given, summary: "Change…"))
          parts.append(
            PageForm(
              "Remove the card", to: "/card/\(card.id)/remove", PageForm.Field.was(card.shown) + given,
              summary: "Remove"))
          return PageBox(.card, parts)
        })
  }

  static let stars: [PageForm.Field.Choice] =
    [.init("", "No stars")]
    + stride(from: 10, through: 1, by: -1).map { half in
      let value = half.isMultiple(of: 2) ? "\(half / 2)" : "\(half / 2).5"
      return .init(
        value, Message(verbatim: String(repeating: "★", count: half / 2) + (half.isMultiple(of: 2) ? "" : "½")))
    }

  /// The field of stars. A rating that is no half star is a choice of its own, so that it is not changed by accident.
  /// Stars can be changed, but not removed.
  private static func starField(_ rating: String) -> PageForm.Field {
    var choices = rating.isEmpty ? stars : Array(stars.dropFirst())
    if !choices.contains(where: { $0.value == rating }) { choices.append(.init(rating, Message(verbatim: rating))) }
    return .init("stars", "Stars", .choice(choices), value: rating)
  }

  private static func cardFields(_ card: Card?) -> [PageForm.Field] {
    let shown = card?.shown ?? [:]
    return [
      .init("words", "Words", .text, value: shown["words"] ?? ""), starField(shown["stars"] ?? ""),
      .init("seen", "Seen, read or heard on", card == nil ? .day : .line, value: shown["seen"] ?? ""),
    ] + PageForm.Field.was(shown)
  }

  private func diary(_ detail: Detail, _ context: Context) -> PageSection {
    guard let item = detail.item else { return PageSection(nil, []) }
    let log = PageForm(
      "Write it into the diary", to: "/item/\(item.id)/log",
      [
        .init("on", "Date; today if empty", .day), .init("stars", "Stars", .choice(Self.stars)),
        .init("words", "Words", .text),
      ], summary: "Another day")
    return PageSection(
      "Diary", name: "diary",
      detail.diary.map { event in
        let parts = [event.day?.words, event.what, event.note.map { Message(verbatim: $0) }].compactMap(\.self)
        let line = PageLine(stars: event.rating?.stars ?? "", words: parts.joined(separator: " · "))
        return PageBox(.card, [line] + Self.forms(of: event))
      } + [log])
  }

  /// The forms that change and remove an entry of the diary.
  static func forms(of event: DiaryEvent) -> [any PagePart] {
    guard let entry = event.entry else { return [] }
    let shown = event.shown
    let fields: [PageForm.Field] = [
      .init("on", "Date", value: shown["on"] ?? ""), .init("started", "Started", value: shown["started"] ?? ""),
      starField(shown["stars"] ?? ""), .init("note", "Note", .words, value: shown["note"] ?? ""),
    ]
    let item = PageForm.Field.hidden("item", "\(event.item)")
    return [
      PageForm(
        "Change the entry", to: "/entry/\(entry)/edit", fields + PageForm.Field.was(shown) + [item],
        summary: "Change…"),
      PageForm("Remove the entry", to: "/entry/\(entry)/remove", [item], summary: "Remove"),
    ]
  }

  // MARK: Copies

  private func copies(_ detail: Detail, _ item: Item) -> PageSection {
    let new = PageForm(
      "Keep the copy", to: "/item/\(item.id)/copy", Self.copyFields(nil, item.record.kind),
      summary: detail.copies.isEmpty ? "I own a copy" : "I own another copy")
    return PageSection(
      "Copies", name: "copies",
      detail.copies.map { copy in
        let given: [PageForm.Field] = [.hidden("item", "\(item.id)")]
        let line = detail.line(of: copy)
        let lending: PageForm =
          copy.holder == nil
          ? PageForm(
            "Lend it", to: "/copy/\(copy.id)/lend",
            [.init("person", "To whom", isRequired: true), .init("due", "Back on", .day)] + given, summary: "Lend")
          : PageForm("It is back", to: "/copy/\(copy.id)/return", given)
        return PageBox(
          .card,
          [
            PageLine(words: line.isEmpty ? "Nothing is noted about it." : line), lending,
            PageForm(
              "Change the copy", to: "/copy/\(copy.id)/edit", Self.copyFields(copy, item.record.kind) + given,
              summary: "Change…"),
            PageForm("Remove the copy", to: "/copy/\(copy.id)/remove", given, summary: "Remove"),
          ])
      } + [new])
  }

  private static func copyFields(_ copy: Copy?, _ kind: Kind) -> [PageForm.Field] {
    let shown = copy?.facts.shown ?? [:]
    func field(_ name: String, _ label: Message, _ kind: PageForm.Field.Kind = .line) -> PageForm.Field {
      .init(name, label, kind, value: shown[name] ?? "")
    }
    let grades = PageForm.Field.Kind.choice(
      [.init("", "Not given")] + Grade.ordered.reversed().map { .init($0.rawValue, Message(verbatim: $0.rawValue)) })
    let graded = kind == .vinyl ? [field("media", "Record", grades), field("sleeve", "Sleeve", grades)] : []
    return graded + [
      field("format", "Format"), field("place", "Place"), field("price", "Price, such as 25000 KRW"),
      field("on", "Since"), field("from", "Where from"), field("note", "Note", .words),
    ] + PageForm.Field.was(shown)
  }

  // MARK: The rest

  private static func tracks(_ record: Record) -> Report.Block {
    let columns: [Table.Column] = [
      .init("position", "Track", importance: 2), .init("title", "Title", importance: 3),
      .init("time", "Length", alignment: .right),
    ]
    let rows = record.tracks.map { track -> [Table.Cell] in
      [.init(track.position), .init(track.title), .init(track.seconds.map(PlayingTime.minutes))]
    }
    return .table(Table(columns: columns, rows: rows), caption: "Tracks")
  }

  /// Rows of covers: others by the same maker, and of the same genre.
  private func rails(beside detail: Detail, _ visit: Visit) throws -> [any PagePart] {
    let store = try store()
    func rail(_ heading: Message, _ term: String) throws -> [any PagePart] {
      let tiles = try tiles(context.query(line: term, in: store), limit: 13, visit).filter { $0.item != visit.id }
      guard !tiles.isEmpty else { return [] }
      return [PageSection(heading, [PageWall(tiles: Array(tiles.prefix(12)), rail: heading)])]
    }
    let maker = try detail.record.creators.first.map { try rail("More by \($0)", Query.term("creator", $0)) } ?? []
    let genre = try detail.genres.first.map {
      try rail("More \(Store.genreName($0, in: visit.language))", Query.term("genre", $0))
    }
    return maker + (genre ?? [])
  }

  private func also(_ detail: Detail) -> PageSection {
    guard let item = detail.item else { return PageSection(nil, []) }
    let path = "/item/\(item.id)"
    let wish = PageForm(
      "Wish", to: "\(path)/wish", [.init("limit", "Up to, such as 30000 KRW"), .init("note", "Note", .words)],
      summary: item.wishedSince == nil ? "I wish for it" : "Change the wish")
    return PageSection(
      "Also", name: "more",
      [
        PageBox(
          .act,
          [
            item.favoriteSince == nil
              ? PageForm("Make it a favorite", to: "\(path)/favorite")
              : PageForm("Remove from favorites", to: "\(path)/unfavorite"),
            PageButton("Edit", "\(path)/edit"), PageButton("Remove…", "\(path)/remove"),
          ]), wish, Self.coverForm(item.id),
      ])
  }

  static func subtitle(_ record: Record) -> String {
    let year = (record.year ?? record.released?.year).map { "\($0)" }
    let original = record.originalTitle.flatMap { $0 == record.title ? nil : $0 }
    return [original, record.creators.joined(separator: ", "), year].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: " · ")
  }
}

/// The cover of an item beside its title, makers, genres, stars and all parts of its page.
private struct ItemLayout: PageGroup {
  let detail: Detail
  let cover: String?
  let language: String
  let inner: [any PagePart]

  init(_ detail: Detail, cover: String?, parts: [any PagePart], in language: String) {
    (self.detail, self.cover, inner, self.language) = (detail, cover, parts, language)
  }

  func write(to page: inout Markup) {
    let (record, item) = (detail.record, detail.item)
    let face = CoverFace(
      kind: record.kind, title: record.title, makers: record.creators.joined(separator: ", "),
      genre: detail.genres.first.map { Store.genreName($0, in: language) } ?? "",
      picture: cover, label: "Cover of \(record.title)",
      isLarge: true)
    page.element("div", [("class", "item \(face.shape)")]) { page in
      page.element("div", [("class", "big")]) { face.write(to: &$0) }
      page.element("div") { page in
        writeHead(to: &page)
        if let item { Self.writeStars(of: item, to: &page) }
        for part in inner { part.write(to: &page) }
      }
    }
  }

  private func writeHead(to page: inout Markup) {
    let record = detail.record
    let year = record.year ?? record.released?.year
    let parts: [Message?] = [
      record.kind.thing, year.map { Message(verbatim: "\($0)") },
      detail.item?.favoriteSince.map { _ in "♥ favorite" },
    ]
    page.element("div", [("class", "kind")], parts.compactMap(\.self).joined(separator: " · "))
    page.element("h1", Message(verbatim: record.title))
    if let original = record.originalTitle, original != record.title {
      page.element("p", [("class", "faint")], Message(verbatim: original))
    }
    if !record.creators.isEmpty {
      page.element("p", [("class", "by")]) { page in
        for (place, name) in record.creators.enumerated() {
          if place > 0 { page.append(literal: ", ") }
          page.element(
            "a", [("href", Site.address(of: Query.term("creator", name)))], Message(verbatim: name))
        }
      }
    }
    page.element("div") { PageLink.write(tags(year), class: "tag", to: &$0) }
  }

  /// Links to the others of its genres, decade and tags.
  private func tags(_ year: Int?) -> [PageLink] {
    let genres = detail.genres.map {
      PageLink(Message(verbatim: Store.genreName($0, in: language)), Site.address(of: Query.term("genre", $0)))
    }
    let decade = year.flatMap { year in
      year > 0 ? PageLink(Message(verbatim: "\(year / 10 * 10)s"), Site.address(of: "year:\(year / 10 * 10)s")) : nil
    }
    let tags = (detail.item?.tags ?? []).map {
      PageLink(Message(verbatim: $0), Site.address(of: Query.term("tag", $0)))
    }
    return genres + [decade].compactMap(\.self) + tags
  }

  /// Ten buttons, two to a star.
  private static func writeStars(of item: Item, to page: inout Markup) {
    let translation = page.translation
    let now = Double(item.rating?.value ?? 0) / 20
    page.element("form", [("action", "/item/\(item.id)/rate"), ("method", "post")]) { page in
      PageForm.writeToken(to: &page)
      page.element("fieldset", [("class", "stars")]) { page in
        page.element("legend", "Your stars")
        for half in 1...10 {
          let stars = Double(half) / 2
          let label: Message = "\(stars.formatted) of 5 stars"
          page.element(
            "button",
            [
              ("name", "stars"), ("value", stars.formatted), ("aria-label", label.text(in: translation)),
              ("aria-pressed", now == stars ? "true" : "false"),
            ] + (stars <= now ? [("class", "on")] : []), text: "")
        }
      }
    }
  }
}

extension Copy.Facts {
  /// The values that a form shows, by the names of its fields.
  var shown: [String: String] {
    [
      "format": format ?? "", "media": media?.rawValue ?? "", "sleeve": sleeve?.rawValue ?? "", "place": place ?? "",
      "price": price?.description ?? "", "on": acquiredOn?.description ?? "", "from": acquiredFrom ?? "",
      "note": note ?? "",
    ]
  }
}

extension LogEntry {
  /// The values that a form shows, by the names of its fields.
  func shown(with card: Card) -> [String: String] {
    [
      "on": endedOn?.description ?? "", "started": startedOn?.description ?? "",
      "stars": card.rating?.description ?? "", "note": note ?? "",
    ]
  }
}

extension DiaryEvent {
  /// The values that a form shows, by the names of its fields.
  var shown: [String: String] {
    [
      "on": endedOn?.description ?? "", "started": startedOn?.description ?? "", "stars": rating?.description ?? "",
      "note": note ?? "",
    ]
  }
}
