import CatalogModel
import Exchange
import FoundationEssentials
import Glibc
import TestSupport

/// Runs damaged exports of other programs through all readers, as files in a temporary folder.
struct ExportFuzzer {
  /// A file exported by a program.
  struct Export: Sendable {
    var name: String
    var bytes: [UInt8]

    /// All files below a folder.
    static func all(in folder: String) throws -> [Export] {
      try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().compactMap { name in
        var isFolder: Bool = false
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder), !isFolder else {
          return nil
        }
        return Export(name: name, bytes: Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
      }
    }
  }

  struct Report {
    var mutants = 0
    /// The number of exports refused with an ``ImportProblem``.
    var refused = 0
    var rows = 0
    var rejected = 0
    /// The number of exports by detected format.
    var formats: [String: Int] = [:]
    var findings: [Fuzzer.Finding] = []
    var seconds = 0.0
    var slowest: Fuzzer.Report.Extreme = (0, 0)
    var hungriest: Fuzzer.Report.Extreme = (0, 0)
  }

  var exports: [Export]
  var seed: UInt64
  /// Called before each mutant, to identify it if the process crashes.
  var begin: (Int, Export) -> Void = { _, _ in }
  /// Nil disables the limits on time and memory.
  var limits: Fuzzer.Limits?

  func run(_ numbers: some Sequence<Int>) throws -> Report {
    var report = Report()
    guard !exports.isEmpty else { return report }
    let folder = try TemporaryFolder()
    let path = folder.path("export")
    let memory = Memory()
    for number in numbers {
      let export = exports[number % exports.count]
      begin(number, export)
      let bytes = mutant(number)
      try Data(bytes).write(to: URL(filePath: path))
      memory.begin()
      let start = Self.clock()
      var broken = lead(path, number, &report)
      let seconds = Self.clock() - start
      let peak = memory.peak
      if let limits {
        if seconds > limits.seconds + limits.secondsPerByte * Double(bytes.count) {
          broken.append("it takes \(seconds) s")
        }
        if peak > limits.memory { broken.append("it needs \(peak >> 20) MiB") }
      }
      report.mutants += 1
      report.seconds += seconds
      if seconds > report.slowest.amount { report.slowest = (seconds, number) }
      if Double(peak) > report.hungriest.amount { report.hungriest = (Double(peak), number) }
      report.findings += broken.map { Fuzzer.Finding(number: number, recording: export.name, words: $0) }
    }
    return report
  }

  /// A damaged export. The same seed and number make the same of the same exports.
  func mutant(_ number: Int) -> [UInt8] {
    var random = SplitMix(seed: seed ^ (UInt64(truncatingIfNeeded: number) &* 0xBF58_476D_1CE4_E5B9))
    let bytes = exports[number % exports.count].bytes
    // The first mutants are undamaged, to find errors of the reader itself.
    guard number >= exports.count else { return bytes }
    return Self.damaged(bytes, using: &random)
  }

  /// A file with some of its bytes, cells or lines replaced, doubled or gone.
  static func damaged(_ file: [UInt8], using random: inout SplitMix) -> [UInt8] {
    var bytes = file
    if Bool.random(using: &random) { bytes = Mutation.damaged(bytes, using: &random) }
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      let splice = splices.randomElement(using: &random) ?? []
      let length = min(bytes.count - at, Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.insert(contentsOf: splice, at: at)
      case 1: bytes.replaceSubrange(at..<at + length, with: splice)
      case 2:
        // A cell, between two delimiters.
        let marks = Array(",;\t|\n<>\"".utf8)
        let end = bytes[at...].firstIndex { marks.contains($0) } ?? bytes.count
        bytes.replaceSubrange(at..<end, with: splice)
      default:
        // A line twice, or gone.
        let start = bytes[..<at].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = bytes[at...].firstIndex(of: 0x0A) ?? bytes.count - 1
        let line = Array(bytes[start...end])
        if Bool.random(using: &random) {
          bytes.insert(contentsOf: line, at: start)
        } else {
          bytes.removeSubrange(start...end)
        }
      }
    }
    return bytes
  }

  /// Bytes to insert anywhere.
  private static let splices: [[UInt8]] =
    [
      "", ",", ";", "\t", "|", "\n", "\r", "\r\n", "\"", "\"\"", "\"\"\"", "=\"", "=\"0306406152\"", "[", "]", "[]",
      "<",
      "</", "<a>", "<!--", "<![CDATA[", "<!DOCTYPE a [<!ENTITY x \"y\">]>", "&x;", "&#0;", "&amp;", "<?", "{\"a\":",
      "0",
      "-1", "-50", "99999999999999999999", "1e400", "NaN", "0000-00-00", "9999-99-99", "31/02/2020", "4.25", "★★★★½",
      "5/5",
      "11/10", "101%", "-720.0", "9.78043902348e+12", "Yes", "\u{1b}]0;x\u{7}", "\u{202e}", "기생충", "e\u{301}", "👩‍👩‍👧",
      "(The Series, #1)", "(#", "(((((", " (2)*", "[b][url=", "{\\rtf1\\'", "javascript:alert(1)", "http://", "tt1",
      "Letterboxd list export v7\n", "SQLite format 3\0", "PK\u{3}\u{4}", "\u{FEFF}", "0 KRW", "€12,50",
      "1,2,3,4,5,6,7,8,9",
    ].map { Array($0.utf8) } + [
      [0xFF, 0xFE], [0xFE, 0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x80], [0xB0, 0xA1], [0],
      Array(repeating: 0, count: 64),
      Array(repeating: UInt8(ascii: "x"), count: 70_000), Array(repeating: UInt8(ascii: "\""), count: 999),
      Array(repeating: UInt8(ascii: ","), count: 12_000), Array(repeating: UInt8(ascii: "<"), count: 500),
    ]

  /// Reads the file as an import does.
  /// - Returns: the broken invariants of the result.
  private func lead(_ path: String, _ number: Int, _ report: inout Report) -> [String] {
    var promises = Promises()
    var keys: Set<String> = []
    do {
      let kind = Kind.shelved[number % Kind.shelved.count]
      let opened = try Import(path: path, choices: ImportChoices(kind: kind))
      report.formats[opened.formatID, default: 0] += 1
      var rows = 0
      try opened.rows { row in
        rows += 1
        if !keys.insert(row.key).inserted { promises.complain("the key '\(row.key)' stands there twice") }
        if row.line < 1 { promises.complain("a row of line \(row.line)") }
        switch row.content {
        case .success(let entry):
          report.rows += 1
          promises.check(entry)
        case .failure(let why):
          report.rejected += 1
          if why.description.isEmpty { promises.complain("a row is rejected without a reason") }
        }
        return true
      }
    } catch let problem as ImportProblem {
      report.refused += 1
      if problem.description.isEmpty { promises.complain("it is refused without a reason") }
    } catch {
      promises.complain("it throws \(error)")
    }
    return promises.broken
  }

  /// Processor time of this thread, in seconds.
  static func clock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Promises {
  /// Checks the invariants of an entry.
  mutating func check(_ entry: Entry) {
    check(entry.record)
    if !entry.record.kind.isShelved { complain("a \(entry.record.kind) that cannot be kept") }
    if entry.times.count > 500 { complain("it was seen \(entry.times.count) times") }
    if entry.times.count(where: { $0.outcome == .ongoing }) > 1 { complain("it goes on twice") }
    let opinions = entry.opinions + entry.times.compactMap(\.opinion)
    if opinions.contains(where: { $0.comment?.isEmpty == true || $0.comment.map { $0.count > 10_000 } ?? false }) {
      complain("an opinion of no words, or of too many")
    }
    if entry.wish != nil, !entry.copies.isEmpty { complain("what is owned is wished for") }
    let words = entry.tags + entry.piles.map(\.pile) + entry.copies.compactMap { $0.facts.place }
    if words.contains(where: { $0.isEmpty || $0.contains("\n") || $0.contains("\u{1b}") }) {
      complain("a name of no line")
    }
    if entry.notes.contains(where: { $0.isEmpty || $0.contains("\u{1b}") }) { complain("a note that is none") }
    if entry.copies.contains(where: { $0.facts.price?.minorUnits ?? 0 < 0 }) { complain("a price below nothing") }
  }
}

extension ExportFuzzer.Report {
  /// The figures, for people.
  var text: String {
    func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
    let known = formats.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return """
      \(mutants) damaged exports in \(rounded(seconds)) s of processor time: \(rows) rows kept, \(rejected) rejected, \(refused) files refused
      taken for: \(known)
      slowest: mutant \(slowest.number), \(rounded(slowest.amount * 1e3)) ms
      hungriest: mutant \(hungriest.number), \(rounded(hungriest.amount / 1e6)) MB
      """
  }
}
