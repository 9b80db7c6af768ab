import CatalogModel
import Foundation
import SQLite
import Testing

@testable import CatalogStore

/// Measures how many labels of the sources are known, on recorded answers and lists of labels.
///
/// Skipped unless `CATALOG_FIXTURES` names the folder with the recordings. With `PRINT_COVERAGE` set the figures are
/// printed, with the 200 most frequent labels of each source and their genres.
@Suite(.enabled(if: RecordedLabels.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
struct GenreCoverageTests {
  /// The coverage that must not decrease, in per cent.
  struct Reached: CustomTestStringConvertible {
    var source: String
    /// The least number of distinct labels.
    var labels: Int
    /// The known share of the 200 most frequent labels.
    var frequent: Double
    /// The known share of all labels, weighted by frequency.
    var weighted: Double
    var testDescription: String { source }
  }

  @Test(arguments: [
    Reached(source: "tmdb", labels: 25, frequent: 100, weighted: 100),
    Reached(source: "discogs", labels: 270, frequent: 100, weighted: 100),
    Reached(source: "itunes", labels: 66, frequent: 100, weighted: 100),
    Reached(source: "musicbrainz", labels: 51, frequent: 100, weighted: 100),
    Reached(source: "openlibrary", labels: 158, frequent: 100, weighted: 100),
    Reached(source: "googlebooks", labels: 6, frequent: 100, weighted: 100),
    Reached(source: "wikipedia", labels: 41, frequent: 100, weighted: 100),
    Reached(source: "goodreads", labels: 34_000, frequent: 90, weighted: 58),
  ])
  func `the share of known labels of each source does not decrease`(reached: Reached) throws {
    let store = try Store.empty()
    let labels = GenreLabels(store.db)
    let counts = try RecordedLabels.counts(of: reached.source)
    var (mapped, noise, unknown) = ((0, 0), (0, 0), (0, 0))
    var frequent: [(label: String, count: Int, meaning: [Int64]?)] = []
    var seen = Set<String>()
    for (label, count) in counts {
      let meaning = try labels.knownMeaning(
        of: label, from: reached.source, of: GenreLabelTests.kind(of: reached.source))?.genres
      switch meaning {
      case .none: unknown = (unknown.0 + 1, unknown.1 + count)
      case .some([]): noise = (noise.0 + 1, noise.1 + count)
      case .some: mapped = (mapped.0 + 1, mapped.1 + count)
      }
      // 'fiction' and '-fiction' are one.
      if frequent.count < 200, seen.insert(Folding.nameKey(label)).inserted {
        frequent.append((label, count, meaning))
      }
    }
    func percent(_ part: Int, _ whole: Int) -> Double { Double(part) * 100 / Double(max(1, whole)) }
    let known = percent(frequent.count { $0.meaning != nil }, frequent.count)
    let weighted = percent(mapped.1 + noise.1, mapped.1 + noise.1 + unknown.1)
    #expect(counts.count >= reached.labels)
    #expect(known >= reached.frequent)
    #expect(weighted >= reached.weighted)
    guard ProcessInfo.processInfo.environment["PRINT_COVERAGE"] != nil else { return }
    print(
      "\(reached.source): \(counts.count) labels: \(mapped.0) mapped, \(noise.0) noise, \(unknown.0) unknown;",
      "by frequency \(mapped.1), \(noise.1), \(unknown.1): \(weighted) % known; of the 200 most frequent \(known) %")
    for (label, count, meaning) in frequent {
      let names = try meaning?.map { id in try store.db.value("SELECT name FROM genre WHERE id = \(id)") ?? "" }
      print("  \(count)  \(label) → \(names.map { $0.isEmpty ? "(noise)" : $0.joined(separator: "; ") } ?? "?")")
    }
  }

  // MARK: Together

  @Test func `recorded films are under Nonfiction only when they are documentaries`() throws {
    let folder = try #require(RecordedLabels.folder)
    let data = try Data(contentsOf: folder.appending(path: "datasets/wikipedia_movies_2010s.json"))
    let films = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let store = try Store.empty()
    let labels = films.map { $0["genres"] as? [String] ?? [] }
    _ = try store.addAll(
      labels.map { labels in
        var record = Record(kind: .movie, title: "Title")
        (record.labels, record.labelSource) = (labels, "wikipedia")
        return (record: record, genres: nil)
      }, now: Timestamp(rawValue: "2026-11-21T09:00:00Z"))
    let nonfiction = try store.db.values(
      """
      SELECT DISTINCT item_id FROM genre_item JOIN genre ON id = genre_id WHERE name = 'Nonfiction' ORDER BY item_id
      """, as: Int.self)
    #expect(nonfiction == labels.indices.filter { labels[$0].contains("Documentary") }.map { $0 + 1 })
    let sorted = try #require(
      try store.db.value("SELECT count(DISTINCT item_id) FROM item_genre", as: Int.self))
    #expect(sorted > 2_400)
  }

  // MARK: Whether it is right

  /// The share of correct genres among the most frequent labels, judged by hand.
  struct Judged: CustomTestStringConvertible {
    var source: String
    /// The share of the uses of the 100 most frequent labels in per cent, rounded.
    var right: Int
    var testDescription: String { source }
  }

  /// Every one of the 100 most frequent labels of each source was judged by hand. A changed genre has to be judged
  /// again in ``GenreJudgements``.
  @Test(arguments: [
    Judged(source: "tmdb", right: 100), Judged(source: "discogs", right: 100), Judged(source: "itunes", right: 100),
    Judged(source: "musicbrainz", right: 100), Judged(source: "openlibrary", right: 99),
    Judged(source: "googlebooks", right: 100), Judged(source: "wikipedia", right: 100),
    Judged(source: "goodreads", right: 99),
  ])
  func `the hundred most frequent labels have their judged genres`(judged: Judged) throws {
    let store = try Store.empty()
    let labels = GenreLabels(store.db)
    let kind = GenreLabelTests.kind(of: judged.source)
    let judgements = GenreJudgements.all[judged.source] ?? [:]
    var (right, all, changed) = (0, 0, [String]())
    var seen = Set<String>()
    for (label, count) in try RecordedLabels.counts(of: judged.source) {
      let key = Folding.nameKey(label)
      guard seen.count < 100, seen.insert(key).inserted else { continue }
      var names = try labels.knownMeaning(of: label, from: judged.source, of: kind)?.genres.map { id in
        try store.db.value("SELECT name FROM genre WHERE id = \(id)") ?? ""
      }
      // Meanings beside certain genres come on top.
      names = names.map {
        $0 + (ShippedLabels.all.besides[key] ?? []).flatMap(\.genres).map { "or \($0)" }.withoutRepeats
      }
      let meaning = names.map { $0.isEmpty ? "-" : $0.joined(separator: "; ") } ?? "?"
      all += count
      switch judgements[key] {
      case (meaning, let isRight)?: right += isRight ? count : 0
      default: changed.append("\(label) = \(meaning)")
      }
    }
    #expect(changed == [])
    #expect((Double(right) * 100 / Double(max(1, all))).rounded() == Double(judged.right))
    if ProcessInfo.processInfo.environment["PRINT_COVERAGE"] != nil {
      print("PRECISION \(judged.source): \(right) of \(all) uses, \(Double(right) * 100 / Double(max(1, all)))")
      for line in changed { print("JUDGE \(judged.source)\t\(line)") }
    }
  }
}

/// The labels in the recordings, with their frequencies.
enum RecordedLabels {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"].map { URL(fileURLWithPath: $0) }

  /// The labels of a source, the most frequent first, equal ones by name.
  static func counts(of source: String) throws -> [(label: String, count: Int)] {
    let folder = try #require(folder)
    var counts: [String: Int] = [:]
    switch source {
    case "wikipedia":
      let data = try Data(contentsOf: folder.appending(path: "datasets/wikipedia_movies_2010s.json"))
      count(try JSONSerialization.jsonObject(with: data), ["genres"], into: &counts)
    case "goodreads": counts = try readerTags(in: folder.appending(path: "datasets"))
    default:
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.appending(path: source), includingPropertiesForKeys: nil)
      for file in files {
        let data = try Data(contentsOf: file)
        if file.pathExtension == "xml" { count(xml: data, into: &counts) }
        guard file.pathExtension == "json", let json = try? JSONSerialization.jsonObject(with: data) else { continue }
        count(json, Self.keys[source] ?? [], into: &counts)
      }
    }
    return counts.map { ($0.key, $0.value) }.sorted {
      ($1.count, $0.label.count, $0.label) < ($0.count, $1.label.count, $1.label)
    }
  }

  /// The keys of labels in a source's answers.
  private static let keys = [
    "tmdb": ["genres"], "discogs": ["genres", "styles", "genre", "style"], "itunes": ["genres", "primaryGenreName"],
    "musicbrainz": ["genres", "tags"], "openlibrary": ["subject", "subjects", "subject_facet"],
    "googlebooks": ["categories"],
  ]

  /// Counts texts, and names of objects, below any of the keys.
  private static func count(_ json: Any, _ keys: [String], into counts: inout [String: Int]) {
    if let object = json as? [String: Any] {
      for (key, value) in object {
        guard keys.contains(key) else {
          count(value, keys, into: &counts)
          continue
        }
        for label in value as? [Any] ?? [value] {
          if let name = label as? String ?? (label as? [String: Any])?["name"] as? String {
            counts[name, default: 0] += 1
          }
        }
      }
    } else if let list = json as? [Any] {
      for value in list { count(value, keys, into: &counts) }
    }
  }

  private static func count(xml: Data, into counts: inout [String: Int]) {
    for line in String(decoding: xml, as: UTF8.self).replacing("<", with: "\n<").split(separator: "\n") {
      guard line.hasPrefix("<genre>") || line.hasPrefix("<style>") else { continue }
      counts[String(line.dropFirst(7).replacing("&amp;", with: "&")), default: 0] += 1
    }
  }

  /// 34 252 tags whose use is known of one book only. A tag counts once for itself, and once for every other tag that
  /// contains it as words: `fantasy` also for `urban-fantasy`.
  private static func readerTags(in folder: URL) throws -> [String: Int] {
    let text = try String(contentsOf: folder.appending(path: "goodbooks10k_tags.csv"), encoding: .utf8)
    let tags = text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      line.firstIndex(of: ",").map { line[line.index(after: $0)...].filter { $0 != "\"" } }
    }
    func words(_ tag: String) -> [Substring] { tag.split { !$0.isLetter && !$0.isNumber } }
    var runs: [[Substring]: Int] = [:]
    for tag in tags {
      let words = words(tag)
      var seen = Set<[Substring]>()
      for start in words.indices {
        for end in start..<min(words.count, start + 5) { seen.insert(Array(words[start...end])) }
      }
      for run in seen { runs[run, default: 0] += 1 }
    }
    // Bare numbers and letters are no word of anybody's.
    return Dictionary(
      tags.map { tag in
        let words = words(tag)
        return (tag, words.contains { $0.count > 1 && !$0.allSatisfy(\.isNumber) } ? runs[words] ?? 1 : 1)
      }
    ) { max($0, $1) }
  }
}
