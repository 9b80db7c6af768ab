import CatalogModel
import Testing

/// Tests the order of titles and names.
struct SortKeyTests {
  @Test(arguments: [
    ["Apple", "Éclair", "Egg", "Élan", "Ömer", "Oval", "Zebra"], ["eclair", "Éclairs"], ["Ägypten", "Bach"],
    ["Śnieg", "Sonne"], ["Øst", "Oz"], ["2", "9", "10", "011", "100", "1984", "2001: A Space Odyssey"],
    ["Volume 9", "Volume 10", "Volume 10b", "Volume 100"], ["Se7en", "Seven"], ["123456789", "1234567890"],
    ["가나", "기생충", "한강"], ["Abba", "ＡＢＢＣ"], ["", "A"],
  ]) func `letters stand beside their accents, and numbers by their value`(_ titles: [String]) {
    #expect(titles.reversed().sorted { SortKey.of($0) < SortKey.of($1) } == titles)
  }

  @Test func `accents and zeros before a number make no difference`() {
    #expect(SortKey.of("Éclair 07") == SortKey.of("ECLAIR 7"))
  }
}
