import CatalogModel
import Glibc
import Lookup
import SQLite
import SourceCopies

/// The figures of copies of sources, each with its limit: `Benchmarks/run copies`.
struct CopyBenchmark {
  let folder: String

  /// Builds a copy of the dump in a folder and prints what it took.
  func build() throws {
    guard let dump = Dump.named("discogs") else { throw Trouble("there is no dump of Discogs") }
    let build = try CopyBuild(dump, files: ["\(folder)/releases.xml.gz"], folder: folder)
    let start = now()
    var readingSeconds = 0.0
    let summary = try build.run { progress in
      if case .reading = progress.phase { readingSeconds = usage(RUSAGE_SELF.rawValue).seconds }
      complain("\r\(progress.phase) \(progress.rows) rows, \(Int(progress.rate))/s        ")
    }
    let seconds = (now() - start) / 1_000
    complain("\n")
    let (own, children) = (usage(RUSAGE_SELF.rawValue), usage(RUSAGE_CHILDREN.rawValue))
    let titles = Double(summary.titles)
    show("titles", titles, "", nil)
    show("bytes a title", Double(summary.bytes) / titles, "B", 160)
    show("titles a second, elapsed", titles / seconds, "", nil)
    let idle = max(readingSeconds, children.seconds) + own.seconds - readingSeconds
    show("titles a second on two idle cores", titles / idle, "", nil, least: 30_000)
    show("seconds of the processor, without unpacking", own.seconds, "s", nil)
    show("  of them reading", readingSeconds, "s", nil)
    show("seconds of the processor, unpacking", children.seconds, "s", nil)
    show("memory", own.memory, "MiB", 512)
  }

  /// Asks a copy and prints the times.
  func ask() throws {
    let path = "\(folder)/discogs.db"
    try askCold(path)
    let copy = try SourceCopy(path: path)
    let count = copy.about.titles
    var random = Random(state: 11)
    var (latin, hangul): ([String], [String]) = ([], [])
    var records: [Record] = []
    var codes: [Code] = []
    while latin.count < 400 || hangul.count < 100 {
      let rank = Self.rank(among: count, using: &random)
      guard let record = try copy.record(at: rank, as: .vinyl) else { continue }
      let isHangul = record.title.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
      if isHangul, hangul.count < 100 { hangul.append(record.title) }
      if !isHangul, latin.count < 400 { latin.append(record.title) }
      records.append(record)
    }
    for (name, titles) in [("titles", latin), ("Korean titles", hangul)] {
      try type(name, titles.flatMap(keys), in: copy)
    }
    try type(
      "maker and title", records.prefix(200).flatMap { keys("\($0.creators.first ?? "") \($0.title)") }, in: copy)
    try type(
      "rarest word and a letter",
      latin.prefix(200).compactMap { $0.split(separator: " ").max { $0.utf8.count < $1.utf8.count } }.flatMap { word in
        ["\(word) a", "\(word) st", "a \(word)", "the \(word.prefix(3))"]
      }, in: copy)
    var generator = TitleGenerator(count: count)
    for _ in 0..<min(count, 20_000) {
      if let code = generator.next().code, let barcode = Self.barcode(code) { codes.append(.barcode(barcode)) }
    }
    var found = 0
    let lookUps = try codes.prefix(2_000).map { code in
      try time { found += try copy.lookUp(code, as: .vinyl).isEmpty ? 0 : 1 }
    }
    show("codes found, of \(lookUps.count)", Double(found), "", nil)
    show("code, p99", Times(lookUps).p99, "ms", 1)
    let ids = try records.prefix(2_000).compactMap(\.externalIDs.first).map { id in
      try time { _ = try copy.record(id, as: .vinyl) }
    }
    show("id, p99", Times(ids).p99, "ms", 1)
    let searches = try records.prefix(300).map { record in
      try time { _ = try copy.search(Search(words: record.title, kind: .vinyl)) }
    }
    show("search, p50", Times(searches).p50, "ms", nil)
    show("search, p99", Times(searches).p99, "ms", nil)
    var alike = 0
    let matching = try time {
      for number in 0..<2_000 {
        var record = records[number % records.count]
        record.externalIDs = []
        record.vinyl.barcode = nil
        // A wrong letter, a word less, or as it is.
        switch number % 20 {
        case 0..<3: record.title = String(record.title.dropLast()) + "x"
        case 3..<6: record.title = record.title.split(separator: " ").dropLast().joined(separator: " ")
        default: break
        }
        if try !copy.like(record).isEmpty { alike += 1 }
      }
    }
    show("2 000 records matched", matching / 1_000, "s", 0.5)
    show("of them found", Double(alike), "", nil)
  }

  /// Asks a database that sqlite-utils made of the same titles, by the query of `sqlite-utils search`.
  /// - Parameter seconds: the time that it was made in.
  func askPeer(madeIn seconds: Int) throws {
    let copy = try SourceCopy(path: "\(folder)/discogs.db")
    let db = try Connection(.file("\(folder)/peer.db"), mode: .readOnly)
    let count = copy.about.titles
    let bytes = try db.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", as: Int.self)
    show("sqlite-utils: bytes a title", Double(bytes ?? 0) / Double(count), "B", nil)
    show("sqlite-utils: titles a second, from CSV", Double(count) / Double(max(1, seconds)), "", nil)
    var random = Random(state: 11)
    var titles: [String] = []
    while titles.count < 40 {
      let rank = Self.rank(among: count, using: &random)
      if let record = try copy.record(at: rank, as: .vinyl), record.title.utf8.allSatisfy({ $0 < 128 }) {
        titles.append(record.title)
      }
    }
    func times(_ body: (String) throws -> Void) throws -> Times {
      Times(try titles.flatMap(keys).map { key in try time { try body(key) } })
    }
    let theirs = try times { key in
      let words = key.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }
      guard !words.isEmpty else { return }
      let match = words.joined(separator: " ") + "*"
      _ = try db.values(
        """
        WITH original AS (SELECT rowid, * FROM titles) SELECT original.title FROM original
        JOIN titles_fts ON original.rowid = titles_fts.rowid WHERE titles_fts MATCH \(match)
        ORDER BY titles_fts.rank LIMIT 20
        """, as: String.self)
    }
    let ours = try times { key in _ = try copy.suggest(Search(words: key, kind: .vinyl)) }
    for (name, times) in [("sqlite-utils", theirs), ("catalog", ours)] {
      show("\(name): key, p50", times.p50, "ms", nil)
      show("\(name): key, p99", times.p99, "ms", nil)
    }
  }

  /// A rank: half by fame, half any.
  private static func rank(among count: Int, using random: inout Random) -> Int {
    let unit = Double(random.below(1 << 30)) / Double(1 << 30)
    return 1 + Int(Double(count - 1) * (random.below(2) == 0 ? pow(unit, 4) : unit))
  }

  /// The first key of an opened copy, of which nothing is in memory.
  private func askCold(_ path: String) throws {
    var times: [Double] = []
    for letter in ["m", "s", "th", "li", "가"] {
      let descriptor = open(path, O_RDONLY)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
      let start = now()
      _ = try SourceCopy(path: path).suggest(Search(words: letter, kind: .vinyl))
      times.append(now() - start)
    }
    show("first key, cold, the slowest of 5", times.max() ?? 0, "ms", 100)
  }

  private func type(_ name: String, _ keys: [String], in copy: SourceCopy) throws {
    let times = try keys.map { words in
      try time { _ = try copy.suggest(Search(words: words, kind: .vinyl)) }
    }
    let all = Times(times)
    if let most = Int(CommandLine.arguments.last ?? "") {
      for (key, time) in zip(keys, times).sorted(by: { $0.1 > $1.1 }).prefix(most) { print("  \(time) ms: \(key)") }
    }
    show("\(name): \(times.count) keys, p50", all.p50, "ms", nil)
    show("  p95", all.p95, "ms", nil)
    show("  p99", all.p99, "ms", 8)
    show("  p99.9", all.p999, "ms", nil)
    show("  max", all.max, "ms", nil)
  }

  /// The beginnings of a text, as they are typed, 30 at most.
  private func keys(_ text: String) -> [String] {
    let scalars = Array(text.unicodeScalars.prefix(30))
    return scalars.indices.map { place in
      String(String.UnicodeScalarView(scalars[...place]))
    }
  }

  private static func barcode(_ code: UInt64) -> Barcode? {
    (0...9).lazy.compactMap { try? Barcode("\(code)\($0)") }.first
  }

  // MARK: Measuring

  private struct Times {
    let sorted: [Double]
    init(_ times: [Double]) { sorted = times.sorted() }
    private func at(_ part: Double) -> Double {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }
    var p50: Double { at(0.5) }
    var p95: Double { at(0.95) }
    var p99: Double { at(0.99) }
    var p999: Double { at(0.999) }
    var max: Double { sorted.last ?? 0 }
  }

  /// The processor time of this thread in milliseconds, which other programs do not change.
  private func time(_ body: () throws -> Void) rethrows -> Double {
    func processor() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
    let start = processor()
    try body()
    return processor() - start
  }

  private func usage(_ who: Int32) -> (seconds: Double, memory: Double) {
    var usage = rusage()
    getrusage(who, &usage)
    let seconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    return (seconds, Double(usage.ru_maxrss) / 1_024)
  }

  private func show(_ name: String, _ value: Double, _ unit: String, _ limit: Double?, least: Double? = nil) {
    let verdict =
      limit.map { value > $0 ? "OVER \($0)" : "ok, at most \($0)" }
      ?? least.map { value < $0 ? "UNDER \(Int($0))" : "ok, at least \(Int($0))" } ?? ""
    let figure = value >= 1_000 ? "\(Int(value))" : "\((value * 1_000).rounded() / 1_000)"
    print("\(name): \(figure) \(unit)  \(verdict)")
  }
}
