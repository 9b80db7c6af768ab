import Glibc

/// The medians of a command's runs.
struct Measurement {
  /// In milliseconds: the elapsed time, and the user and system time together.
  var wall, processor: Double
  /// The peak memory in MiB.
  var memory: Double
  var status: Int
}

/// The folders and programs of a run of the benchmarks.
struct Bench {
  /// The folder of the catalogs.
  let folder: String
  /// The folder of `catalog`, `catalog-benchmarks`, `floor`, `empty` and `measure`.
  let programs: String

  func file(_ name: String) -> String { "\(folder)/\(name)" }
  func program(_ name: String) -> String { "\(programs)/\(name)" }

  /// Runs the commands in turn, `runs` times each.
  func measure(_ commands: [[String]], runs: Int) throws -> [Measurement] {
    let words = [program("measure"), "\(runs)"] + commands.flatMap { ["--next"] + $0 }
    let lines = try output(of: words).split(separator: "\n")
    guard lines.count == commands.count else { throw Trouble("measure printed \(lines.count) lines") }
    return try zip(lines, commands).map { line, command in
      let numbers = line.split(separator: "\t").compactMap { Double($0) }
      guard numbers.count == 4 else { throw Trouble("measure printed '\(line)'") }
      guard numbers[3] == 0 else {
        throw Trouble("\(command.joined(separator: " ")) ended with status \(Int(numbers[3]))")
      }
      return Measurement(wall: numbers[0], processor: numbers[1], memory: numbers[2] / 1024, status: Int(numbers[3]))
    }
  }

  /// Runs a command with arbitrary arguments and returns its output.
  @discardableResult
  func output(of words: [String]) throws -> String {
    let line = words.map {
      "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
    guard let pipe = popen(line.joined(separator: " "), "r") else { throw Trouble("cannot start \(words[0])") }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { text += buffer[..<count] }
    let status = pclose(pipe)
    guard status == 0 else { throw Trouble("\(words.joined(separator: " ")) failed") }
    return String(decoding: text, as: UTF8.self)
  }

  /// The part of a file that every catalog has.
  static let bare = "items and search"

  /// The bytes of a catalog's tables and their indexes, grouped by purpose.
  func parts(of path: String) throws -> [(part: String, bytes: Int)] {
    let sql = """
      SELECT CASE WHEN tbl_name IN ('copy', 'loan', 'wish') THEN 'copies' WHEN tbl_name = 'log_entry' THEN 'diary'
        WHEN tbl_name IN ('tag', 'item_tag', 'pile', 'pile_item') THEN 'tags and piles'
        WHEN tbl_name IN ('step', 'step_change') THEN 'history' ELSE '\(Self.bare)' END AS part, sum(pgsize)
      FROM dbstat JOIN sqlite_schema USING (name) GROUP BY part ORDER BY sum(pgsize) DESC
      """
    let lines = try output(of: ["sqlite3", "-readonly", path, sql])
    return lines.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|")
      return cells.count == 2 ? Int(cells[1]).map { (String(cells[0]), $0) } : nil
    }
  }
}
