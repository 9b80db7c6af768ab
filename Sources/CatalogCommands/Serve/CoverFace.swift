internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The front of a thing: its cover, or its title set on a colour.
struct CoverFace: PagePart {
  var kind: Kind
  var title: String
  /// The makers, one after the other.
  var makers = ""
  /// The first genre, which gives the colour of a cover that is set.
  var genre = ""
  /// The address of the picture; nil for a title that is set.
  var picture: String?
  /// Its name for a screen reader; nil where the title stands beside it.
  var label: Message?
  /// Whether it is shown as soon as the page is.
  var isLarge = false

  /// The class of the shape: films and books are high, all else is square.
  var shape: String { [.movie, .book].contains(kind) ? kind.rawValue : Kind.vinyl.rawValue }

  func write(to page: inout Markup) {
    if let picture {
      let alt = label?.text(in: page.translation) ?? ""
      return page.element(
        "img",
        [("class", "c"), ("src", picture), ("alt", alt)]
          + (isLarge ? [] : [("loading", "lazy"), ("decoding", "async")]))
    }
    let hue = FNV1a(genre.isEmpty ? title : genre).value % 12
    var attributes: [Markup.Attribute] = [("class", "c p h\(hue)")]
    if let label {
      attributes += [("role", "img"), ("aria-label", label.text(in: page.translation))]
    } else {
      attributes.append(("aria-hidden", "true"))
    }
    page.element("span", attributes) { page in
      page.element("b", hasLongWord ? [("class", "s")] : [], Message(verbatim: title))
      page.element("i", Message(verbatim: makers))
    }
  }

  /// Whether a word of the title needs smaller letters.
  private var hasLongWord: Bool {
    title.split(separator: " ").contains { $0.count > ($0.unicodeScalars.contains(where: \.isHangul) ? 6 : 11) }
  }
}

/// A thing of the shelf on a page.
struct Tile {
  var item: ItemID
  var face: CoverFace
  var year = ""
  var stars = ""
  var isFavorite = false
  /// The person who has borrowed it.
  var borrower = ""
  /// The genres, for a list.
  var genres = ""

  var address: String { "/item/\(item)" }
  /// `Movie · 1975`
  var note: Message {
    let kind = face.kind.thing
    return year.isEmpty ? kind : "\(kind) · \(year)"
  }

  /// The fields that it shows.
  static let fields: [Field] =
    [.id, .kind, .title, .creator, .year, .genres, .rating, .favorite]
    + [Field.named("borrower")].compactMap(\.self)
}

/// Covers side by side.
struct PageWall: PagePart {
  var tiles: [Tile]
  /// The name of a row of covers for a screen reader; nil for a whole wall.
  var rail: Message?

  func write(to page: inout Markup) {
    guard !tiles.isEmpty else { return }
    var attributes: [Markup.Attribute] = [("class", rail == nil ? "wall" : "wall rail")]
    if let rail { attributes += [("tabindex", "0"), ("aria-label", rail.text(in: page.translation))] }
    page.element("ul", attributes) { page in
      for tile in tiles {
        page.element("li", [("class", tile.face.shape)]) { Self.write(tile, to: &$0) }
        page.append(literal: "\n")
      }
    }
  }

  private static func write(_ tile: Tile, to page: inout Markup) {
    page.element("a", [("href", tile.address)]) { page in
      page.element("span", [("class", "at")]) { page in
        if !tile.borrower.isEmpty {
          page.element("span", [("class", "badge")], "with \(tile.borrower)")
        } else if tile.isFavorite {
          page.element(
            "span",
            [
              ("class", "badge"), ("role", "img"),
              ("aria-label", Message("Favorite").text(in: page.translation)),
            ], text: "♥")
        }
        tile.face.write(to: &page)
      }
      page.element("p", Message(verbatim: tile.face.title))
      page.element("small") { page in
        page.append(tile.note)
        PageStars(stars: tile.stars).write(to: &page)
      }
    }
  }
}

/// Things one below the other, each with its cover, words and buttons.
struct PageList: PageGroup {
  var rows: [Row]
  /// The words in place of an empty list.
  var empty: Message

  init(_ rows: [Row], orElse empty: Message = "") { (self.rows, self.empty) = (rows, empty) }

  struct Row {
    var title: Message
    /// Text below the title.
    var note: Message?
    /// The path of its page; nil without one.
    var address: String?
    var face: CoverFace?
    var stars = ""
    /// Words that a person wrote about it.
    var said: String?
    /// The day, large, before it; empty on a row of the same day as the one above.
    var day: (number: String, name: Message)?
    /// Buttons and forms at its end.
    var acts: [any PagePart] = []

    init(_ title: Message, note: Message? = nil, address: String? = nil, acts: [any PagePart] = []) {
      (self.title, self.note, self.address, self.acts) = (title, note, address, acts)
    }

    init(_ tile: Tile) {
      self.init(Message(verbatim: tile.face.title), address: tile.address)
      let parts = [Message(verbatim: tile.face.makers), tile.note, Message(verbatim: tile.genres)]
      note = parts.filter { !$0.isEmpty }.joined(separator: " · ")
      (face, stars) = (tile.face, tile.stars)
    }
  }

  var inner: [any PagePart] { rows.flatMap(\.acts) }

  func write(to page: inout Markup) {
    guard !rows.isEmpty else { return empty.isEmpty ? () : page.element("p", empty) }
    page.element("ul", [("class", "list")]) { page in
      for row in rows {
        let shape = row.face?.shape ?? "bare"
        page.element("li", [("class", row.day == nil ? shape : "day \(shape)")]) { Self.write(row, to: &$0) }
        page.append(literal: "\n")
      }
    }
  }

  private static func write(_ row: Row, to page: inout Markup) {
    if let day = row.day {
      page.element("b") { page in
        page.append(day.number)
        if !day.name.isEmpty { page.element("small", day.name) }
      }
    }
    if let face = row.face {
      if let address = row.address {
        page.element("a", [("href", address), ("tabindex", "-1"), ("aria-hidden", "true"), ("class", face.shape)]) {
          face.write(to: &$0)
        }
      } else {
        page.element("span", [("class", face.shape)]) { face.write(to: &$0) }
      }
    }
    page.element("div") { page in
      page.element("h3") { page in
        if let address = row.address {
          page.element("a", [("href", address)], row.title)
        } else {
          page.append(row.title)
        }
      }
      if let note = row.note, !note.isEmpty { page.element("p", [("class", "faint")], note) }
      if let said = row.said { PageQuote(words: said).write(to: &page) }
    }
    page.element("div", [("class", "acts")]) { page in
      PageStars(stars: row.stars).write(to: &page)
      for act in row.acts { act.write(to: &page) }
    }
  }
}
