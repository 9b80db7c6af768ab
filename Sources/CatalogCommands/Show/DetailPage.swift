internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Detail {
  /// The page for people.
  func page(on terminal: Terminal) -> Lines {
    var page = Lines(on: terminal)
    let place = item.map { "\($0.id)" } ?? id?.description ?? ""
    let name = page.text("\(record.kind.singular) \(page.safe(place))")
    let title = page.styled(verbatim: page.safe(record.title), .bold)
    // An id is never cut in two, so that it can be copied.
    if page.safe(record.title).cellWidth + 2 + name.cellWidth <= page.width {
      page.add(verbatim: title + "  " + page.styled(verbatim: name, .dim))
    } else {
      page.add(verbatim: title)
      page.add(verbatim: page.styled(verbatim: name, .dim))
    }
    if let original = record.originalTitle, original != record.title { page.add(verbatim: page.safe(original)) }
    if !record.creators.isEmpty { page.add(verbatim: page.safe(record.creators.joined(separator: ", "))) }
    add(facts, to: &page)
    if let summary = record.summary {
      page.add()
      page.add(text: summary)
    }
    addTracks(to: &page)
    if listsPictures {
      page.add(numbered: "Screenshots", record.screenshots, isFull) { ($0.device, $0.url) }
    }
    parts?.add(to: &page, isFull: isFull)
    if let pressings { add(pressings, to: &page) }
    for card in cards { add(card, to: &page) }
    return page
  }

  /// Suggestions for the next command.
  var advice: [Message] {
    var advice: [Message] = []
    if let word = item.map({ "\($0.id)" }) ?? id?.description.shellWord {
      if !record.screenshots.isEmpty {
        advice.append("Type 'catalog cover \(word) --screenshot 1' to see the first screenshot.")
      } else if parts?.gallery?.isEmpty == false {
        advice.append("Type 'catalog cover \(word) --picture 1' to see the first picture.")
      }
    }
    if let related = parts.flatMap({ ($0.similar ?? []) + ($0.recommended ?? []) })?.first {
      advice.append(
        "Type 'catalog show \(related.id)' to see a related movie, 'catalog add \(related.id)' to keep it.")
    }
    if let pressing = pressings?.candidates.first {
      advice.append("Type 'catalog add \(pressing.id)' to keep the pressing that you own.")
    }
    return advice
  }

  private func add(_ facts: [Report.Fact], to page: inout Lines) {
    guard !facts.isEmpty else { return }
    page.add()
    let width = facts.map { page.text($0.name).cellWidth }.max() ?? 0
    for fact in facts {
      let lines = page.safe(page.text(fact.text)).paragraphs(wrappedTo: max(20, page.width - width - 2), page.safe)
      for (index, line) in lines.enumerated() {
        page.add(
          verbatim: page.styled(verbatim: (index == 0 ? page.text(fact.name) : "").padded(to: width), .dim) + "  "
            + line)
      }
    }
  }

  private func addTracks(to page: inout Lines) {
    let tracks = record.tracks
    guard !tracks.isEmpty else { return }
    page.add()
    let width = tracks.map(\.position.cellWidth).max() ?? 0
    for track in tracks {
      let time = track.seconds.map { "  " + PlayingTime.minutes($0) } ?? ""
      let lines = page.safe(track.title).paragraphs(
        wrappedTo: max(20, page.width - width - 4 - time.cellWidth), page.safe)
      for (index, line) in lines.enumerated() {
        let position = page.styled(verbatim: (index == 0 ? page.safe(track.position) : "").padded(to: width), .dim)
        let end = index == lines.count - 1 ? page.styled(verbatim: time, .dim) : ""
        page.add(verbatim: "  \(position)  \(line)\(end)")
      }
    }
  }

  private func add(_ card: Card, to page: inout Lines) {
    page.add()
    let rating = card.rating.map { page.styled(verbatim: $0.stars, .yellow) + "  " } ?? ""
    let hasTurn = card.comment != nil && !showsBack
    let heading = card.heading(at: localTime)
    let line = rating + page.styled(hasTurn ? "\(heading) · words on the back: --back" : heading, .dim)
    if line.fitted(to: .max).width <= page.width {
      page.add(verbatim: line)
    } else {
      page.add(verbatim: rating + page.styled(heading, .dim))
      if hasTurn { page.add(verbatim: page.styled("words on the back: --back", .dim)) }
    }
    if showsBack, let comment = card.comment { page.add(text: comment, indent: 2) }
  }
}
