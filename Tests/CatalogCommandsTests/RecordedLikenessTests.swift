import CatalogModel
import Foundation
import Lookup
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Measures the accuracy of the matching rule on recorded answers and the pack.
///
/// Skipped unless `CATALOG_FIXTURES` names the folder with the recordings.
@Suite(.enabled(if: RecordedThings.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
struct RecordedLikenessTests {
  private static let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  private static func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: #require(RecordedThings.folder).appending(path: file)), as: UTF8.self)
  }

  private static func cut(_ text: Substring, _ start: String, _ end: String) -> Substring? {
    guard let from = text.range(of: start), let to = text[from.upperBound...].range(of: end) else { return nil }
    return text[from.upperBound..<to.lowerBound]
  }

  @Test func `pressings of one master are editions, and nothing else is`() throws {
    let parts = try Self.text("discogs/dump_20200806_releases_600.xml").components(separatedBy: "<release id=")
      .dropFirst()
    let releases = parts.map { part -> (master: String?, keys: WorkIdentity) in
      let text = part[...]
      let artists = Self.cut(text, "<artists>", "</artists>")?.components(separatedBy: "<name>").dropFirst().compactMap
      {
        Self.cut("<name>\($0)"[...], "<name>", "</name>").map(String.init)
      }
      let tracks = Self.cut(text, "<tracklist>", "</tracklist>")?.components(separatedBy: "<title>").dropFirst()
        .compactMap {
          Self.cut("<title>\($0)"[...], "<title>", "</title>").map(String.init)
        }
      let master = Self.cut(text, "<master_id", "</master_id>").flatMap { $0.split(separator: ">").last }.map(
        String.init)
      return (
        master,
        WorkIdentity(
          kind: .vinyl, titles: [Self.cut(text, "</artists><title>", "</title>").map(String.init) ?? ""],
          makers: artists ?? [], tracks: tracks ?? [],
          externalIDs: [ExternalID(source: "discogs", value: String(text.dropFirst().prefix { $0 != "\"" }))])
      )
    }
    var (right, missed, wrong) = (0, [String](), [String]())
    for (place, one) in releases.enumerated() {
      for other in releases[..<place] {
        let isOne = one.master != nil && one.master == other.master
        switch (one.keys.compare(with: other.keys).outcome, isOne) {
        case (.edition, true): right += 1
        case (.other, true): missed.append("\(one.keys.names) \(other.keys.names)")
        case (.other, false): break
        // Only a question.
        case (.perhaps, _): break
        case (.edition, false), (.same, _):
          wrong.append("\(one.keys.names) \(one.keys.externalIDs) \(other.keys.externalIDs)")
        }
      }
    }
    #expect(releases.count == 600)
    #expect(right == 12, "\(right) right, missed \(missed), wrong \(wrong)")
    #expect(missed.isEmpty, "\(right) right, missed \(missed), wrong \(wrong)")
    #expect(wrong.isEmpty, "\(right) right, missed \(missed), wrong \(wrong)")
  }

  @Test func `movies of TMDB match the same movies of the pack`() throws {
    let store = try Store.empty()
    _ = try store.addAll(StarterPack.candidates.map { ($0.record, nil) }, now: Self.now)
    let files = try FileManager.default.contentsOfDirectory(
      at: #require(RecordedThings.folder).appending(path: "tmdb"), includingPropertiesForKeys: nil)
    var seen: Set<ExternalID> = []
    var found: Set<Likeness> = []
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
      let source = try #require(Source.named("tmdb"))
      let response = Response(status: 200, body: Array(try Data(contentsOf: file)))
      let settings = SourceSettings(
        baseURL: source.defaultBaseURL, imageBaseURL: source.defaultImageBaseURL, country: "US", language: "en")
      guard let page = try? source.read(response, Search(words: "x", kind: .movie, pageSize: 100), settings) else {
        continue
      }
      for candidate in page.candidates where seen.insert(candidate.id).inserted {
        let record = candidate.record
        guard let likeness = try store.likeness(of: record) else { continue }
        let mine = try store.item(likeness.id).record
        #expect(likeness.item != nil, "\(record.title) is \(mine.title)")
        #expect(mine.year == record.year, "\(record.title) is \(mine.title)")
        found.insert(likeness)
      }
    }
    // None of the others is in the pack: Ocean's Eleven of 1960, Scream of 2022.
    #expect(seen.count == 234, "\(found.count) of \(seen.count)")
    #expect(found.count == 49, "\(found.count) of \(seen.count)")
  }

  @Test func `six thousand books match themselves and the same books of the pack`() throws {
    let store = try Store.empty()
    _ = try store.addAll(
      StarterPack.candidates.filter { $0.record.kind == .book }.map { ($0.record, nil) }, now: Self.now)
    let lines = try Self.text("datasets/goodbooks10k_books_1_6000.csv").split(separator: "\n").dropFirst()
    let records = lines.map { line -> Record in
      var cells: [String] = [""]
      var isQuoted = false
      for character in line {
        if character == "\"" {
          isQuoted.toggle()
        } else if character == ",", !isQuoted {
          cells.append("")
        } else {
          cells[cells.count - 1].append(character)
        }
      }
      var record = Record(kind: .book, title: cells[10])
      record.originalTitle = cells[9].isEmpty ? nil : cells[9]
      record.year = Double(cells[8]).map { Int($0) }
      record.credits = cells[7].components(separatedBy: ", ").map { Credit(name: $0, role: .author) }
      record.externalIDs = [ExternalID(source: "goodreads", value: cells[1])]
      return record
    }
    let found = try Set(records.compactMap { try store.likeness(of: $0)?.id })
    #expect(found.count > 530, "\(found.count)")
    // Works that are taken for others.
    let keys = records.map(WorkIdentity.init)
    var groups: [UInt32: [Int]] = [:]
    for (place, key) in keys.enumerated() {
      for key in key.keys.union(key.partKeys) { groups[key, default: []].append(place) }
    }
    var wrong: Set<[Int]> = []
    for group in groups.values {
      for (place, one) in group.enumerated() {
        for other in group[..<place]
        where one != other && [.same, .edition].contains(keys[one].compare(with: keys[other]).outcome) {
          wrong.insert([min(one, other), max(one, other)])
        }
      }
    }
    // Wrong editions: collections and their parts, graphic novels, and parts with one original title.
    #expect(wrong.count <= 23, "\(wrong.map { "\(records[$0[0]].title) = \(records[$0[1]].title)" }.sorted())")
  }
}

private enum RecordedThings {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"].map { URL(fileURLWithPath: $0) }
}
