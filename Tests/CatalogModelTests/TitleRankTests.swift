import CatalogModel
import Testing

struct TitleRankTests {
  struct Case: CustomTestStringConvertible {
    var words: String
    var title: String
    var original: String?
    var others: [String] = []
    var creators: [String] = []
    var year: Int?
    var rank: TitleRank
    var testDescription: String { "'\(words)' and \(title)" }

    init(
      _ words: String, _ title: String, original: String? = nil, others: [String] = [], by creators: String...,
      year: Int? = nil, is rank: TitleRank
    ) {
      self.year = year
      (self.words, self.title, self.original, self.others) = (words, title, original, others)
      (self.creators, self.rank) = (creators, rank)
    }

    var record: Record {
      var record = Record(kind: .movie, title: title)
      (record.originalTitle, record.otherTitles, record.year) = (original, others, year)
      record.credits = creators.map { Credit(name: $0, role: Credit.Role(main: .movie)) }
      return record
    }
  }

  @Test(arguments: [
    // Exact titles.
    Case("dune", "Dune", is: .exact),
    Case("The Godfather", "The Godfather", is: .exact),
    Case("it", "It", is: .exact),
    Case("It", "IT", is: .exact),
    Case("1984", "1984", is: .exact),
    Case("1984", "Nineteen Eighty-Four", others: ["1984"], is: .exact),
    Case("amelie", "Amélie", is: .exact),
    Case("Amélie", "Amelie", is: .exact),
    Case("기생충", "Parasite", original: "기생충", is: .exact),
    Case("\u{1100}\u{1175}\u{1109}\u{1162}\u{11BC}\u{110E}\u{116E}\u{11BC}", "기생충", is: .exact),
    Case("해리포터", "해리 포터", is: .exact),
    Case("2001 a space odyssey", "2001: A Space Odyssey", is: .exact),
    Case("wall-e", "WALL·E", is: .exact),
    Case("walle", "WALL·E", is: .exact),
    Case("spider man", "Spider-Man", is: .exact),
    Case("oceans eleven", "Ocean's Eleven", is: .exact),
    Case("simon and garfunkel", "Simon & Garfunkel", is: .exact),
    Case("q&a", "Q & A", is: .exact),
    Case("…", "...", original: "…", is: .exact),
    Case("the", "The", is: .exact),
    // Without its article.
    Case("godfather", "The Godfather", is: .withoutArticle),
    Case("the godfather", "Godfather", is: .withoutArticle),
    Case("a godfather", "The Godfather", is: .withoutArticle),
    Case("boot", "Das Boot", is: .withoutArticle),
    Case("avventura", "L'Avventura", is: .withoutArticle),
    Case("samourai", "Le Samouraï", is: .withoutArticle),
    Case("laberinto del fauno", "Pan's Labyrinth", original: "El laberinto del fauno", is: .withoutArticle),
    Case("remin", "Theremin", is: .other),
    // With a name.
    Case("kind of blue miles davis", "Kind of Blue", by: "Miles Davis", is: .withNames),
    Case("miles davis kind of blue", "Kind of Blue", by: "Miles Davis", is: .withNames),
    Case("dune herb", "Dune", by: "Frank Herbert", is: .withBegunNames),
    Case("godfather coppola", "The Godfather", by: "Francis Ford Coppola", is: .withNames),
    Case("kind of blue miles davis", "Kind of Blue", by: "John Coltrane", is: .other),
    // At the start of a title.
    Case("godfather", "The Godfather Part II", is: .start),
    Case("the godfather", "The Godfather: Part II", is: .start),
    Case("dune", "Dune: Part Two", is: .start),
    Case("spiderman", "Spider-Man: Homecoming", is: .start),
    Case("기생", "기생충", is: .start),
    Case("godf", "The Godfather", is: .begunStart),
    Case("star w", "Star Wars", is: .begunStart),
    // Elsewhere.
    Case("godfather", "Tokyo Godfathers", is: .words),
    Case("space 2001", "2001: A Space Odyssey", is: .words),
    Case("추억", "살인의 추억", is: .words),
    Case("ㅊㅇ", "살인의 추억", is: .words),
    Case("it", "Italian for Beginners", is: .begunStart),
    Case("it", "Some Like It Hot", is: .words),
    Case("father", "The Godfather", is: .other),
    Case("miles davis", "Kind of Blue", by: "Miles Davis", is: .other),
    Case("dune 1984", "Dune", year: 1984, is: .withNames), Case("dune (1984)", "Dune", year: 1984, is: .withNames),
    Case("dune 1984", "Dune", year: 2021, is: .other), Case("movie dune", "Dune", year: 2021, is: .withNames),
    Case("영화 dune 2021년", "Dune", year: 2021, is: .withNames), Case("book dune", "Dune", year: 2021, is: .other),
    Case("movie: Dune — Denis Villeneuve (2021)", "Dune", by: "Denis Villeneuve", year: 2021, is: .withNames),
    Case("blade runner 2049", "Blade Runner 2049", year: 2017, is: .exact), Case("1984", "1984", is: .exact),
    Case("kikis delivery service", "Kiki's Delivery Service", is: .exact),
    Case("dune", "Arrakis", is: .other),
    Case("", "Dune", is: .other),
    Case("dune", "", is: .other),
  ])
  func `a title is ranked by how it matches the words`(fit: Case) {
    #expect(TitleRank(of: fit.record, for: SearchWords(fit.words)) == fit.rank)
  }

  @Test func `the best rank of several titles counts`() {
    let record = Case("", "Godfather II", original: "Il padrino", others: ["The Godfather"], is: .other).record
    #expect(TitleRank(of: record, for: SearchWords("padrino")) == .withoutArticle)
    #expect(TitleRank(of: record, for: SearchWords("the godfather")) == .exact)
    #expect(TitleRank(of: record, for: SearchWords("godfather ii")) == .exact)
  }

  @Test func `title ranks are ordered from best to worst`() {
    #expect(TitleRank.allCases == TitleRank.allCases.sorted())
    #expect(TitleRank.exact < .withoutArticle)
    #expect(TitleRank.words < .other)
  }

  // MARK: Finding

  static func match(
    _ words: String, titles: [String], names: [String] = [], labels: String = ""
  ) -> SearchWords.Match {
    let keys = SearchKeys.text(titles: titles, names: names)
    return SearchWords(words).match(in: keys.utf8.span, or: labels.utf8.span)
  }

  @Test(arguments: [
    ("godfather", SearchWords.Match.whole), ("the godf", .whole), ("godf the", .begun), ("father", .none),
    ("coppola godfather", .whole), ("copp godfather", .begun), ("oceans", .none), ("", .none), ("...", .none),
  ])
  func `words before the last match whole or as prefixes`(words: String, match: SearchWords.Match) {
    #expect(Self.match(words, titles: ["The Godfather"], names: ["Francis Ford Coppola"]) == match)
  }

  @Test(arguments: [
    ("Ocean's Eleven", "oceans"), ("Ocean's Eleven", "ocean's eleven"), ("Ocean's Eleven", "ocean s"),
    ("L’Avventura", "avventura"), ("L’Avventura", "lavv"), ("Spider-Man", "spiderman"), ("Spider-Man", "man"),
    ("Spider Man", "spider-man"), ("AC/DC", "acdc"), ("AC/DC", "ac dc"), ("Brown & Roach", "brown and roach"),
    ("Brown & Roach", "brown & roach"), ("Brown, Roach", "brown & roach"), ("E.T. the Extra-Terrestrial", "et"),
    ("살인의 추억", "추억"), ("살인의 추억", "인의추"), ("살인의 추억", "ㅅㅇㅇㅊㅇ"), ("살인의 추억", "ㅊㅇ"),
    ("82년생 김지영", "82"), ("82년생 김지영", "82년생 김지영"), ("82년생 김지영", "년생"), ("海街diary", "diary"), ("千と千尋の神隠し", "神隠し"),
    ("Война и мир", "вой"), ("Преступление", "ПРЕСТУПЛЕНИЕ"), ("तीन कथा", "कथा"), ("†", "†"), ("=", "="),
    ("a | b; c", "b"),
    ("Björk", "bjo\u{308}rk"), ("Æon Flux", "aeon"),
  ])
  func `words are found in any punctuation and accents`(title: String, words: String) {
    #expect(Self.match(words, titles: [title]) != .none)
  }

  @Test(arguments: [
    ("살인의 추억", "살추"), ("살인의 추억", "ㅇㅊㅇ"), ("살인의 추억", "ㅅㅊ"), ("Tokyo", "okyo"), ("살인", "인추"),
  ])
  func `letters inside other syllables are not found`(title: String, words: String) {
    #expect(Self.match(words, titles: [title, "추억"], names: ["Anna"]) == .none)
  }

  @Test func `words that span punctuation match as prefixes`() {
    #expect(Self.match("dune", titles: ["Anatomie d'une chute"]) == .begun)
    #expect(Self.match("une", titles: ["Anatomie d'une chute"]) == .whole)
    #expect(Self.match("d'une", titles: ["Anatomie d'une chute"]) == .whole)
    #expect(Self.match("hiphop", titles: ["X"], labels: "Hip-Hop") == .begun)
  }

  @Test(arguments: ["hip-hop", "hip hop", "r&b", "jazz hip", "sci"])
  func `labels are searched in any case`(words: String) {
    let labels = "Jazz; Hip-Hop; Contemporary R&B; Science Fiction"
    #expect(Self.match(words, titles: ["X"], labels: labels) == .whole)
  }

  @Test func `search keys separate titles from names`() {
    let keys = SearchKeys.text(titles: ["Ocean's Eleven", "R & B|;"], names: ["Steven Soderbergh", "Ånn"])
    #expect(keys == "ocean's eleven|r and b;steven soderbergh|ann")
    #expect(SearchKeys.text(titles: ["|;"], names: []) == "'';")
    #expect(SearchKeys.text(titles: ["Amélie", "Amelie", "A"], names: ["A"]) == "amelie|a;a")
  }

  @Test func `a title is matched by its start in any punctuation`() {
    let keys = SearchKeys.text(titles: ["Spider-Man", "Der Spinnenmann"], names: ["Sam Raimi"])
    func hasTitle(_ letters: String) -> Bool {
      SearchKeys.hasTitle(startingWith: Array(letters.utf8), in: keys.utf8.span)
    }
    #expect(hasTitle("spiderm"))
    #expect(hasTitle("derspinnenmann"))
    #expect(!hasTitle("spinnen"))
    #expect(!hasTitle("samraimi"))
  }
}
