// Makes shelves of an unchanged taste, and of one that changed in a known way, and counts how often the genre report
// says something: docs/genre-mathematics.md has the figures.
//
//     make simulate                                     both tables, some minutes
//     simulate false-alarms [--shelves N] [--seed N]    unchanged tastes: how many pages mark anything
//     simulate power [--shelves N] [--seed N]           planted changes: how many pages mark them
//     simulate tests [--shelves N] [--seed N]           the p of every test, a line a page
//
// --items N,N,… are the sizes, --cell TEXT takes only the cells whose name contains it.
import CatalogStore
import FoundationEssentials
import Glibc

var words = Array(CommandLine.arguments.dropFirst())
var options: [String: String] = [:]
while let place = words.firstIndex(where: { $0.hasPrefix("--") }), place + 1 < words.count {
  options[words.remove(at: place)] = words.remove(at: place)
}
let shelves = options["--shelves"].flatMap(Int.init) ?? 200
let seed = options["--seed"].flatMap(UInt64.init) ?? 42
let sizes = options["--items"]?.split(separator: ",").compactMap { Int($0) }
let cell = options["--cell"] ?? ""

/// A tenth of the shelves where they are large, but 20 at least.
func count(_ items: Int) -> Int { items < 10_000 ? shelves : max(20, shelves / 5) }
/// `12.5`
func percent(_ part: Int, _ whole: Int) -> String {
  let tenths = (2000 * part / max(1, whole) + 1) / 2
  return "\(tenths / 10).\(tenths % 10)"
}

do {
  let simulation = try Simulation()
  switch words.first {
  case "false-alarms":
    print(
      "| unchanged taste | items | shelves | findings | arrows | loved | pairs | drift | decades | page | decades alone |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for life in Life.all + Life.stress where life.name.contains(cell) {
      for items in sizes ?? [20, 50, 200, 2000] {
        var counts = Array(repeating: 0, count: 8)
        for round in 0..<count(items) {
          let page = try simulation.page(life, items: items, seed: seed &+ UInt64(round))
          for (place, isMarked) in page.marks.enumerated() where isMarked { counts[place] += 1 }
        }
        let cells = counts.map { percent($0, count(items)) }
        print("| \(life.name) | \(items) | \(count(items)) | \(cells.joined(separator: " | ")) |")
        fflush(nil)
      }
    }
  case "power":
    print("| planted | items | shelves | finding | mark in a table |")
    print("|---|--:|--:|--:|--:|")
    for (life, change) in [Life.plain, .films].flatMap({ life in Change.all.map { (life, $0) } })
    where "\(life.name), \(change.name)".contains(cell) {
      for items in sizes ?? [50, 200, 2000] {
        var (said, marked) = (0, 0)
        for round in 0..<count(items) {
          let page = try simulation.page(life, change: change, items: items, seed: seed &+ UInt64(round))
          if change.isSaid(page.report) { said += 1 }
          if change.isMarked(page.report) { marked += 1 }
        }
        let parts = [said, marked].map { percent($0, count(items)) }
        print(
          "| \(change.name)\(life.kinds == .films ? ", films" : "") | \(items) | \(count(items)) | \(parts.joined(separator: " | ")) |"
        )
        fflush(nil)
      }
    }
  case "tests":
    // A line a page, for trying other procedures: the cell, the size, how many pairs were looked at, and all p.
    for (life, change) in Life.all.map({ ($0, nil as Change?) }) + Change.all.flatMap({ [(.plain, $0), (.films, $0)] })
    where (change.map { "\(life.name), \($0.name)" } ?? life.name).contains(cell) {
      for items in sizes ?? [200] {
        for round in 0..<count(items) {
          let report = try simulation.page(life, change: change, items: items, seed: seed &+ UInt64(round)).report
          let tests = report.tests.map { "\($0.family):\($0.name):\($0.p)" }.joined(separator: "\t")
          print("\(life.name)\t\(change?.name ?? "")\t\(items)\t\(report.pairsLookedAt)\t\(tests)")
        }
        fflush(nil)
      }
    }
  default:
    print("usage: simulate false-alarms|power|tests [--shelves N] [--seed N] [--items N,N] [--cell TEXT]")
    exit(2)
  }
} catch {
  print("simulate: \(error)")
  exit(1)
}
