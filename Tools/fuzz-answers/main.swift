// Leads damaged answers of sources through everything that reads answers, and says what is wrong: see Benchmarks/README.md.
//
//     make fuzz                                                 100 000 mutants
//     swift run fuzz-answers [--count N] [--seed N] FOLDER      of the answers in FOLDER/itunes, FOLDER/tmdb, …
//     swift run fuzz-answers --seed N --only NUMBER FOLDER      one of them again, and its bytes on standard output
import FoundationEssentials
import Glibc

/// Writes to standard error.
func complain(_ text: String) { _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) } }

func stop(_ text: String) -> Never {
  complain("fuzz-answers: \(text)\n")
  exit(2)
}

var (count, seed, only) = (100_000, UInt64(42), Int?.none)
var folders: [String] = []
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  switch (word, words.first.flatMap { UInt64($0) }) {
  case ("--count", let number?), ("--seed", let number?), ("--only", let number?):
    words.removeFirst()
    if word == "--seed" { seed = number }
    if word == "--count" { count = Int(clamping: number) }
    if word == "--only" { only = Int(clamping: number) }
  case _ where word.hasPrefix("-"): stop("'\(word)' wants a number, or is not known")
  default: folders.append(word)
  }
}
guard let folder = folders.first, folders.count == 1 else { stop("name the folder with recorded answers") }
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

if let only {
  let mutant = Mutant(only, of: recordings, seed: seed)
  let report = fuzzer.run(CollectionOfOne(only))
  for finding in report.findings { complain("\(finding)\n") }
  complain("\(mutant.recording.name): \(mutant.body.count) bytes, \(report.slowest.amount) s\n")
  var bytes = (mutant.head + [UInt8(ascii: "\n")] + mutant.body)[...]
  while case let count = bytes.withUnsafeBytes({ write(STDOUT_FILENO, $0.baseAddress, $0.count) }), count > 0 {
    bytes = bytes.dropFirst(count)
  }
  exit(report.findings.isEmpty ? 0 : 1)
}

print("seed \(seed), \(recordings.count) recorded answers")
let before = Fuzzer.peakMemory()
let report = fuzzer.run(0..<count)
print(report.text)
print("peak memory: \(before >> 20) MB at the start, \(Fuzzer.peakMemory() >> 20) MB at the end")
for finding in report.findings { complain("\(finding)\n") }
if let first = report.findings.first {
  complain("\(report.findings.count) findings; again: fuzz-answers --seed \(seed) --only \(first.number) FOLDER\n")
  exit(1)
}
