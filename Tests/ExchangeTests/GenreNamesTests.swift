import Testing

@testable import Exchange

/// Cells of genres: the name of one genre may contain the marks that stand between several.
struct GenreNamesTests {
  @Test(arguments: [
    ("Funk / Soul", ["Funk / Soul"]), ("funk/soul", ["funk/soul"]), ("Jazz / Blues", ["Jazz", "Blues"]),
    ("Jazz, Blues", ["Jazz", "Blues"]), ("Jazz; Blues", ["Jazz", "Blues"]), ("Jazz|Blues", ["Jazz", "Blues"]),
    ("Folk, World, & Country", ["Folk, World, & Country"]), ("집/정원", ["집/정원"]), ("케이준/자이데코", ["케이준/자이데코"]),
    ("Rock, Folk, World, & Country, Funk / Soul", ["Rock", "Folk, World, & Country", "Funk / Soul"]),
    ("Hard Rock/Pop Rock", ["Hard Rock", "Pop Rock"]), ("Jazz", ["Jazz"]), ("", []), (" / ", []),
    ("['Jazz', 'Funk / Soul']", ["Jazz", "Funk / Soul"]),
  ])
  func `a cell is looked up whole before it is split`(_ cell: String, _ names: [String]) {
    #expect(GenreNames.shipped.parts(of: cell, ",;/|") == names)
  }
}
