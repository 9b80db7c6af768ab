import FoundationEssentials
import Glibc
import TestSupport

/// Kills builds of a copy of a source at random moments and lets them go on. Each copy must be, byte for byte, that of
/// a build without interruption, and a search must be answered all the time by the copy before.
struct CopyKiller {
  private let home: Home
  private let seed: UInt64
  private let program: String

  private static let films = 20_000
  private static let copy = ".cache/catalog/copies/imdb.db"
  private static let folder = "dump"

  init(in folder: String, seed: UInt64, program: String) throws {
    (home, self.seed, self.program) = (Home(path: folder + "/home"), seed, program)
    try home.make()
    var random = SplitMix(seed: seed)
    var basics = "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n"
    var (crew, names) = (
      "tconst\tdirectors\twriters\n", "nconst\tprimaryName\tbirthYear\tdeathYear\tprimaryProfession\tknownForTitles\n"
    )
    var ratings = "tconst\taverageRating\tnumVotes\n"
    let words = ["night", "river", "기생충", "garden", "winter", "ocean", "house", "서울", "letter", "island"]
    for number in 1...Self.films {
      let title = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        words[Int.random(in: 0..<words.count, using: &random)]
      }
      .joined(separator: " ")
      basics +=
        "tt\(number)\tmovie\t\(title) \(number)\t\(title)\t0\t\(1900 + number % 120)\t\\N\t\(60 + number % 90)\tDrama\n"
      crew += "tt\(number)\tnm\(number % 2_000 + 1)\t\\N\n"
      ratings += "tt\(number)\t6.\(number % 10)\t\(Int.random(in: 5...90_000, using: &random))\n"
    }
    for number in 1...2_000 { names += "nm\(number)\tDirector \(number)\t1950\t\\N\tdirector\t\\N\n" }
    for (name, text) in [("basics", basics), ("crew", crew), ("ratings", ratings)] {
      try home.write(Array(text.utf8), to: "\(Self.folder)/title.\(name).tsv")
    }
    try home.write(Array(names.utf8), to: "\(Self.folder)/name.basics.tsv")
  }

  private var words: [String] { ["source", "build", "imdb", home[Self.folder], "--yes"] }

  func run(kills: Int, begin: (Int) -> Void) throws -> Report {
    var report = Report(columns: "kills", "in the middle", "copies built")
    let name = "source build"
    let clock = ContinuousClock()
    let start = clock.now
    let first = try home.run(words, program: program)
    guard first.status == 0 else { throw Trouble("the build fails: \(first.errors)") }
    let lasting = start.duration(to: clock.now)
    let whole = home.bytes(of: Self.copy)
    var random = SplitMix(seed: seed)
    var number = 0
    while number < kills {
      begin(number)
      // The time from a kill to the next is short enough that a build takes several.
      let moment = Duration.microseconds(Int64.random(in: 0...900_000, using: &random)) * (lasting / .seconds(1))
      let launch = try home.launch(words, program: program)
      usleep(UInt32(moment / .microseconds(1)))
      launch.send(SIGKILL)
      let outcome = launch.finish()
      number += 1
      report.count("kills", of: name)
      if outcome.status == 0 { report.count("copies built", of: name) }
      if outcome.status == 128 + SIGKILL { report.count("in the middle", of: name) }
      let again = "copies --seed \(seed) --count \(number)"
      if outcome.status != 0, outcome.status != 128 + SIGKILL {
        report.fail("it ended with status \(outcome.status): \(outcome.errors)", of: name, again: again)
      }
      if home.bytes(of: Self.copy) != whole {
        report.fail("the copy is another one", of: name, again: again)
        break
      }
      if number % 10 == 0 {
        let found = try home.run(["--offline", "search", "river", "--source", "imdb", "--json"], program: program)
        if found.status != 0 { report.fail("no search: \(found.errors)", of: name, again: again) }
        // Let it go on to its end.
        let last = try home.run(words, program: program)
        if last.status != 0 { report.fail("it does not go on: \(last.errors)", of: name, again: again) }
        report.count("copies built", of: name)
        if home.bytes(of: Self.copy) != whole { report.fail("the copy is another one", of: name, again: again) }
      }
    }
    let left = (try? FileManager.default.contentsOfDirectory(atPath: home[".cache/catalog/copies"])) ?? []
    let strange = left.filter { !["imdb.db", "imdb.db.lock"].contains($0) && !$0.hasPrefix("imdb.db.") }
    if !strange.isEmpty { report.fail("it left \(strange)", of: name, again: "copies --seed \(seed) --count \(kills)") }
    return report
  }
}
