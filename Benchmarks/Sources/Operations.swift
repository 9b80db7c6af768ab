/// A measured operation: our command, and the same work by yardsticks in the same rounds.
struct Operation {
  var name: String
  var size: Int
  var ours: [String]
  /// Each with the most that ours may take, as a ratio; nil when there is no budget, only a comparison.
  var yardsticks: [(name: String, command: [String], budget: Double?)]
  /// MiB.
  var memoryBudget = 16.0
  var runs: Int
}

extension Bench {
  /// The operations measured on the catalog of `size` items.
  func operations(size: Int, runs: Int) -> [Operation] {
    let (db, mine, theirs) = (file("\(size).db"), file("\(size)-ours.db"), file("\(size)-floor.db"))
    let (catalog, floor) = ([program("catalog"), "--db"], program("floor"))
    let id = "\(size / 2)"
    let few = size > 100_000 ? 5 : size > 10_000 ? 9 : runs
    var operations = [
      Operation(
        name: "show ID", size: size, ours: catalog + [mine, "show", id],
        yardsticks: [("floor", [floor, "show", theirs, id], 1.5)], runs: runs),
      Operation(
        name: "list --limit 50", size: size, ours: catalog + [db, "list", "--limit", "50"],
        yardsticks: [
          ("floor", [floor, "list", db, "50"], 1.4),
          (
            "shell",
            [
              "sqlite3", "-readonly", db,
              "SELECT id, kind, title, creator, year, genres, rating FROM shelf ORDER BY id DESC LIMIT 50",
            ], 1
          ),
        ], runs: runs),
      Operation(
        name: "list WORD", size: size, ours: catalog + [db, "list", "lantern"],
        yardsticks: [("floor", [floor, "search", db, "lantern"], 1.4)], memoryBudget: 64, runs: few),
      Operation(
        name: "genres", size: size, ours: catalog + [db, "genres"],
        yardsticks: [("floor", [floor, "genres", db], size == 100_000 ? 2.4 : nil)], memoryBudget: 64, runs: few),
      Operation(
        name: "genres --by decade", size: size, ours: catalog + [db, "genres", "--by", "decade"],
        yardsticks: [("floor", [floor, "decades", db], size >= 100_000 ? 2.2 : nil)], memoryBudget: 64, runs: few),
      Operation(
        name: "add", size: size,
        ours: catalog + [
          mine, "add", "movie", "--title", "Measured {n}", "--creator", "Anna Smith", "--genre", "Drama", "--year",
          "1959",
        ],
        yardsticks: [("floor", [floor, "add", theirs, "Measured {n}"], 1.4)], runs: runs),
      Operation(
        name: "list", size: size, ours: catalog + [db, "list"],
        yardsticks: [("floor", [floor, "list", db, "-1"], size == 10_000 || size == 100_000 ? 1.1 : nil)],
        memoryBudget: 64, runs: few),
    ]
    operations += collectorsQueries.map { query, condition, budget in
      Operation(
        name: "list '\(query)'", size: size, ours: catalog + [db, "list", "--limit", "50", query],
        yardsticks: [("floor", [floor, "listwhere", db, condition], budget)], memoryBudget: 64, runs: few)
    }
    operations.append(
      Operation(
        name: "diary --limit 50", size: size, ours: catalog + [db, "diary", "--limit", "50"],
        yardsticks: [
          (
            "floor",
            [floor, "query", db, "SELECT ended_on, entry_id, kind, title, creator, rating FROM diary LIMIT 50"], 1.4
          )
        ], runs: runs))
    operations.append(
      Operation(
        name: "own WORD", size: size, ours: catalog + [db, "own", "lantern"],
        yardsticks: [("floor", [floor, "search", db, "lantern"], 1.4)], memoryBudget: 64, runs: few))
    if size <= 100_000 {
      // Each starts from an empty catalog, which is copied first; both are given the same lines.
      let script = "cp '\(file("empty.db"))' '\(theirs).bulk' && "
      let things = file("\(size).tsv")
      let shell =
        "cd '\(folder)' && cp empty.db shell.db && ln -sf '\(size).tsv' things.tsv && sqlite3 -bail shell.db < '\(program("bulk.sql"))'"
      operations.append(
        Operation(
          name: "bulk add", size: size,
          ours: ["sh", "-c", script + "exec '\(program("catalog-benchmarks"))' fill '\(things)' '\(theirs).bulk'"],
          yardsticks: [
            (
              "floor", ["sh", "-c", script + "exec '\(floor)' bulk '\(theirs).bulk' '\(things)'"],
              size == 100_000 ? 1.6 : nil
            ),
            ("shell", ["sh", "-c", shell], nil),
          ], memoryBudget: 64, runs: 5))
      // An import of the same works from a table, each row of which is matched and stored.
      func importing(_ table: String, into start: String, named name: String, budget: Double?, runs: Int) -> Operation {
        let (ours, floors) = ("\(mine).import", "\(theirs).bulk")
        func from(_ copy: String, _ command: String) -> [String] {
          ["sh", "-c", "cp '\(file(start))' '\(copy)' && exec \(command) '\(file(table))'"]
        }
        return Operation(
          name: name, size: size,
          ours: from(ours, "'\(program("catalog"))' --db '\(ours)' import --yes --no-lookup"),
          yardsticks: [("floor", from(floors, "'\(floor)' import '\(floors)'"), budget)], memoryBudget: 64, runs: runs)
      }
      operations.append(
        importing(
          "\(size).csv", into: "empty.db", named: "import", budget: size == 100_000 ? 1.6 : nil, runs: 5))
      operations.append(
        importing("\(size)-more.csv", into: "\(size).db", named: "import of 100000", budget: 1.6, runs: 5))
      operations.append(
        Operation(
          name: "export json", size: size, ours: catalog + [db, "export", "json"],
          yardsticks: [
            (
              "shell", ["sqlite3", "-readonly", "-json", file("\(size)-flat.db"), "SELECT * FROM flat"],
              size == 100_000 ? 1.3 : nil
            )
          ], memoryBudget: 64, runs: few))
    }
    return operations
  }

  /// Queries over copies, cards, tracks, tags and dates, with the condition that the floor asks instead.
  private var collectorsQueries: [(query: String, condition: String, budget: Double)] {
    [
      (
        "grade:>=VG+ place:K1/",
        """
        item.id IN (SELECT item_id FROM copy WHERE media_grade IN ('M', 'NM', 'EX', 'VG+'))
        AND item.id IN (SELECT item_id FROM copy
          WHERE place COLLATE NOCASE >= 'K1/' AND place COLLATE NOCASE < 'K1/' || char(1114111))
        """, 1.7
      ),
      (
        "tag:signed not seen:any",
        """
        item.id IN (SELECT item_id FROM item_tag JOIN tag ON tag.id = tag_id WHERE tag.key = 'signed')
        AND NOT EXISTS (SELECT 1 FROM event WHERE event.item_id = item.id AND outcome = 'done')
        """, 1.4
      ),
      (
        "track:lantern",
        """
        item.id IN (SELECT rowid FROM item_search_own WHERE item_search_own MATCH '"lantern"')
        AND EXISTS (SELECT 1 FROM track WHERE track.item_id = item.id AND title LIKE '%lantern%')
        """, 1.4
      ),
      (
        "seen:2024-05 rating:4..",
        """
        item.id IN (SELECT item_id FROM event WHERE outcome = 'done' AND ended_on >= '2024-05' AND ended_on < '2024-06')
        AND (SELECT rating FROM card WHERE card.item_id = item.id AND rating IS NOT NULL ORDER BY id DESC LIMIT 1) >= 80
        """, 1.4
      ),
      (
        "due:..2026-11-21",
        """
        EXISTS (SELECT 1 FROM copy JOIN loan ON loan.copy_id = copy.id AND returned_on IS NULL
          WHERE copy.item_id = item.id AND due_on <= '2026-11-21')
        """, 1.4
      ),
    ]
  }

  /// The operations measured without a catalog.
  func startUp(runs: Int) -> [Operation] {
    [["--version"], ["--help"], ["completion", "bash"]].map { words in
      Operation(
        name: words.joined(separator: " "), size: 0, ours: [program("catalog")] + words,
        yardsticks: [("empty", [program("empty")], 3)], runs: runs)
    }
  }
}
