internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The export of RateYourMusic. Records that are neither owned nor wished for are only rated.
  static let rateYourMusic = TableFormat(
    "rateyourmusic", "RateYourMusic", .vinyl, needs: ["RYM Album", "Title", "Ownership"],
    own: ["number": .left("the number is RateYourMusic's own"), "ownership": ownership],
    finish: { facts, cells in
      func name(_ first: String, _ last: String) -> String? {
        [cells.first(first), cells.first(last)].compactMap { $0 }.joined(separator: " ").nonEmpty
          .map { Names.plain(Markup.withoutEntities($0)) }
      }
      let localized = name("First Name localized", "Last Name localized")
      if let name = name("First Name", "Last Name") ?? localized { facts.creators = [name] }
      // The catalog stores one name of a band.
      if let localized, facts.creators != [localized] { facts.note("Artist", localized) }
      facts.title = facts.title.map(Markup.withoutEntities)
      // A line end is written as two letters.
      facts.review = facts.review?.replacing("\\n", with: "\n")
    },
    key: { cells, _ in cells.first("RYM Album") })

  /// `o` owned, `w` wished for, `u` once owned, `n` neither.
  private static let ownership = ColumnMapping("owned", "copies") { text, facts in
    switch text.lowercased() {
    case "o": facts.owned = 1
    case "w":
      facts.owned = 0
      facts.status = .planned
    case "u":
      facts.owned = 0
      facts.note("Ownership", "used to own")
    case "n": facts.owned = 0
    default: return false
    }
    return true
  }
}
