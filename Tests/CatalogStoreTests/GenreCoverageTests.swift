import CatalogModel
import Foundation
import SQLite
import Testing

@testable import CatalogStore

/// How much of what the sources really said is known: measured over recorded answers and lists of labels.
///
/// Skipped unless `CATALOG_FIXTURES` names the folder with the recordings. With `PRINT_COVERAGE` set the figures are
/// printed, and the 200 most frequent labels of each source with what they mean.
@Suite(.enabled(if: RecordedLabels.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
struct GenreCoverageTests {
  /// What was reached, in per cent: less than this is a step back.
  struct Reached: CustomTestStringConvertible {
    var source: String
    /// Distinct labels, at least so many.
    var labels: Int
    /// Known of the 200 most frequent.
    var frequent: Double
    /// Known of all, by how often they were said.
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
  func `what was said is known`(reached: Reached) throws {
    let store = try Store.inMemory()
    let labels = GenreLabels(store.db)
    let counts = try RecordedLabels.counts(of: reached.source)
    var (mapped, noise, unknown) = ((0, 0), (0, 0), (0, 0))
    var frequent: [(label: String, count: Int, meaning: [Int64]?)] = []
    var seen = Set<String>()
    for (label, count) in counts {
      let meaning = try labels.knownMeaning(of: label, from: reached.source)
      switch meaning {
      case .none: unknown = (unknown.0 + 1, unknown.1 + count)
      case .some([]): noise = (noise.0 + 1, noise.1 + count)
      case .some: mapped = (mapped.0 + 1, mapped.1 + count)
      }
      // 'fiction' and '-fiction' are one.
      if frequent.count < 200, seen.insert(Folding.labelKey(label)).inserted {
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
}

/// Every label in the recordings, with how often it was said.
enum RecordedLabels {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"].map { URL(fileURLWithPath: $0) }

  /// The most frequent first; of equals by name.
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

  /// Where a source's answers have labels.
  private static let keys = [
    "tmdb": ["genres"], "discogs": ["genres", "styles", "genre", "style"], "itunes": ["genres", "primaryGenreName"],
    "musicbrainz": ["genres", "tags"], "openlibrary": ["subject", "subjects", "subject_facet"],
    "googlebooks": ["categories"],
  ]

  /// Texts, and objects with a name, below any of the keys.
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

  /// 34 252 tags whose use is known of one book only. A tag counts once for itself and once for every other tag that
  /// it is a part of, word by word: `fantasy` also for `urban-fantasy`.
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
