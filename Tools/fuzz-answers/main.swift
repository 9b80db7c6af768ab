// Runs damaged answers of sources through all code that reads answers, and reports failures: see Benchmarks/README.md.
//
//     make fuzz                                                 100 000 mutants
//     swift run fuzz-answers [--count N] [--seed N] FOLDER      of the answers in FOLDER/itunes, FOLDER/tmdb, …
//     swift run fuzz-answers --seed N --only NUMBER FOLDER      one of them again, and its bytes on standard output
//     swift run fuzz-answers --heavy …                          valid answers that are very large
//     swift run fuzz-answers --quick …                          each runs through one reader, not all
//     swift run fuzz-answers --exports …                        exports of other programs, in FOLDER/exports
//     swift run fuzz-answers --dumps …                          dumps of sources, in FOLDER/dumps and FOLDER/discogs
//     swift run fuzz-answers --read FILE                        the import of one file, with its time and memory
import CatalogModel
import Exchange
import FoundationEssentials
import Glibc
import Lookup
import SourceCopies

/// Writes to standard error.
func complain(_ text: String) { _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) } }

func stop(_ text: String) -> Never {
  complain("fuzz-answers: \(text)\n")
  exit(2)
}

var (count, seed, only) = (100_000, UInt64(42), Int?.none)
var folders: [String] = []
var (isHeavy, isQuick, isOfExports, isOfDumps, isReading) = (false, false, false, false, false)
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  switch (word, words.first.flatMap { UInt64($0) }) {
  case ("--count", let number?), ("--seed", let number?), ("--only", let number?):
    words.removeFirst()
    if word == "--seed" { seed = number }
    if word == "--count" { count = Int(clamping: number) }
    if word == "--only" { only = Int(clamping: number) }
  case ("--heavy", _): isHeavy = true
  case ("--quick", _): isQuick = true
  case ("--exports", _): isOfExports = true
  case ("--dumps", _): isOfDumps = true
  case ("--read", _): isReading = true
  case _ where word.hasPrefix("-"): stop("'\(word)' wants a number, or is not known")
  default: folders.append(word)
  }
}
guard let folder = folders.first, folders.count == 1 else { stop("name the folder with recorded answers") }

if isReading {
  let memory = Memory()
  memory.begin()
  var (rows, rejected) = (0, 0)
  do {
    try Import(path: folder, choices: ImportChoices(kind: .movie)).rows { row in
      if case .failure = row.content { rejected += 1 } else { rows += 1 }
      return true
    }
  } catch {
    print("refused: \(error)")
  }
  print("\(rows) rows, \(rejected) rejected, \(memory.peak >> 10) KiB")
  exit(memory.peak > Fuzzer.Limits.usual.memory ? 1 : 0)
}

if isOfExports {
  var fuzzer: ExportFuzzer
  do {
    fuzzer = ExportFuzzer(exports: try ExportFuzzer.Export.all(in: folder + "/exports"), seed: seed)
  } catch { stop("\(error)") }
  guard !fuzzer.exports.isEmpty else { stop("there are no exports in '\(folder)/exports'") }
  Watch.install()
  fuzzer.limits = .usual
  fuzzer.begin = { number, export in
    Watch.set(
      """
      fuzz-answers: mutant \(number) of \(export.name) brings the program down
      again: fuzz-answers --exports --seed \(seed) --only \(number) FOLDER

      """)
  }
  do {
    let report = try fuzzer.run(only.map { $0..<$0 + 1 } ?? 0..<count)
    for finding in report.findings.prefix(1_000) { complain("\(finding)\n") }
    if let only {
      let bytes = fuzzer.mutant(only)
      _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    } else {
      print("seed \(seed), \(fuzzer.exports.count) exports")
      print(report.text)
    }
    exit(report.findings.isEmpty ? 0 : 1)
  } catch { stop("\(error)") }
}

if isOfDumps {
  var fuzzer: DumpFuzzer
  do { fuzzer = DumpFuzzer(dumps: try DumpFuzzer.recorded(in: folder), seed: seed) } catch { stop("\(error)") }
  guard !fuzzer.dumps.isEmpty else { stop("there are no dumps in '\(folder)'") }
  Watch.install()
  fuzzer.mostMemory = Fuzzer.Limits.usual.memory
  fuzzer.begin = { number, recorded in
    Watch.set(
      """
      fuzz-answers: mutant \(number) of \(recorded.dump.name) brings the program down
      again: fuzz-answers --dumps --seed \(seed) --only \(number) FOLDER

      """)
  }
  do {
    let report = try fuzzer.run(only.map { $0..<$0 + 1 } ?? 0..<count)
    for finding in report.findings.prefix(1_000) { complain("\(finding)\n") }
    print("seed \(seed), \(fuzzer.dumps.count) dumps")
    print(report.text)
    exit(report.findings.isEmpty ? 0 : 1)
  } catch { stop("\(error)") }
}

let recordings: [Recording]
do { recordings = try Recording.all(in: folder) } catch { stop("\(error)") }
guard !recordings.isEmpty else { stop("there are no recorded answers in '\(folder)'") }

var fuzzer = Fuzzer(recordings: recordings, seed: seed)
Watch.install()
fuzzer.begin = { mutant in
  Watch.set(
    """
    fuzz-answers: mutant \(mutant.number) of \(mutant.recording.name) brings the program down
    again: fuzz-answers --seed \(seed) --only \(mutant.number) FOLDER

    """)
}

fuzzer.limits = .usual
fuzzer.isThorough = !isQuick
if isHeavy { (fuzzer.isHeavy, fuzzer.mostBytes) = (true, Request.usualSizeLimit) }

if let only {
  let mutant = Mutant(only, of: recordings, seed: seed, mostBytes: fuzzer.mostBytes, isHeavy: isHeavy)
  let report = fuzzer.run(CollectionOfOne(only))
  for finding in report.findings { complain("\(finding)\n") }
  let figures = "\(mutant.body.count) bytes, \(report.slowest.amount) s, \(Int(report.hungriest.amount) >> 10) KiB"
  complain("\(only) \(mutant.recording.name): \(figures)\n")
  var bytes = (mutant.head + [UInt8(ascii: "\n")] + mutant.body)[...]
  while case let count = bytes.withUnsafeBytes({ write(STDOUT_FILENO, $0.baseAddress, $0.count) }), count > 0 {
    bytes = bytes.dropFirst(count)
  }
  exit(report.findings.isEmpty ? 0 : 1)
}

// Each mutant has its own process, because memory retained by the allocator would count for the next one.
if isHeavy {
  var failures = 0
  for number in 0..<count {
    let words =
      CommandLine.arguments.prefix(1) + (isQuick ? ["--quick"] : []) + [
        "--heavy", "--seed", "\(seed)", "--only", "\(number)", folder,
      ]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var (process, status) = (pid_t(), Int32(1))
    guard posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, environ) == 0,
      waitpid(process, &status, 0) == process
    else { stop("cannot start itself again") }
    if status != 0 { failures += 1 }
  }
  print("\(count) heavy mutants, \(failures) findings")
  exit(failures == 0 ? 0 : 1)
}

print("seed \(seed), \(recordings.count) recorded answers")
let report = fuzzer.run(0..<count)
print(report.text)
for finding in report.findings { complain("\(finding)\n") }
if let first = report.findings.first {
  complain("\(report.findings.count) findings; again: fuzz-answers --seed \(seed) --only \(first.number) FOLDER\n")
  exit(1)
}
