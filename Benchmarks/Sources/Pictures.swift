import FoundationEssentials
import Glibc
import Lookup

/// Measures the use of one of `count` pictures in a full cache, and the insertion of another one, which removes a
/// picture. Returns the medians of `runs` in milliseconds.
func usePictures(count: Int, in file: String, runs: Int) throws -> (use: Double, keep: Double) {
  for name in [file, file + "-journal"] { unlink(name) }
  let size = 1024
  let cache = PictureCache(in: CacheDatabase(path: file)) { count * size }
  // The parts of a PNG, which are all that is checked.
  func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + Array(name.utf8) + data + [0, 0, 0, 0]
  }
  let picture =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [0, 0, 0, 90, 0, 0, 0, 90, 8, 0, 0, 0, 0])
    + chunk("IDAT", [UInt8](repeating: 7, count: size - 57)) + chunk("IEND", [])
  var date = Date()
  let client = HTTPClient(each: { _ in .success(Response(status: 200, body: picture)) })
  func send(_ numbers: some Sequence<Int>) {
    date += 1
    let moment = date
    _ = client.keepingPictures(in: cache, now: { moment })
      .send(numbers.map { Request(source: "covers", url: address($0)) })
  }
  func address(_ number: Int) -> String { "https://pictures.example/thumb/Music/v4/\(number)/source/600x600bb.jpg" }

  for start in stride(from: 0, to: count, by: 1000) { send(start..<min(start + 1000, count)) }
  // Some are used more often than others, most of them once.
  var random = Random(state: 20_261_121)
  for _ in 0..<20 { send((0..<100).map { _ in min(random.below(count), random.below(count)) }) }

  var (use, keep): ([Double], [Double]) = ([], [])
  for _ in 0..<runs {
    date += 1
    let number = random.below(count)
    let start = now()
    let found = cache.bytes(for: address(number), now: date)
    use.append(now() - start)
    guard found != nil else { throw Trouble("a picture that was kept is not there") }
  }
  for run in 0..<runs {
    date += 1
    let start = now()
    cache.keep(picture, for: address(count + run), now: date)
    keep.append(now() - start)
  }
  let totals = cache.totals(now: date)
  guard totals.pictures == count else { throw Trouble("\(totals.pictures) pictures are kept, and not \(count)") }
  return (Percentiles(use).p50, Percentiles(keep).p50)
}

/// The cost at some numbers of pictures, each against that at the first: it must not grow with them.
func picturesUsed(in folder: String, counts: [Int] = [100, 10_000, 100_000], runs: Int) throws -> [Figure] {
  var figures: [Figure] = []
  var first: (use: Double, keep: Double)?
  for count in counts {
    let cost = try usePictures(count: count, in: "\(folder)/pictures.db", runs: runs)
    let least = first ?? cost
    first = least
    for (name, ours, theirs) in [("picture used", cost.use, least.use), ("picture kept", cost.keep, least.keep)] {
      figures.append(
        Figure(
          operation: name, size: count, ours: ours, unit: "ms", yardstick: "\(counts[0])", theirs: theirs, budget: 2))
    }
  }
  return figures
}
