import CatalogModel
import FoundationEssentials
import Glibc
import Lookup
import Synchronization

/// Runs damaged answers through all code that reads answers.
struct Fuzzer {
  var recordings: [Recording]
  var seed: UInt64
  /// Called before each mutant, to identify it if the process crashes.
  var begin: (Mutant) -> Void = { _ in }
  /// The maximum size of a mutant in bytes, unless the answer itself is longer.
  var mostBytes = 1 << 20
  /// Whether the mutants are valid and only very large.
  var isHeavy = false
  /// Whether each mutant runs through every suitable reader, rather than through one of them in turn.
  var isThorough = true
  /// Nil disables the limits on time and memory: beside other work, in a debug build.
  var limits: Limits?

  /// A failure of one mutant.
  struct Finding: Hashable, CustomStringConvertible {
    var number: Int
    var recording: String
    var words: String
    var description: String { "mutant \(number) of \(recording): \(words)" }
  }

  /// The totals of one source's mutants.
  struct Tally {
    var mutants = 0
    var bytes = 0
    /// The numbers of successful readings, and of those refused with a ``SourceError``.
    var read = 0
    var refused = 0
    var seconds = 0.0
  }

  /// The limits of one mutant: a base time, a time for each byte, and memory.
  struct Limits: Sendable {
    /// Processor time.
    var seconds: Double
    var secondsPerByte: Double
    /// The peak memory, including the answer, beyond that of the idle process.
    var memory: Int

    /// The time is many times the usual one, on a slow machine; the memory is the promised maximum for an answer.
    static let usual = Limits(seconds: 1, secondsPerByte: 20e-6, memory: 64 << 20)
  }

  struct Report {
    /// A figure and the number of its mutant.
    typealias Extreme = (amount: Double, number: Int)

    var tallies: [String: Tally] = [:]
    var findings: [Finding] = []
    /// In seconds.
    var slowest: Extreme = (0, 0)
    /// In seconds per byte.
    var slowestForItsSize: Extreme = (0, 0)
    /// The peak memory while reading a mutant, in bytes.
    var hungriest: Extreme = (0, 0)
    var mutants: Int { tallies.values.reduce(0) { $0 + $1.mutants } }
  }

  /// The maximum number of requests for one look-up.
  static let mostQuestions = 60

  func run(_ numbers: some Sequence<Int>) -> Report {
    var report = Report()
    guard !recordings.isEmpty else { return report }
    let ids = recordings.map(wanted(of:))
    let memory = Memory()
    for number in numbers {
      let mutant = Mutant(number, of: recordings, seed: seed, mostBytes: mostBytes, isHeavy: isHeavy)
      begin(mutant)
      let start = Self.clock()
      memory.begin()
      let (trial, bytes) = lead(mutant, ids: ids[number % recordings.count])
      let (seconds, peak) = (Self.clock() - start, memory.peak)
      var broken = trial.promises.broken
      if let limits {
        let size = mutant.body.count + bytes
        if seconds > limits.seconds + limits.secondsPerByte * Double(size) { broken.append("it takes \(seconds) s") }
        if peak > limits.memory { broken.append("it needs \(peak >> 20) MiB") }
      }
      report.findings += broken.map { Finding(number: number, recording: mutant.recording.name, words: $0) }
      // For few bytes, the time is that of the requests.
      let perByte = seconds / Double(max(bytes, 64 << 10))
      if seconds > report.slowest.amount { report.slowest = (seconds, number) }
      if perByte > report.slowestForItsSize.amount { report.slowestForItsSize = (perByte, number) }
      if Double(peak) > report.hungriest.amount { report.hungriest = (Double(peak), number) }
      var tally = report.tallies[mutant.recording.source.id] ?? Tally()
      tally.mutants += 1
      tally.bytes += mutant.body.count
      tally.read += trial.read
      tally.refused += trial.refused
      tally.seconds += seconds
      report.tallies[mutant.recording.source.id] = tally
    }
    return report
  }

  // MARK: Asking

  /// The ids to request from the source of a recording: those in the recording, and fixed ones of the source's other
  /// recordings.
  private func wanted(of recording: Recording) -> [ExternalID] {
    let source = recording.source
    let found = source.kinds.flatMap { kind in
      (try? source.read(recording.response, Search(words: "x", kind: kind), source.settings()))?.candidates ?? []
    }
    let values: [String] =
      switch source.id {
      case "tmdb": ["550"]
      case "openlibrary": ["OL45804W", "OL7353617M"]
      case "googlebooks": ["hV--zQEACAAJ"]
      case "discogs": ["1", "master/4242"]
      case "musicbrainz":
        ["e47d04a4-7460-427d-a731-cc82386d85f1", "release-group/f5093c06-23e3-404f-aeaa-40f72885ee3a"]
      case "itunes": ["collection/101"]
      case "wikidata": ["Q100"]
      case "inventaire": ["wd:Q10", "isbn:9780375757853"]
      default: []
      }
    return (found.prefix(2).map(\.id) + values.map { ExternalID(source: source.id, value: $0) })
      .withoutRepeats(by: \.self)
  }

  /// The result of one mutant.
  private struct Trial {
    var promises = Promises()
    var read = 0
    var refused = 0

    /// Runs one reader, which can throw only a ``SourceError``.
    mutating func reading<T>(_ body: () throws(SourceError) -> T, check: (inout Promises, T) -> Void) {
      do throws(SourceError) {
        check(&promises, try body())
        read += 1
      } catch {
        refused += 1
      }
    }
  }

  private func lead(_ mutant: Mutant, ids: [ExternalID]) -> (Trial, bytes: Int) {
    let source = mutant.recording.source
    var trial = Trial()
    var settings = source.settings()
    settings.key = "sesame"
    let (client, asked) = client(for: mutant, &trial)

    let readers = readers(of: mutant, ids: ids, settings, client)
    if isThorough {
      for read in readers { read(&trial) }
    } else {
      // Another one for the next mutant, and for the next of this recording.
      readers[(mutant.number + mutant.number / recordings.count) % readers.count](&trial)
    }
    let questions = asked.count.load(ordering: .relaxed)
    if questions > Self.mostQuestions * readers.count { trial.promises.complain("\(questions) questions were asked") }
    return (trial, asked.bytes.load(ordering: .relaxed))
  }

  private typealias Reader = (inout Trial) -> Void

  /// Everything that could meet the mutant.
  private func readers(
    of mutant: Mutant, ids: [ExternalID], _ settings: SourceSettings, _ client: HTTPClient
  ) -> [Reader] {
    let source = mutant.recording.source
    var readers: [Reader] = [
      {
        $0.reading { () throws(SourceError) in
          try JSON(answer: mutant.body)
        } check: { _, _ in
        }
      },
      { trial in
        trial.promises.check(
          prose: PlainText.text(
            ofHTML: String(decoding: mutant.body.prefix(JSON.Form.answer.longestText), as: UTF8.self)))
        for bytes in [mutant.picture, mutant.body] {
          ImageInfo(bytes).map { trial.promises.check($0) }
          _ = try? ImageInfo.whole(bytes)
        }
      },
    ]
    // A source of albums is asked for records too.
    let kinds = source.kinds + (source.kinds.contains(.music) ? [.vinyl] : [])
    for kind in kinds {
      let search = Search(words: "x", kind: kind, page: mutant.page, pageSize: mutant.pageSize)
      readers.append {
        $0.reading { () throws(SourceError) in
          try source.page(of: search, settings, using: client)
        } check: {
          $0.check($1)
        }
      }
    }
    if let fetch = source.fetch {
      let kind = kinds[mutant.number / recordings.count % kinds.count]
      for id in ids {
        readers.append {
          $0.reading { () throws(SourceError) in
            try fetch(id, kind, settings, client).record
          } check: {
            $0.check($1)
          }
        }
      }
    }
    if let lookUp = source.lookUp {
      for code in Self.codes {
        readers.append {
          $0.reading { () throws(SourceError) in
            try lookUp(code, settings, client)
          } check: { promises, found in
            for candidate in found { promises.check(candidate) }
          }
        }
      }
    }
    if let movieParts = source.movieParts, let id = ids.first {
      let all = Set(MovieParts.Part.allCases)
      readers.append { $0.promises.check(movieParts(id, all, settings, client), asked: all) }
    }
    if let find = source.find {
      readers.append {
        $0.reading { () throws(SourceError) in
          try find(ExternalID(source: "imdb", value: "tt1375666"), settings, client)
        } check: { promises, found in
          if let found { promises.check(found) }
        }
      }
    }
    if source.pressings != nil {
      for id in ids {
        readers.append {
          $0.reading { () throws(SourceError) in
            try source.pressings(of: id, isAll: mutant.page > 1, settings, using: client)
          } check: { promises, page in
            if let page { promises.check(page) }
          }
        }
      }
    }
    if source.trending != nil {
      readers.append {
        $0.reading { () throws(SourceError) in
          try source.trendingPage(settings, using: client)
        } check: {
          $0.check($1)
        }
      }
    }
    return readers
  }

  private static let codes: [Code] = [
    (try? ISBN("9780306406157")).map { .isbn($0) }, (try? Barcode("074643811224")).map { .barcode($0) },
    (try? Barcode("0074643811224")).map { .barcode($0) },
  ].compactMap(\.self)

  /// The number of requests, and of bytes in their answers.
  private final class Asked: Sendable {
    let count = Atomic(0)
    let bytes = Atomic(0)
  }

  /// A network that answers with the mutant in place of its recording, and with recordings for other requests. It
  /// includes the layers that read headers: ``Head``, redirects, retries, the cache.
  private func client(for mutant: Mutant, _ trial: inout Trial) -> (HTTPClient, Asked) {
    let asked = Asked()
    let answer = Self.answer(of: mutant, &trial)
    let now = Date(timeIntervalSince1970: 1_795_253_400)
    let network = HTTPClient(each: { [recordings] request in
      let result = Self.answer(to: request, among: recordings, mutant, answer)
      asked.count.add(1, ordering: .relaxed)
      if case .success(let response) = result { asked.bytes.add(response.body.count, ordering: .relaxed) }
      return result
    })
    return (
      network.retrying(now: { now }, pause: Pause(sleep: { _ in }), random: { 0.5 })
        // A place where nothing can be kept: how long an answer is good is read all the same.
        .cached(in: CacheDatabase(path: "\0"), now: { now }), asked
    )
  }

  private static func answer(
    to request: Request, among recordings: [Recording], _ mutant: Mutant, _ answer: Result<Response, HTTPError>
  ) -> Result<Response, HTTPError> {
    if mutant.isEverywhere || mutant.recording.fit(of: request.url) != nil { return answer }
    let fitting = recordings.lazy.filter { $0.source.id == mutant.recording.source.id }
      .compactMap { recording in recording.fit(of: request.url).map { (end: $0, response: recording.response) } }
      .max { $0.end < $1.end }
    return fitting.map { .success($0.response) } ?? answer
  }

  private static func answer(of mutant: Mutant, _ trial: inout Trial) -> Result<Response, HTTPError> {
    let home = "https://api.example/3"
    guard let head = Head(mutant.head) else { return .failure(.unreachable(host: "api.example")) }
    if let redirect = head.redirect {
      for secret in [Secret.header("authorization", "sesame"), .parameter("api_key", "sesame")] {
        var chain = RedirectChain(index: 0, request: Request(source: "x", url: home, secret: secret))
        if chain.follow(redirect) == nil { trial.promises.check(chain, key: "sesame") }
      }
      return .failure(.tooManyRedirects(host: "api.example"))
    }
    let response = Response(status: head.status, headers: head.headers, body: mutant.body)
    if let left = response.questionsLeft, left.left < 0 { trial.promises.complain("\(left.left) questions left") }
    return .success(response)
  }

  // MARK: Measuring

  /// Processor time of this thread, in seconds.
  private static func clock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Fuzzer.Report {
  /// The figures, for people.
  var text: String {
    func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
    func row(_ name: String, _ cells: String...) -> String {
      func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
      return name + blanks(12 - name.count) + cells.map { blanks(10 - $0.count) + $0 }.joined()
    }
    var lines = [row("source", "mutants", "MB", "read", "refused", "seconds")]
    for (source, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      let megabytes = rounded(Double(tally.bytes) / 1e6)
      lines.append(
        row(source, "\(tally.mutants)", megabytes, "\(tally.read)", "\(tally.refused)", rounded(tally.seconds)))
    }
    let seconds = tallies.values.reduce(0) { $0 + $1.seconds }
    return
      (lines + [
        "\(mutants) mutants in \(rounded(seconds)) s of processor time",
        "slowest: mutant \(slowest.number), \(rounded(slowest.amount * 1e3)) ms",
        "slowest for its size: mutant \(slowestForItsSize.number), \(rounded(slowestForItsSize.amount * 1e9)) ns a byte",
        "hungriest: mutant \(hungriest.number), \(rounded(hungriest.amount / 1e6)) MB",
      ]).joined(separator: "\n")
  }
}
