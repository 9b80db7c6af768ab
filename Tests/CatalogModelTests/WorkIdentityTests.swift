import CatalogModel
import Foundation
import Testing

/// Tests the rule for the same work with the pairs of `work-pairs.txt`, one on each line.
struct WorkIdentityTests {
  struct Pair: CustomTestStringConvertible, Sendable {
    var line: String
    var outcome: String
    var one, other: WorkIdentity
    var testDescription: String { line }

    /// Nil for a comment.
    init?(_ line: Substring) {
      let sides = line.split(separator: " | ")
      guard sides.count == 3, !line.hasPrefix("#"), !line.hasPrefix("- ") else { return nil }
      let words = sides[0].split(separator: " ")
      guard words.count == 2, let kind = Kind(rawValue: String(words[1])) else { return nil }
      self.line = String(line)
      outcome = String(words[0])
      one = Self.side(sides[1], kind)
      other = Self.side(sides[2], kind)
    }

    /// `title @maker; maker #year =code ~original title +other title !source:id`
    private static func side(_ text: Substring, _ kind: Kind) -> WorkIdentity {
      let marks: [Character] = ["@", "#", "=", "~", "+", "!"]
      var parts: [Character: [String]] = [:]
      var (mark, rest): (Character, [Substring]) = (" ", [])
      func end() { if !rest.isEmpty { parts[mark, default: []].append(rest.joined(separator: " ")) } }
      for word in text.split(separator: " ") {
        if let first = word.first, marks.contains(first), word.count > 1 {
          end()
          (mark, rest) = (first, [word.dropFirst()])
        } else {
          rest.append(word)
        }
      }
      end()
      let code = parts["="]?.first
      return WorkIdentity(
        kind: kind, titles: (parts[" "] ?? []) + (parts["~"] ?? []), otherTitles: parts["+"] ?? [],
        year: parts["#"]?.first.flatMap { Int($0) },
        makers: parts["@"]?.first?.components(separatedBy: "; ") ?? [],
        externalIDs: (parts["!"] ?? []).compactMap { id in
          let halves = id.split(separator: ":", maxSplits: 1).map(String.init)
          return halves.count == 2 ? ExternalID(source: halves[0], value: halves[1]) : nil
        }, isbn: kind == .book ? code.flatMap { try? ISBN($0) }?.digits13 : nil,
        barcode: kind == .vinyl ? code : nil)
    }
  }

  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "work-pairs.txt")
  static let pairs: [Pair] = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
    .compactMap { Pair($0) }

  @Test(arguments: pairs) func `a pair is judged by the rule, whichever comes first`(_ pair: Pair) {
    let found = pair.one.compare(with: pair.other)
    #expect("\(found.outcome)" == pair.outcome, "\(found)")
    #expect(pair.other.compare(with: pair.one) == found)
    // Whatever is not another work is found by a key or a code.
    let keys = pair.one.keys.union(pair.one.partKeys)
    let share = !keys.isDisjoint(with: pair.other.keys.union(pair.other.partKeys))
    #expect(found.title == .none || share)
  }

  @Test func `there are pairs of every outcome and kind`() {
    #expect(Self.pairs.count > 300)
    for outcome in ["same", "edition", "perhaps", "other"] {
      #expect(Self.pairs.contains { $0.outcome == outcome }, "\(outcome)")
    }
  }
}
