import CatalogModel
import Foundation
import Lookup
import SQLite
import TestSupport
import Testing

@testable import SourceCopies

/// Searches of a copy of some thousand made-up films, judged by looking at all titles.
struct CopySearchTests {
  private static let words = [
    "night", "river", "garden", "mirror", "winter", "stranger", "kingdom", "ocean", "shadow", "house", "road", "letter",
    "island", "mountain", "station", "window", "daughter", "brother", "captain", "orchard", "lantern", "harbor",
    "bridge",
    "forest", "tower", "museum", "circus", "library", "machine", "signal", "the", "of", "a", "in", "nocturne", "rivers",
  ]
  static let people = ["Anna Smith", "Miles Davis", "Joan River", "Otto Stone", "봉준호", "Björk Olsen"]

  private struct Film: Sendable {
    let title: String
    let maker: String
    let words: Set<String>
    let key: UInt64

    init(title: String, maker: String) {
      (self.title, self.maker, key) = (title, maker, TitleKey.of(title))
      words = Set((title + " " + maker).lowercased().split { !$0.isLetter }.map { Folding.fold(String($0)) })
    }
  }

  private let films: [Film]
  private let copy: SourceCopy

  init() throws {
    let (films, made) = try Self.shared.get()
    (self.films, copy) = (films, try SourceCopy(path: made.build().path))
  }

  /// The films and their copy, which is built once.
  private static let shared = Result { try make() }

  private static func make() throws -> ([Film], MadeDump) {
    var random = SplitMix(seed: 21)
    var films: [Film] = []
    var files = IMDbDumpTests.files.mapValues { String($0.prefix { $0 != "\n" }) + "\n" }
    for (place, name) in people.enumerated() {
      files["name.basics.tsv", default: ""] += table([["nm\(place + 1)", name, "\\N", "\\N", "\\N", "\\N"]])
    }
    for number in 1...2_500 {
      let words = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        // The first words are the most frequent.
        Self.words[min(Int.random(in: 0..<36, using: &random), Int.random(in: 0..<36, using: &random))]
      }
      let person = Int.random(in: 0..<Self.people.count, using: &random)
      let film = Film(title: words.joined(separator: " ").capitalized, maker: Self.people[person])
      films.append(film)
      let id = "tt\(2_000_000 + number)"
      files["title.basics.tsv", default: ""] += table([
        [id, "movie", film.title, film.title, "0", "1990", "\\N", "90", "Drama"]
      ])
      files["title.crew.tsv", default: ""] += table([[id, "nm\(person + 1)", "\\N"]])
      files["title.ratings.tsv", default: ""] += table([[id, "5.0", "\(10_000 - number)"]])
    }
    let made = try MadeDump(.imdb, files)
    _ = try made.copy()
    return (films, made)
  }

  /// The ranks of the films that have all words, the last one perhaps begun, by looking at all.
  private func judged(_ typed: String) -> [Int] {
    let words = typed.lowercased().split { !$0.isLetter }.map { Folding.fold(String($0)) }
    guard let last = words.last else { return [] }
    let isBegun = typed.last?.isLetter ?? false
    return films.indices.filter { place in
      let known = films[place].words
      return words.dropLast().allSatisfy(known.contains)
        && (isBegun ? known.contains { $0.hasPrefix(last) } : known.contains(last))
    }.map { $0 + 1 }
  }

  private func ranks(_ page: Page) -> [Int] {
    page.candidates.compactMap { Int($0.id.value.dropFirst(2)).map { $0 - 2_000_000 } }
  }

  @Test func `typing finds the best known of the titles that looking at all finds`() throws {
    var random = SplitMix(seed: 5)
    for _ in 0..<120 {
      let film = films[Int.random(in: 0..<films.count, using: &random)]
      let text = Bool.random(using: &random) ? film.title : "\(film.maker) \(film.title)"
      let typed = String(text.prefix(Int.random(in: 1...text.count, using: &random)))
      let found = ranks(try copy.suggest(Search(words: typed, kind: .movie)))
      let all = judged(typed)
      let equal = films.indices.filter { films[$0].key == TitleKey.of(typed) }.map { $0 + 1 }
      // Some equal titles come first.
      let first = found.prefix { equal.contains($0) }
      let rest = found.dropFirst(first.count)
      #expect(Array(rest) == rest.sorted(), "\(typed)")
      #expect(Set(found).isSubset(of: all + equal), "\(typed)")
      let finished = typed.contains(" ")
      // Behind finished words, a begun one is looked for in 300 rows only.
      if !finished
        || all.count < 20 && judged(String(typed[..<(typed.lastIndex(of: " ") ?? typed.startIndex)]) + " ").count < 300
      {
        let expected = all.filter { !first.contains($0) }.prefix(20 - first.count)
        #expect(Array(rest) == Array(expected), "\(typed)")
      } else if !all.isEmpty {
        #expect(!found.isEmpty, "\(typed)")
      }
    }
  }

  @Test func `a search finds all titles with all words, the equal ones first`() throws {
    for typed in ["night river", "ocean", "the house", "miles island", "nocturne", "bjork window"] {
      let page = try copy.search(Search(words: typed, kind: .movie, pageSize: 200))
      let all = judged(typed)
      let equal = films.indices.filter { films[$0].key == TitleKey.of(typed) }.map { $0 + 1 }
      #expect(Set(ranks(page)).isSubset(of: all + equal))
      if all.count <= 190 { #expect(Set(ranks(page)) == Set(all + equal.prefix(3)), "\(typed)") }
      if let equal = all.first(where: { films[$0 - 1].title.lowercased() == typed }) {
        #expect(ranks(page).first == equal)
      }
    }
  }

  @Test func `the pages of a search have every title once`() throws {
    let all = judged("garden")
    #expect(all.count > 40)
    var found: [Int] = []
    for number in 1... {
      let page = try copy.search(Search(words: "garden", kind: .movie, page: number, pageSize: 25))
      found += ranks(page)
      if !page.hasMore { break }
    }
    #expect(found.count == all.count)
    #expect(Set(found) == Set(all))
  }

  @Test func `every title is found when it is typed to its end`() throws {
    for film in films.prefix(150) {
      let found = try copy.suggest(Search(words: film.title, kind: .movie))
      #expect(found.titles.contains { Folding.nameKey($0) == Folding.nameKey(film.title) }, "\(film.title)")
    }
  }

  @Test(arguments: ["", " ", "!!!", "\"", "*", "a\" OR \"b", "NEAR(a b)", "words:x", "^a", "ㅋㅋㅋㅋ", "\u{0}", "🦊"])
  func `words without letters, and signs of the query language, find nothing or titles`(_ typed: String) throws {
    for search in [Search(words: typed, kind: .movie), Search(words: typed, kind: .movie, scope: .field(.title))] {
      // Letters among the signs are words as any others.
      let hasLetters = typed.contains { $0.isLetter && $0.isASCII }
      let found = try copy.suggest(search).titles + copy.search(search).candidates.map(\.record.title)
      #expect(hasLetters || found.isEmpty, "\(typed): \(found)")
    }
  }

  @Test func `a very long query is answered`() throws {
    let typed = String(repeating: "night river ", count: 500)
    #expect(try copy.suggest(Search(words: typed, kind: .movie)).titles.allSatisfy { $0.contains("Night") })
    #expect(
      try copy.search(Search(words: typed, kind: .movie)).candidates.allSatisfy { $0.record.title.contains("River") })
  }

  @Test func `a misspelled word becomes the one that the best known titles have`() throws {
    let search = Search(words: "nocturen", kind: .movie)
    #expect(try copy.search(search).candidates.isEmpty)
    let meant = try copy.respelled(search) { word, words in words.first { $0.sorted() == word.sorted() } }
    #expect(meant?.words == "nocturne")
    #expect(try copy.respelled(Search(words: "nocturne", kind: .movie)) { _, _ in nil } == nil)
    #expect(try copy.respelled(Search(words: "xyzzy", kind: .movie)) { _, _ in nil } == nil)
  }

  @Test func `Korean names are found by syllables and by initials behind other words`() throws {
    let film = try #require(films.firstIndex { $0.maker == "봉준호" })
    let word = films[film].title.split(separator: " ")[0]
    for typed in ["\(word) 봉", "\(word) 봉준", "봉준호 \(word)", "\(word) ㅂㅈㅎ", "\(word) ㅂ"] {
      let found = try copy.suggest(Search(words: typed, kind: .movie)).candidates
      #expect(!found.isEmpty, "\(typed)")
      #expect(found.allSatisfy { $0.record.creators == ["봉준호"] }, "\(typed)")
    }
  }

  // MARK: The file

  @Test func `docs describe the tables of the file`() throws {
    let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/source-copies.md")
    let text = try String(contentsOf: docs, encoding: .utf8)
    func plain(_ sql: String) -> String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    let all = plain(text)
    for sql in try copy.db.values(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'words[0-9]_*'", as: String.self)
    {
      let first = sql.replacing(/"words\d"/, with: "\"words0\"")
      #expect(all.contains(plain(first)), "\(sql)")
    }
  }

  @Test func `the sqlite3 shell can read the best known titles with their creators`() throws {
    let rows = try copy.db.values(
      "SELECT title.title || ' / ' || name.text FROM title JOIN name ON name.id = by ORDER BY title.id LIMIT 2",
      as: String.self)
    #expect(rows == films.prefix(2).map { "\($0.title) / \($0.maker)" })
  }

  // MARK: Works

  @Test(arguments: people)
  func `the works by a creator are all of that name, the best known first`(_ name: String) throws {
    let judged = films.indices.filter { films[$0].maker == name }.map { $0 + 1 }
    let works = try copy.works(by: name.uppercased(), as: .movie, most: .max)
    #expect(ranks(Page(candidates: works.candidates)) == judged)
    #expect(!works.hasMore)
    let few = try copy.works(by: name, as: .movie, most: 5)
    #expect(ranks(Page(candidates: few.candidates)) == Array(judged.prefix(5)))
    #expect(few.hasMore)
    #expect(try copy.works(by: name, as: .book, most: 5).candidates.isEmpty)
  }

  @Test func `the best known titles come in their order until enough were seen`() throws {
    var seen: [Candidate] = []
    try copy.forEachBestKnown(as: .movie) { candidate in
      seen.append(candidate)
      return seen.count < 7
    }
    #expect(ranks(Page(candidates: seen)) == Array(1...7))
    #expect(seen.allSatisfy { $0.partialFailures == [] })
  }

  @Test func `among the less known titles, too, what is suggested has all words, and what few have is found`() throws {
    let other = try SourceCopy(path: Self.shared.get().1.build().path)
    other.wellKnown = 0
    var (found, missed) = (0, 0)
    var random = SplitMix(seed: 5)
    for _ in 0..<1_500 {
      let film = films[Int.random(in: 0..<films.count, using: &random)]
      let words = film.title.split(separator: " ")
      // A word that stands twice is looked up once, as a begun one.
      guard Set(words).count == words.count else { continue }
      let typed = String(words.joined(separator: " ").prefix(Int.random(in: 3...30, using: &random)))
      let judged = Set(judged(typed))
      // Titles that equal the words, perhaps but for an article, come from their own keys.
      let ranks = try ranks(other.suggest(Search(words: typed, kind: .movie, pageSize: 200)))
        .filter { films[$0 - 1].key != TitleKey.of(typed) }
      #expect(judged.isSuperset(of: ranks), "\(typed)")
      if ranks.isEmpty, !judged.isEmpty { missed += 1 }
      if !ranks.isEmpty { found += 1 }
    }
    #expect(found > 500, "\(found) found, \(missed) missed")
  }
}
