import CatalogModel
import FoundationEssentials
import Glibc
import Lookup
import SourceCopies
import TestSupport

/// Builds copies from damaged dumps, and searches them.
struct DumpFuzzer {
  /// The recorded files of one dump.
  struct Recorded {
    var dump: Dump
    var files: [ExportFuzzer.Export]
  }

  struct Report {
    var mutants = 0
    /// The number of dumps refused with a ``DumpProblem``.
    var refused = 0
    var titles = 0
    var leftOut = 0
    var findings: [Fuzzer.Finding] = []
    var seconds = 0.0
    var hungriest: Fuzzer.Report.Extreme = (0, 0)
  }

  var dumps: [Recorded]
  var seed: UInt64
  /// Called before each mutant, to identify it if the process crashes.
  var begin: (Int, Recorded) -> Void = { _, _ in }
  /// The most memory of one build in bytes; nil for no limit.
  var mostMemory: Int?

  /// The recorded dumps in a folder, without the line in which a recording ends.
  static func recorded(in folder: String) throws -> [Recorded] {
    let paths = try ["dumps", "discogs"].flatMap { part in
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(part)").sorted()
        .filter { part == "dumps" || $0.hasPrefix("dump_") }.map { "\(folder)/\(part)/\($0)" }
    }
    return try Dump.all.compactMap { dump in
      let files = try paths.compactMap { path -> ExportFuzzer.Export? in
        guard isPart(path, of: dump) else { return nil }
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        if path.hasSuffix(".tsv") { bytes.removeSubrange((bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)...) }
        return ExportFuzzer.Export(name: String(path.split(separator: "/").last ?? ""), bytes: bytes)
      }
      return files.isEmpty ? nil : Recorded(dump: dump, files: files)
    }
  }

  private static func isPart(_ path: String, of dump: Dump) -> Bool {
    do {
      _ = try CopyBuild(dump, files: [path], folder: "/")
      return true
    } catch let problem as DumpProblem {
      return problem.reason == .missing
    } catch {
      return false
    }
  }

  func run(_ numbers: some Sequence<Int>) throws -> Report {
    var report = Report()
    let memory = Memory()
    for number in numbers {
      let recorded = dumps[number % dumps.count]
      begin(number, recorded)
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.path("dump"), withIntermediateDirectories: true)
      for file in mutant(number) {
        try Data(file.bytes).write(to: URL(filePath: folder.path("dump/\(file.name)")))
      }
      memory.begin()
      let start = ExportFuzzer.clock()
      var broken = lead(recorded.dump, folder, &report)
      let (seconds, peak) = (ExportFuzzer.clock() - start, memory.peak)
      if let mostMemory, peak > mostMemory { broken.append("it needs \(peak >> 20) MiB") }
      report.mutants += 1
      report.seconds += seconds
      if Double(peak) > report.hungriest.amount { report.hungriest = (Double(peak), number) }
      report.findings += broken.map { Fuzzer.Finding(number: number, recording: recorded.dump.name, words: $0) }
    }
    return report
  }

  /// The files of a dump, one of which is damaged. The same seed and number make the same of the same files.
  func mutant(_ number: Int) -> [ExportFuzzer.Export] {
    var random = SplitMix(seed: seed ^ (UInt64(truncatingIfNeeded: number) &* 0xBF58_476D_1CE4_E5B9))
    var files = dumps[number % dumps.count].files
    // The first mutants are undamaged, to find errors of the reader itself.
    guard number >= dumps.count, let place = files.indices.randomElement(using: &random) else { return files }
    files[place].bytes = ExportFuzzer.damaged(files[place].bytes, using: &random)
    return files
  }

  /// Builds a copy and searches it.
  /// - Returns: the broken invariants of the copy.
  private func lead(_ dump: Dump, _ folder: borrowing TemporaryFolder, _ report: inout Report) -> [String] {
    var promises = Promises()
    do {
      let options = SourceCopyOptions(kinds: [.vinyl, .music], types: ["movie", "short", "tvMovie", "video"])
      let build = try CopyBuild(dump, files: [folder.path("dump")], folder: folder.path, options: options)
      let summary = try build.run()
      report.titles += summary.titles
      report.leftOut += summary.leftOut.values.reduce(0) { $0 + $1.values.reduce(0, +) }
      let copy = try SourceCopy(path: summary.path)
      guard copy.about.titles >= 1 else {
        promises.complain("a copy without a title")
        return promises.broken
      }
      for rank in Set([1, 2, 3, copy.about.titles / 2, copy.about.titles]) where 1...copy.about.titles ~= rank {
        guard let record = try copy.record(at: rank) else {
          promises.complain("no record with the rank \(rank)")
          continue
        }
        promises.check(record)
        let search = Search(words: record.title, kind: record.kind, pageSize: 200)
        for page in [try copy.suggest(search), try copy.search(search)] {
          for candidate in page.candidates { promises.check(candidate.record) }
        }
        for id in record.externalIDs.prefix(1) {
          if try copy.record(id) == nil { promises.complain("no record with the id \(id)") }
        }
      }
    } catch let problem as DumpProblem {
      report.refused += 1
      if problem.message.text(in: nil).isEmpty { promises.complain("it is refused without a reason") }
    } catch {
      promises.complain("it throws \(error)")
    }
    return promises.broken
  }
}

extension DumpFuzzer.Report {
  /// The figures, for people.
  var text: String {
    let time = (seconds * 10).rounded() / 10
    return """
      \(mutants) damaged dumps in \(time) s of processor time: \(titles) titles, \(leftOut) records left out, \
      \(refused) dumps refused
      most memory: \(Int(hungriest.amount) >> 10) KiB (\(hungriest.number))
      \(findings.count) findings
      """
  }
}
