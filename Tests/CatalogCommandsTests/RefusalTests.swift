import CommandLineKit
import Foundation
import Lookup
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands

/// Tests the main job while services refuse requests as they do today: over the real curl, with all layers, and a clock
/// that does not wait.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct RefusalTests {
  let services: Services
  let folder: TemporaryFolder
  let catalog: TestCatalog
  let clock = Clock()

  /// A clock that advances when something waits.
  final class Clock: Sendable {
    private let time = Mutex(1_795_253_400.0)
    var now: Date { Date(timeIntervalSince1970: time.withLock { $0 }) }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
  }

  init() throws {
    services = try Services()
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
    for (name, value) in services.configuration() { try catalog.configure(name, value) }
    connect(contact: "me@example.org")
  }

  /// Sends this contact to the services.
  private func connect(contact: String?) {
    catalog.forgetContact()
    if let contact { try? catalog.configure("contact", contact) }
    let identity = Identity(program: "catalog/0.1.0", contact: contact)
    let cache = CacheDatabase(path: folder.path("cache.db"))
    let pause = Pause(sleep: { [clock] in clock.pass($0) })
    let now = { @Sendable [clock] in clock.now }
    let curl = HTTPClient.curl(identity: identity, environment: ProcessInfo.processInfo.environment)
    let network = curl.limited(by: Source.all.limits(hasContact: contact != nil), in: cache, now: now, pause: pause)
      .retrying(by: Source.all.policies, now: now, pause: pause, random: { 0 })
      .resting(by: Source.all.policies, in: cache, as: identity, now: now)
    catalog.http = network.cached(in: cache, now: now).answering(within: { 15 }, now: now)
    catalog.pictures = .offline
    catalog.cache = cache
  }

  private func run(_ words: String...) -> TestCatalog.Run {
    catalog.now = clock.now
    return catalog.run(words)
  }

  // MARK: Without a contact

  @Test func `without a contact iTunes answers for Open Library, and the hint says how to name one`() {
    connect(contact: nil)
    services.set(.inventaire, to: .forbidden)
    let found = run("search", "dune", "--kind", "book", "--json=source")
    #expect(found.status == 0)
    #expect(found.output == "[{\"source\":\"itunes\"}]\n")
    #expect(
      found.errors.contains(
        """
        catalog: Open Library refuses requests without a contact; no answer from Inventaire either; iTunes answers \
        instead

        """))
    #expect(found.errors.contains("hint: set one: catalog config set contact me@example.org\n"))
  }

  @Test func `without a contact MusicBrainz is asked once a day`() {
    connect(contact: nil)
    for _ in 0..<3 { #expect(run("search", "blue", "--kind", "vinyl").status == 0) }
    #expect(services.questions(to: .musicBrainz).count == 1)
    clock.pass(86_401)
    _ = run("search", "blue", "--kind", "vinyl")
    #expect(services.questions(to: .musicBrainz).count == 2)
  }

  @Test func `a contact that is named is used at once`() {
    connect(contact: nil)
    _ = run("search", "dune", "--kind", "book")
    connect(contact: "me@example.org")
    let found = run("search", "dune", "--kind", "book", "--json=source")
    #expect(found.errors == "")
    #expect(found.output.contains("openlibrary"))
  }

  @Test func `the contact is sent only to the services that ask for one`() {
    _ = run("search", "dune")
    let named = Set(services.questions.filter { $0.userAgent.contains("@") }.compactMap(\.service))
    let unnamed = Set(services.questions.filter { !$0.userAgent.contains("@") }.compactMap(\.service))
    #expect(named == [.openLibrary, .musicBrainz])
    #expect(unnamed == [.itunes])
  }

  @Test func `a page without pictures requests none`() {
    #expect(run("search", "kind of blue", "--kind", "vinyl").status == 0)
    #expect(run("show", "r1").output.contains("Kind of Blue"))
    #expect(services.questions(to: .coverArtArchive).isEmpty)
    #expect(run("search", "kind of blue", "--kind", "vinyl").status == 0)
    catalog.atTerminal(width: 80)
    _ = run("show", "r1")
    #expect(!services.questions(to: .coverArtArchive).isEmpty)
  }

  // MARK: Every refusal

  /// The refusals that the services support.
  static let refusals: [Refusal] = [
    .forbidden, .forbiddenEmpty, .throttled, .throttled(retryAfter: 60), .unprocessable, .serverError(500),
    .serverError(502), .busy, .hangUp, .reset, .page, .empty, .cutShort, .maxlag,
  ]

  @Test(arguments: refusals) func `the pack answers a search that every service refuses`(_ refusal: Refusal) {
    services.setAll(to: refusal)
    let found = run("search", "dune", "--json=title,source")
    // A refusal of the question itself is for the person.
    guard refusal != .unprocessable, refusal != .maxlag else { return }
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.output.contains(#""source": "pack""#) || found.output.contains(#""source":"pack""#))
    #expect(found.errors.contains("; the built-in pack answers instead\n"))
  }

  @Test(arguments: refusals) func `no command is silent while every service refuses`(_ refusal: Refusal) {
    #expect(run("search", "dune").status == 0)
    services.setAll(to: refusal)
    for words in [
      ["show", "r1"], ["add", "r2"], ["add", "--isbn", "9780441172719"], ["add", "--barcode", "074646493519"],
      ["show", "tt0133093"],
    ] {
      let run = catalog.run(words)
      #expect(!run.output.isEmpty || run.errors.contains("catalog: "), "\(words): \(run)")
      #expect([0, 1, 3].contains(run.status), "\(words): \(run)")
      #expect(!run.errors.contains("nil"), "\(words): \(run)")
    }
  }

  @Test(arguments: refusals)
  func `another source knows the ISBN that Open Library refuses to look up`(_ refusal: Refusal) {
    guard Service.openLibrary.refusals.contains(refusal.name) else { return }
    services.set(.openLibrary, to: refusal)
    let added = run("add", "--isbn", "9780441172719", "--no-cover")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains(" answers instead\n"), "\(added.errors)")
  }

  @Test func `a service that asks for a pause of a minute is not waited for`() {
    #expect(run("search", "dune", "--kind", "book").status == 0)
    services.setAll(to: .throttled(retryAfter: 60))
    for words in [["show", "r1"], ["add", "r1"], ["add", "--isbn", "9780441013593"], ["show", "tt0087182"]] {
      let begin = clock.now
      let run = catalog.run(words)
      #expect(!run.errors.isEmpty, "\(words)")
      // Two questions one after the other, of 15 seconds each, and what its own tries take.
      #expect(clock.now.timeIntervalSince(begin) <= 30, "\(words)")
      clock.pass(120)
    }
  }

  @Test func `another source knows the barcode that MusicBrainz refuses to look up`() {
    services.set(.musicBrainz, to: .busy)
    let added = run("add", "--barcode", "074646493519", "--no-cover")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.errors.contains("MusicBrainz is busy; iTunes answers instead\n"), "\(added.errors)")
    #expect(services.questions(to: .musicBrainz).count == 2)
  }

  @Test func `IMDb's id of a movie is looked up without a key`() {
    let shown = run("show", "tt0133093")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("The Matrix"))
  }

  @Test(arguments: [["log", "978-0-441-17271-9"], ["favorite", "074646493519"], ["rate", "9780441172719", "4"]])
  func `commands that can add look up a code that no item has`(_ words: [String]) {
    let run = catalog.run(words)
    // Here pictures are away, which the exit status says.
    #expect(run.status == 3, "\(run)")
    #expect(run.errors.contains("; saved without the cover\n"), "\(run)")
    #expect(catalog.run("list", "--json=id").output == "[{\"id\":1}]\n")
  }

  @Test func `at a terminal the sources' titles are offered where neither the catalog nor the pack has one`() throws {
    catalog.atTerminal()
    catalog.input = ["1"]
    let run = run("log", "the deep")
    #expect(run.status == 0, "\(run)")
    #expect(run.errors.contains("Nothing in the catalog is called 'the deep': asking sources …\n"))
    #expect(run.errors.contains("movie The Deep — Orson Welles"), "\(run)")
    catalog.terminal = Terminal()
    #expect(catalog.run("list", "--json=title").output == "[{\"title\":\"The Deep\"}]\n")
  }

  @Test func `Wikidata answers a movie search that iTunes refuses`() {
    services.set(.itunes, to: .throttled)
    let found = run("search", "parasite", "--kind", "movie", "--json=title,source")
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.output.contains("wikidata"))
  }

  @Test func `with --source only that source is asked, and the pack after it`() {
    services.set(.openLibrary, to: .forbidden)
    let found = run("search", "dune", "--source", "openlibrary")
    #expect(services.questions(to: .itunes).isEmpty)
    #expect(found.errors.contains("Open Library refused the request (403); the built-in pack answers instead\n"))
  }

  @Test func `a cached answer is used before the pack and after other sources`() {
    #expect(run("search", "dune", "--kind", "book").status == 0)
    services.set(.openLibrary, to: .serverError(502))
    #expect(run("search", "dune", "--kind", "book", "--json=source").output.contains("inventaire"))
    for other in [Service.inventaire, .itunes] { services.set(other, to: .hangUp) }
    let found = run("search", "dune", "--kind", "book", "--json=source")
    #expect(found.output.contains("openlibrary"))
    #expect(found.errors.contains("the earlier answer of Open Library is shown\n"), "\(found.errors)")
  }

  @Test func `a search at Google Books succeeds after repeated errors`() throws {
    catalog.environment["CATALOG_GOOGLEBOOKS_KEY"] = "key"
    services.set(.googleBooks, to: .flickering(count: 6))
    let found = run("search", "dune", "--source", "googlebooks", "--by", "title", "--json=title")
    #expect(found.status == 0, "\(found.errors)")
    #expect(services.questions(to: .googleBooks).count == 7)
  }

  @Test func `a source that refuses for good is asked once`() {
    for _ in 0..<2 { _ = run("search", "dune", "--source", "googlebooks") }
    #expect(services.questions(to: .googleBooks).count == 1)
    services.set(.itunes, to: .forbiddenEmpty)
    for _ in 0..<2 { _ = run("search", "dune", "--kind", "music") }
    #expect(services.questions(to: .itunes).count == 1)
  }

  @Test func `short words and Korean words find books without an error`() {
    for words in ["It", "흰", "한강", "the godfather"] {
      let found = run("search", words, "--kind", "book", "--json=title")
      #expect(found.status == 0, "\(words): \(found.errors)")
      #expect(found.errors == "", "\(words)")
    }
  }

  @Test func `search looks an ISBN up instead of searching its digits`() {
    let found = run("search", "978-0-441-17271-9", "--json=title,isbn")
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.output.contains("9780441172719"))
    #expect(services.questions(to: .itunes).isEmpty)
  }

  // MARK: Trying sources

  struct Trial: CustomTestStringConvertible, Sendable {
    var source: String
    var service: Service
    var refusal: Refusal?
    var hasContact = true
    var key: String? = nil
    var verdict: String
    var status: Int32 = 3
    var testDescription: String { "\(source): \(verdict)" }
  }

  static let trials: [Trial] = [
    Trial(source: "openlibrary", service: .openLibrary, verdict: "fine", status: 0),
    Trial(source: "openlibrary", service: .openLibrary, hasContact: false, verdict: "no contact"),
    Trial(source: "openlibrary", service: .openLibrary, refusal: .forbidden, verdict: "agent refused"),
    Trial(source: "musicbrainz", service: .musicBrainz, hasContact: false, verdict: "no contact"),
    Trial(source: "musicbrainz", service: .musicBrainz, refusal: .hangUp, verdict: "hung up"),
    Trial(source: "itunes", service: .itunes, refusal: .forbiddenEmpty, verdict: "throttled"),
    Trial(source: "itunes", service: .itunes, refusal: .page, verdict: "page instead of an answer"),
    Trial(source: "itunes", service: .itunes, refusal: .serverError(502), verdict: "busy"),
    Trial(source: "googlebooks", service: .googleBooks, verdict: "no key", status: 4),
    Trial(
      source: "googlebooks", service: .googleBooks, refusal: .quotaUsedUp, key: "CATALOG_GOOGLEBOOKS_KEY",
      verdict: "quota used up"),
    Trial(
      source: "kakao", service: .kakao, refusal: .keyNotAllowed, key: "CATALOG_KAKAO_KEY",
      verdict: "switch the API on", status: 4),
    Trial(
      source: "tmdb", service: .tmdb, refusal: .keyRefused, key: "CATALOG_TMDB_TOKEN", verdict: "key refused",
      status: 4),
    Trial(source: "tmdb", service: .tmdb, refusal: .reset, key: "CATALOG_TMDB_TOKEN", verdict: "hung up"),
  ]

  @Test(arguments: trials) func `source test reports a verdict on the source`(_ trial: Trial) {
    connect(contact: trial.hasContact ? "me@example.org" : nil)
    if let key = trial.key { catalog.environment[key] = "key" }
    catalog.pause = { _ in }
    services.set(trial.service, to: trial.refusal)
    let run = run("source", "test", trial.source, "--json=source,verdict,sent_as")
    #expect(run.output.contains(#""verdict":"\#(trial.verdict)""#), "\(run)")
    #expect(run.status == trial.status, "\(run)")
    #expect(
      run.output.contains("(me@example.org)")
        == (trial.hasContact && ["openlibrary", "musicbrainz"].contains(trial.source)))
  }

  @Test func `source list shows a paused source, and source test asks it anyway`() {
    services.set(.itunes, to: .forbiddenEmpty)
    _ = run("search", "dune", "--kind", "movie")
    catalog.now = clock.now
    #expect(run("source", "list", "--json=source,rests_until").output.contains("2026-"))
    services.set(.itunes, to: nil)
    #expect(run("search", "dune", "--kind", "music").errors.contains("iTunes is not asked for another 5 min"))
    #expect(run("source", "test", "itunes").status == 0)
    #expect(run("search", "kind of blue", "--kind", "music").status == 0)
  }

  @Test func `source list names a missing contact`() {
    connect(contact: nil)
    #expect(run("source", "list", "--json=source,contact").output.contains(#""contact":"missing""#))
    catalog.atTerminal()
    #expect(run("source", "list").output.contains("catalog config set contact me@example.org"))
  }

  // MARK: The question for a contact

  @Test func `on a terminal the contact is asked for once`() throws {
    connect(contact: nil)
    catalog.readsConfiguration = true
    catalog.places = Places(environment: ["HOME": folder.path])
    for (name, value) in services.configuration() { _ = catalog.run("config", "set", name, value) }
    catalog.atTerminal()
    catalog.input = ["me", "me@example.org"]
    let found = run("search", "dune", "--kind", "book")
    #expect(found.errors.contains("Your e-mail address or page (Enter for none):"))
    #expect(found.errors.contains("'me' is neither an e-mail address nor a page"))
    #expect(catalog.run("config", "get", "contact").output == "me@example.org\n")
    catalog.input = []
    #expect(!run("search", "dune", "--kind", "book").errors.contains("Your e-mail"))
  }

  @Test func `an empty answer to the contact question is not asked again`() throws {
    connect(contact: nil)
    catalog.readsConfiguration = true
    catalog.places = Places(environment: ["HOME": folder.path])
    for (name, value) in services.configuration() { _ = catalog.run("config", "set", name, value) }
    catalog.atTerminal()
    catalog.input = [""]
    #expect(run("search", "dune", "--kind", "book").errors.contains("Your e-mail"))
    #expect(!run("search", "dune", "--kind", "book").errors.contains("Your e-mail"))
    #expect(catalog.run("config", "get", "contact").status == 1)
  }

  @Test func `in a pipe, for iTunes alone and with --offline no contact is asked for`() {
    connect(contact: nil)
    #expect(!run("search", "dune", "--kind", "book").errors.contains("Your e-mail"))
    catalog.atTerminal()
    #expect(!run("search", "dune", "--kind", "podcast").errors.contains("Your e-mail"))
    #expect(!run("search", "dune", "--offline").errors.contains("Your e-mail"))
  }
}
