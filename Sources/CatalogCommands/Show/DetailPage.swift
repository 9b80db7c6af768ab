internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Detail {
  /// The page that people see.
  func page(on terminal: Terminal) -> Lines {
    var page = Lines(on: terminal)
    let place = item.map { "\($0.id)" } ?? id?.description ?? ""
    page.add(
      verbatim: page.styled(verbatim: page.safe(record.title), .bold) + "  "
        + page.styled("\(record.kind.rawValue) \(page.safe(place))", .dim))
    if let original = record.originalTitle, original != record.title { page.add(verbatim: page.safe(original)) }
    if !record.creators.isEmpty { page.add(verbatim: page.safe(record.creators.joined(separator: ", "))) }
    add(facts, to: &page)
    if let summary = record.summary {
      page.add()
      page.add(text: summary)
    }
    addTracks(to: &page)
    parts?.add(to: &page, isFull: isFull)
    if let pressings { add(pressings, to: &page) }
    for (index, card) in cards.enumerated() { add(card, isNewest: index == 0, to: &page) }
    return page
  }

  /// What may be typed next.
  var advice: [String] {
    var advice: [String] = []
    if let related = parts.flatMap({ ($0.similar ?? []) + ($0.recommended ?? []) })?.first {
      advice.append(
        "Type 'catalog show \(related.id)' to see a related movie, 'catalog add \(related.id)' to keep it.")
    }
    if let pressing = pressings?.candidates.first {
      advice.append("Type 'catalog add \(pressing.id)' to keep the pressing that you own.")
    }
    return advice
  }

  private func add(_ facts: [Fact], to page: inout Lines) {
    guard !facts.isEmpty else { return }
    page.add()
    let width = facts.map(\.name.cellWidth).max() ?? 0
    for fact in facts {
      let lines = page.safe(fact.value).wrapped(to: max(20, page.width - width - 2))
      for (index, line) in lines.enumerated() {
        page.add(verbatim: page.styled(verbatim: (index == 0 ? fact.name : "").padded(to: width), .dim) + "  " + line)
      }
    }
  }

  private func addTracks(to page: inout Lines) {
    let tracks = record.tracks
    guard !tracks.isEmpty else { return }
    page.add()
    let width = tracks.map(\.position.cellWidth).max() ?? 0
    for track in tracks {
      let time = track.seconds.map { "  " + page.styled(verbatim: PlayingTime.minutes($0), .dim) } ?? ""
      page.add(
        verbatim: "  " + page.styled(verbatim: page.safe(track.position).padded(to: width), .dim) + "  "
          + page.safe(track.title) + time)
    }
  }

  private func add(_ card: Card, isNewest: Bool, to page: inout Lines) {
    page.add()
    let rating = card.rating.map { page.styled(verbatim: $0.stars, .yellow) + "  " } ?? ""
    let turn = card.comment != nil && isNewest && !showsBack ? " · words on the back: --back" : ""
    page.add(verbatim: rating + page.styled(verbatim: card.heading + turn, .dim))
    if isNewest, showsBack, let comment = card.comment { page.add(text: comment, indent: 2) }
  }
}
