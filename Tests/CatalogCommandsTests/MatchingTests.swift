import CatalogModel
import CatalogStore
import Lookup
import Testing

@testable import CatalogCommands

/// Tests matching on rows made from the pack, so that the right match is known. They are clean, or damaged as in real
/// files.
struct MatchingTests {
  enum Damage: String, CaseIterable {
    case none, respelled, misspelled, translated, translatedYearOff, yearOff, noYear, makerMisspelled, anotherFilm
    /// A row without an entry in the pack. There are enough of them to make 2 000 rows with the undamaged ones.
    case stranger

    /// Whether an entry of the pack is the right match.
    var isKnown: Bool { self != .anotherFilm && self != .stranger }

    /// The damaged row of this entry; nil when it cannot be damaged in this way.
    func row(of entry: Record, _ number: Int, of entries: [Record]) -> Record? {
      var row = Record(kind: entry.kind, title: entry.title)
      row.year = entry.year
      if entry.kind == .book { row.credits = entry.credits }
      switch self {
      case .none: return row
      case .respelled:
        // Without capitals, accents and signs, and with the article behind.
        let title = Articles.sortTitle(of: entry.title) ?? entry.title
        row.title = Folding.fold(title).replacing("'", with: "").replacing(":", with: " -")
      case .misspelled:
        guard let title = Self.misspelled(entry.title, number) else { return nil }
        row.title = title
      case .translated, .translatedYearOff:
        guard let original = entry.originalTitle else { return nil }
        row.title = original
        if self == .translatedYearOff { row.year = Self.yearOff(entry, number) }
      case .yearOff: row.year = Self.yearOff(entry, number)
      case .noYear: row.year = nil
      case .makerMisspelled:
        guard entry.kind == .book, let name = entry.creators.first.flatMap({ Self.misspelled($0, number) }) else {
          return nil
        }
        row.credits = [Credit(name: name, role: .author)]
      case .anotherFilm:
        // A book of the same title by another.
        row.year = entry.year.map { $0 - 17 }
        row.credits = entry.kind == .book ? [Credit(name: "Nobody Atall", role: .author)] : []
      case .stranger:
        // By the same people in the same year, which is the hardest.
        guard number < 2_000 - entries.count else { return nil }
        row.title = "\(entry.title) and \(entries[(13 * number + 5) % entries.count].title)"
      }
      return row
    }

    private static func yearOff(_ entry: Record, _ number: Int) -> Int? {
      entry.year.map { $0 + (number % 2 == 0 ? 1 : -1) }
    }

    /// The text with two letters swapped; nil for a text that is too short.
    private static func misspelled(_ text: String, _ number: Int) -> String? {
      var letters = Array(text)
      guard letters.count >= 5 else { return nil }
      let place = 1 + number % (letters.count - 3)
      guard letters[place] != letters[place + 1] else { return nil }
      letters.swapAt(place, place + 1)
      return String(letters)
    }
  }

  struct Counts: Equatable {
    var (right, wrong, unsure, new) = (0, 0, 0, 0)
    var rows: Int { right + wrong + unsure + new }
  }

  private func confusion(_ kind: Kind) throws -> [Damage: Counts] {
    let entries = StarterPack.candidates.map(\.record).filter { $0.kind == kind }
    let matcher = try Matcher(Store.empty(), entries: EntryIndex(StarterPack.candidates.map(\.record)))
    var table: [Damage: Counts] = [:]
    for damage in Damage.allCases {
      var counts = Counts()
      for (number, entry) in entries.enumerated() {
        guard let row = damage.row(of: entry, number, of: entries) else { continue }
        switch try matcher.match(row) {
        case .certain(let found):
          guard case .entry(let id) = found.thing else { continue }
          let isRight = id == entry.externalIDs.first && damage.isKnown
          if isRight { counts.right += 1 } else { counts.wrong += 1 }
        case .edition: counts.wrong += 1
        case .unsure: counts.unsure += 1
        case .new: counts.new += 1
        }
      }
      table[damage] = counts
    }
    return table
  }

  @Test(arguments: [Kind.movie, .book])
  func `certain matches are right, and damaged rows are never matched to another item`(kind: Kind) throws {
    let table = try confusion(kind)
    for damage in Damage.allCases {
      let counts = try #require(table[damage])
      print("\(kind) \(damage): \(counts)")
      #expect(counts.wrong == 0, "\(damage)")
    }
    let clean = try #require(table[Damage.none])
    #expect(try clean.rows + #require(table[.stranger]).rows == 2_000)
    #expect(Double(clean.right) / Double(clean.rows) >= 0.97)
    // The share of right certain matches, and of matches found, over all kinds of damage.
    let (right, wrong) = table.values.reduce((0, 0)) { ($0.0 + $1.right, $0.1 + $1.wrong) }
    let rows = table.filter(\.key.isKnown).values.reduce(0) { $0 + $1.rows }
    print("\(kind): precision \(Double(right) / Double(right + wrong)), certain \(right) of \(rows)")
    #expect(Double(right) / Double(right + wrong) >= 0.99)
  }
}
