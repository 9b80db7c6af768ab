/// One thing that is measured: our command, and the same work by yardsticks in the same rounds.
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
  /// What is measured on the catalog of `size` items.
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
        yardsticks: [("floor", [floor, "genres", db], 1.4)], memoryBudget: 64, runs: few),
      Operation(
        name: "genres --by decade", size: size, ours: catalog + [db, "genres", "--by", "decade"],
        yardsticks: [("floor", [floor, "decades", db], size == 1_000_000 ? 1.3 : nil)], memoryBudget: 64, runs: few),
      Operation(
        name: "add", size: size,
        ours: catalog + [
          mine, "add", "movie", "--title", "Measured", "--creator", "Anna Smith", "--genre", "Drama", "--year", "1959",
        ],
        yardsticks: [("floor", [floor, "add", theirs, "Measured"], 1.4)], runs: runs),
      Operation(
        name: "list", size: size, ours: catalog + [db, "list"],
        yardsticks: [("floor", [floor, "list", db, "-1"], size == 10_000 || size == 100_000 ? 1.1 : nil)],
        memoryBudget: 64, runs: few),
    ]
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
              size == 100_000 ? 1.3 : nil
            ),
            ("shell", ["sh", "-c", shell], size == 100_000 ? 0.55 : nil),
          ], memoryBudget: 64, runs: 5))
    }
    return operations
  }

  /// What is measured without a catalog.
  func startUp(runs: Int) -> [Operation] {
    [["--version"], ["--help"], ["completion", "bash"]].map { words in
      Operation(
        name: words.joined(separator: " "), size: 0, ours: [program("catalog")] + words,
        yardsticks: [("empty", [program("empty")], 3)], runs: runs)
    }
  }
}
