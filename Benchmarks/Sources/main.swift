import Glibc
import SQLite

// The in-process half of the benchmarks, and the maker of their catalogs. `Benchmarks/run` runs it all.

Connection.useSingleThread()
Connection.countNoMemory()
do {
  let words = CommandLine.arguments.dropFirst()
  switch (words.first, Array(words.dropFirst())) {
  case ("generate", let words) where (2...3).contains(words.count):
    try generate(count: Int(words[0]) ?? 0, from: words.count == 3 ? Int(words[2]) ?? 0 : 0, into: words[1])
  case ("fill", let words) where words.count == 2: try fill(words[1], from: words[0])
  case ("csv", let words) where words.count == 2: try writeTable(of: words[0], into: words[1])
  case ("life", let words) where words.count == 1: try addLife(to: words[0])
  case ("fill-without-history", let words) where words.count == 2: try fill(words[1], from: words[0], isStep: false)
  case ("type", let words) where words.count == 1:
    for hangul in [false, true] { print(try searchAsYouType(in: words[0], hangul: hangul)) }
  case ("pictures", let words) where words.count == 1:
    print(table([Figure.heading] + (try picturesUsed(in: words[0], runs: 501)).map(\.cells)), terminator: "")
  case ("decode", _): print(try decodeAnswers(runs: 200))
  case ("generate-dump", let words) where (2...3).contains(words.count):
    try writeReleases(count: Int(words[0]) ?? 0, to: words[1], isFull: words.count == 2)
  case ("build-copy", let words) where words.count == 1: try CopyBenchmark(folder: words[0]).build()
  case ("ask-copy", let words) where words.count == 1: try CopyBenchmark(folder: words[0]).ask()
  case ("ask-peer", let words) where words.count == 2:
    try CopyBenchmark(folder: words[0]).askPeer(madeIn: Int(words[1]) ?? 1)
  case ("run", let words) where words.count == 5:
    let sizes = words[2].split(separator: ",").compactMap { Int($0) }
    try runAll(
      Bench(folder: words[0], programs: words[1]), sizes: sizes, runs: Int(words[3]) ?? 21,
      json: words[4].isEmpty ? nil : words[4])
  default: throw Trouble("use Benchmarks/run")
  }
} catch {
  complain("benchmarks: \(error)\n")
  exit(1)
}

/// Writes to standard error.
func complain(_ text: String) { _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) } }
