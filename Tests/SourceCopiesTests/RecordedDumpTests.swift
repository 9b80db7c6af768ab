import CatalogModel
import Foundation
import Lookup
import TestSupport
import Testing

@testable import SourceCopies

/// Copies of recorded lines of dumps, judged by plain readers.
@Suite(.enabled(if: RecordedDumps.folder != nil, "set CATALOG_FIXTURES to the folder with recorded dumps"))
struct RecordedDumpTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: .memory) }

  private func copy(_ dump: Dump, _ files: [String], _ options: SourceCopyOptions = SourceCopyOptions()) throws
    -> SourceCopy
  {
    let build = try CopyBuild(
      dump, files: try files.map(wholeLines), folder: folder.path, options: options)
    return try SourceCopy(path: try build.run().path)
  }

  /// The path of a recorded file without the line in which the recording ends.
  private func wholeLines(_ file: String) throws -> String {
    guard file.hasSuffix(".tsv") else { return RecordedDumps.path(file) }
    let bytes = try RecordedDumps.bytes(file)
    let path = folder.path(file.split(separator: "/").last.map(String.init) ?? file)
    try Data(bytes[...(bytes.lastIndex(of: 0x0A) ?? 0)]).write(to: URL(filePath: path))
    return path
  }

  private func lines(_ file: String) throws -> [[String]] {
    try String(contentsOfFile: wholeLines(file), encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func `recorded albums and pressings of Discogs are found by title, id and barcode`() throws {
    let files = ["discogs/dump_20200806_masters_600.xml", "discogs/dump_20200806_releases_600.xml"]
    let copy = try copy(.discogs, files)
    #expect(copy.about.date?.description == "2020-08-06")
    #expect(copy.about.leftOut.keys.allSatisfy { $0 == .otherKind })
    let masters = String(decoding: try RecordedDumps.bytes(files[0]), as: UTF8.self)
    for match in masters.matches(of: /<master id="(\d+)">/).prefix(100) {
      let id = ExternalID(source: "discogs", value: "master/\(match.1)")
      let record = try #require(try copy.record(id, as: .music))
      let found = try copy.search(Search(words: record.title, kind: .music, pageSize: 100))
      #expect(found.candidates.contains { $0.id == id }, "\(record.title)")
    }
    let releases = String(decoding: try RecordedDumps.bytes(files[1]), as: UTF8.self)
    var count = 0
    for release in releases.split(separator: "<release id=").dropFirst()
    where release.contains("<format name=\"Vinyl\"") {
      let id = String(release.dropFirst().prefix(while: \.isNumber))
      for match in release.matches(of: /<identifier type="Barcode"[^>]* value="([^"]*)"/) {
        guard let barcode = try? Barcode(String(match.1)) else { continue }
        let found = try copy.lookUp(.barcode(barcode), as: .vinyl).map(\.id.value)
        // The albums of most pressings are not among the recorded ones.
        if try copy.record(ExternalID(source: "discogs", value: id)) != nil { #expect(found.contains(id), "\(id)") }
        count += 1
      }
    }
    #expect(count > 20)
  }

  @Test func `recorded releases alone are all titles, with their first artist`() throws {
    let copy = try copy(
      .discogs, ["discogs/dump_20200806_releases_600.xml"], SourceCopyOptions(kinds: [.vinyl, .music]))
    #expect(copy.about.titles == 600)
    #expect(try copy.record(ExternalID(source: "discogs", value: "1"))?.creators == ["The Persuader"])
    for rank in 1...600 {
      let record = try #require(try copy.record(at: rank, as: .music))
      let found = try copy.suggest(Search(words: record.title, kind: .music, pageSize: 50))
      // A title of signs alone has no words.
      if !SearchText.words(record.title).isEmpty { #expect(found.titles.contains(record.title), "\(record.title)") }
    }
  }

  @Test func `recorded films of IMDb have the facts that a plain reader finds`() throws {
    let copy = try copy(
      .imdb, ["dumps/imdb_title.basics.tsv", "dumps/imdb_title.ratings.tsv", "dumps/imdb_title.akas.tsv"],
      SourceCopyOptions(types: ["movie", "short"]))
    let rows = try lines("dumps/imdb_title.basics.tsv").dropFirst().filter {
      ["movie", "short"].contains($0[1]) && $0[4] == "0"
    }
    #expect(copy.about.titles == rows.count)
    let ratings = Dictionary(
      uniqueKeysWithValues: try lines("dumps/imdb_title.ratings.tsv").dropFirst().map { ($0[0], $0) })
    var votes: [Int] = []
    for row in rows {
      let record = try #require(try copy.record(ExternalID(source: "imdb", value: row[0])))
      #expect(record.title == row[2])
      let isOther = Folding.nameKey(row[3]) != Folding.nameKey(row[2])
      #expect(record.originalTitle == (isOther ? row[3] : nil))
      #expect(record.year == Int(row[5]))
      #expect(record.movie.minutes == Int(row[7]).flatMap { $0 > 0 ? $0 : nil })
      #expect(record.labels == (row[8] == "\\N" ? [] : row[8].split(separator: ",").map(String.init)))
      #expect(record.publicRating?.value == ratings[row[0]].flatMap { Double($0[1]) }.map { ($0 * 10).rounded() })
    }
    for rank in 1...rows.count {
      let id = try #require(try copy.record(at: rank)?.externalIDs.first?.value)
      votes.append(ratings[id].flatMap { Int($0[2]) } ?? 0)
    }
    #expect(votes == votes.sorted(by: >))
  }

  @Test func `recorded works and editions of Open Library are found by title and ISBN`() throws {
    let names = ["dumps/ol_dump_works.tsv", "dumps/ol_dump_authors.tsv", "dumps/ol_dump_editions.tsv"]
    // The default languages would leave some out.
    let languages = ["en", "es", "bn", "gu", "kn", "ml", "te", "ben", "guj", "kan", "mal", "tel"]
    let copy = try copy(.openLibrary, names, SourceCopyOptions(languages: languages))
    #expect(copy.about.leftOut[.otherLanguage] == nil)
    func documents(_ file: String) throws -> [[String: Any]] {
      try lines(file).compactMap { try JSONSerialization.jsonObject(with: Data($0[4].utf8)) as? [String: Any] }
    }
    let (works, editions) = (try documents(names[0]), try documents(names[2]))
    for work in works {
      let id = try #require((work["key"] as? String)?.split(separator: "/").last)
      let record = try #require(try copy.record(ExternalID(source: "openlibrary", value: String(id))))
      let title = try #require(work["title"] as? String)
      #expect(
        record.title.filter { !$0.isWhitespace }
          == title.precomposedStringWithCanonicalMapping.filter { !$0.isWhitespace })
      let found = try copy.search(Search(words: record.title, kind: .book, pageSize: 100))
      #expect(found.candidates.contains { $0.id.value == id }, "\(title)")
    }
    let known = Set(works.compactMap { $0["key"] as? String })
    for edition in editions {
      let work = (edition["works"] as? [[String: String]])?.first?["key"]
      guard work.map(known.contains) ?? true else { continue }
      let id = try #require((edition["key"] as? String)?.split(separator: "/").last)
      for text in (edition["isbn_13"] as? [String] ?? []) + (edition["isbn_10"] as? [String] ?? []) {
        guard let isbn = try? ISBN(text) else { continue }
        #expect(try copy.lookUp(.isbn(isbn)).contains { $0.id.value == id }, "\(text)")
      }
    }
  }
}
