import CatalogModel
import Lookup
import Testing

@testable import SourceCopies

struct IMDbDumpTests {
  static let files = [
    "title.basics.tsv": table([
      [
        "tconst", "titleType", "primaryTitle", "originalTitle", "isAdult", "startYear", "endYear", "runtimeMinutes",
        "genres",
      ],
      ["tt0068646", "movie", "The Godfather", "The Godfather", "0", "1972", "\\N", "175", "Crime,Drama"],
      [
        "tt0071562", "movie", "The Godfather Part II", "The Godfather Part II", "0", "1974", "\\N", "202",
        "Crime,Drama",
      ],
      ["tt6751668", "movie", "Parasite", "Gisaengchung", "0", "2019", "\\N", "132", "Drama,Thriller"],
      ["tt10872600", "movie", "\"Quoted\" Film", "\"Quoted\" Film", "0", "2021", "\\N", "\\N", "\\N"],
      ["tt0000001", "short", "Carmencita", "Carmencita", "0", "1894", "\\N", "1", "Documentary,Short"],
      ["tt0000002", "movie", "Not for Children", "Not for Children", "1", "1990", "\\N", "80", "Adult"],
      ["tt0000003", "movie", "", "", "0", "1990", "\\N", "80", "Drama"],
      ["tt0000004", "movie", "Cut"],
    ]),
    "title.ratings.tsv": table([
      ["tconst", "averageRating", "numVotes"], ["tt0068646", "9.2", "2100000"], ["tt0071562", "9.0", "1400000"],
      ["tt6751668", "8.5", "1000000"], ["tt0000001", "5.7", "2000"],
    ]),
    "title.crew.tsv": table([
      ["tconst", "directors", "writers"], ["tt0068646", "nm0000338", "\\N"], ["tt6751668", "nm0094435", "\\N"],
      ["tt10872600", "nm0000338,nm0094435", "\\N"],
    ]),
    "name.basics.tsv": table([
      ["nconst", "primaryName", "birthYear", "deathYear", "primaryProfession", "knownForTitles"],
      ["nm0000001", "Fred Astaire", "1899", "1987", "actor", "\\N"],
      ["nm0000338", "Francis Ford Coppola", "1939", "\\N", "director", "\\N"],
      ["nm0094435", "Bong Joon Ho", "1969", "\\N", "director", "\\N"],
    ]),
    "title.akas.tsv": table([
      ["titleId", "ordering", "title", "region", "language", "types", "attributes", "isOriginalTitle"],
      ["tt6751668", "1", "기생충", "KR", "\\N", "imdbDisplay", "\\N", "0"],
      ["tt6751668", "2", "Parasita", "BR", "\\N", "imdbDisplay", "\\N", "0"],
      ["tt0068646", "1", "대부", "KR", "\\N", "imdbDisplay\u{2}working", "\\N", "0"],
      ["tt0068646", "2", "Mario Puzo's The Godfather", "US", "\\N", "working", "\\N", "0"],
    ]),
  ]

  let copy: SourceCopy

  init() throws { copy = try MadeDump(.imdb, Self.files).copy() }

  @Test func `films are found by title, by director and by Korean title, the best known first`() throws {
    #expect(
      try copy.search(Search(words: "godfather", kind: .movie)).titles == ["The Godfather", "The Godfather Part II"])
    #expect(try copy.suggest(Search(words: "godf", kind: .movie)).titles == ["The Godfather", "The Godfather Part II"])
    #expect(try copy.suggest(Search(words: "coppola god", kind: .movie)).titles == ["The Godfather"])
    #expect(try copy.suggest(Search(words: "기생", kind: .movie)).titles == ["Parasite"])
    #expect(try copy.suggest(Search(words: "ㄱㅅㅊ", kind: .movie)).titles == ["Parasite"])
    #expect(try copy.search(Search(words: "bong", kind: .movie)).titles == ["Parasite", "\"Quoted\" Film"])
    #expect(try copy.search(Search(words: "gisaengchung", kind: .movie)).titles == ["Parasite"])
  }

  @Test func `a record has the facts of all files`() throws {
    let record = try #require(try copy.record(ExternalID(source: "imdb", value: "tt6751668")))
    #expect(record.title == "Parasite")
    #expect(record.originalTitle == "Gisaengchung")
    #expect(record.otherTitles == ["기생충"])
    #expect(record.year == 2019)
    #expect(record.creators == ["Bong Joon Ho"])
    #expect(record.labels == ["Drama", "Thriller"])
    #expect(record.movie.minutes == 132)
    #expect(record.publicRating?.value == 85)
    #expect(record.url == "https://www.imdb.com/title/tt6751668/")
    #expect(record.externalIDs == [ExternalID(source: "imdb", value: "tt6751668")])
  }

  @Test func `a title with quotation marks and an id of eight digits stay as they are`() throws {
    let record = try #require(try copy.record(ExternalID(source: "imdb", value: "tt10872600")))
    #expect(record.title == "\"Quoted\" Film")
    #expect(record.creators == ["Francis Ford Coppola", "Bong Joon Ho"])
  }

  @Test func `rows that are left out are counted by reason`() {
    #expect(copy.about.titles == 4)
    #expect(copy.about.leftOut[.adult] == 1)
    #expect(copy.about.leftOut[.damaged] == 1)
    #expect(copy.about.leftOut[.untitled] == 1)
  }

  @Test func `a search for a creator finds no titles with the words`() throws {
    let search = Search(words: "coppola", kind: .movie, scope: .field(.creator))
    #expect(try copy.search(search).titles == ["The Godfather", "\"Quoted\" Film"])
    #expect(try copy.search(Search(words: "parasite", kind: .movie, scope: .field(.creator))).titles == [])
  }

  @Test func `a record of another program is found by title and director`() throws {
    var record = Record(kind: .movie, title: "기생충")
    record.credits = [Credit(name: "Bong Joon-ho", role: .director)]
    #expect(try copy.like(record).map(\.title) == ["Parasite"])
    record.credits = [Credit(name: "Somebody Else", role: .director)]
    #expect(try copy.like(record).map(\.title) == [])
  }
}
