internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import Processes
internal import Web

/// The catalog in a browser: what answers which request. It reads by itself; what changes something, or asks a source, is a
/// ``TypedCommand``. Of sockets it knows nothing.
final class Site {
  let context: Context
  let browsers: PairedBrowsers
  /// Runs a command, on any thread.
  let perform: @Sendable (TypedCommand) throws -> TypedCommand.Outcome
  private let keeper: WebGuard
  /// Syncs after changes; nil where nobody asked for that.
  let sync: SyncAfterChanges?
  /// When codes were tried, for a minute.
  private var tries: [Duration] = []
  /// What came of what a browser sent last, until its next page says it.
  private var told: [String: (lines: [Message], canTakeBack: Bool)] = [:]
  /// What goes on behind an answer.
  private var chores: [BackgroundWork<Void>] = []
  /// The catalog that is open, and which file it is.
  private var opened: (store: Store, file: FileIdentity)?

  /// The browsers that the file had, and which state of it that was.
  private var paired: (file: FileIdentity?, browsers: [PairedBrowsers.Browser]) = (nil, [])

  /// What a browser keeps to be known again. It sends it to all ports of a machine, and each may have a catalog of its own.
  private let cookie: String
  /// Codes that may be tried in a minute.
  private static let mostTries = 5
  /// Chores at a time; more are left out.
  private static let mostChores = 4

  init(
    in context: Context, browsers: PairedBrowsers, names: [String], port: UInt16, sync: SyncAfterChanges? = nil,
    perform: @escaping @Sendable (TypedCommand) throws -> TypedCommand.Outcome
  ) {
    (self.context, self.browsers, self.perform, self.sync) = (context, browsers, perform, sync)
    keeper = WebGuard(names: names)
    cookie = "catalog-\(port)"
  }

  /// What a paired browser asks for, and in which language.
  struct Visit {
    let request: WebRequest
    let browser: PairedBrowsers.Browser
    let translation: Translation?

    var language: String { translation.language }
  }

  // MARK: Answers

  func answer(_ request: WebRequest) -> WebAnswer {
    do throws(WebResponse) { try keeper.check(request) } catch { return .now(error) }
    let translation = translation(for: request)
    do {
      if request.path == ["pair"] { return .now(try pair(request, translation)) }
      guard let browser = try request.cookie(cookie).flatMap(browser(token:)) else {
        // Who is nobody is told nothing, not even what there is.
        return .now(pairingPage(.forbidden, translation))
      }
      try? browsers.see(browser, now: context.now())
      let visit = Visit(request: request, browser: browser, translation: translation)
      return try request.method == .get ? read(visit) : change(visit)
    } catch {
      return .now(response(for: error, translation))
    }
  }

  /// The browser that has a token, as the file says now.
  private func browser(token: String) throws -> PairedBrowsers.Browser? {
    let file = FileIdentity(browsers.path)
    if paired.file == nil || paired.file != file { paired = (file, try browsers.all) }
    return PairedBrowsers.browser(token: token, among: paired.browsers)
  }

  /// Twice a second.
  func tick() {
    chores.removeAll { $0.result != nil }
    sync?.tick(perform)
  }

  /// Whether something goes on behind the answers.
  var isBusy: Bool { sync?.isBusy == true || hasChores }

  /// Whether what was begun by answers goes on behind them.
  var hasChores: Bool { chores.contains { $0.result == nil } }

  /// Does something behind the answer. What there is no room for is not done.
  func chore(_ body: @escaping @Sendable () -> Void) {
    chores.removeAll { $0.result != nil }
    guard chores.count < Self.mostChores, let work = try? BackgroundWork({ body() }) else { return }
    chores.append(work)
  }

  /// The catalog as it is now, opened again where another file has taken its place.
  func store() throws -> Store {
    let file = context.places.catalog.flatMap(FileIdentity.init)
    if let opened, let file, opened.file.isSameFile(as: file), try !opened.store.hasPendingText() {
      return opened.store
    }
    let store = try context.reading()
    opened = file.map { (store, $0) }
    return store
  }

  /// A command that is about the catalog which is served.
  func command(_ words: [String], _ visit: Visit) throws -> TypedCommand {
    guard let catalog = context.places.catalog else {
      throw Failure("there is no place for the catalog: HOME is not set")
    }
    let offline = context.globals.isOffline ? ["--offline"] : []
    return TypedCommand(words: ["--db=\(catalog)"] + offline + words, language: visit.language)
  }

  /// Says something on the browser's next page.
  func tell(_ lines: [Message], canTakeBack: Bool, _ visit: Visit) {
    // Those who never look again must not fill the memory.
    if told.count > 100 { told.removeAll() }
    told[visit.browser.digest] = (lines, canTakeBack)
  }

  // MARK: Pages

  /// A page with all that stands around it.
  func page(_ title: Message, subtitle: Message? = nil, at place: String = "", _ visit: Visit) -> HTMLPage {
    var page = HTMLPage(title, subtitle: subtitle, in: visit.translation)
    page.navigation = [
      ("Shelf", "/"), ("Find", "/find"), ("Recent", "/recent"), ("Diary", "/diary"), ("Wishes", "/wishes"),
      ("Loans", "/loans"), ("Genres", "/genres"), ("Browsers", "/browsers"),
    ].map { HTMLPage.Link($0, $1, isCurrent: $1 == place) }
    if let (lines, canTakeBack) = told.removeValue(forKey: visit.browser.digest) {
      page.add(.told(lines))
      if canTakeBack { page.add(.form(HTMLPage.Form("Take the last change back", to: "/undo", []))) }
    }
    page.footer = sync?.words(now: context.uptime())
    return page
  }

  func response(_ page: HTMLPage, _ status: WebResponse.Status = .ok) -> WebResponse {
    var response = WebResponse(status, type: "text/html; charset=utf-8", Array(page.text.utf8))
    response.headers += Self.pageHeaders
    return response
  }

  private static let pageHeaders: [WebResponse.Header] = [
    .init("Content-Security-Policy", HTMLPage.sitePolicy { Site.base64Digest(of: $0) }),
    .init("X-Content-Type-Options", "nosniff"), .init("Referrer-Policy", "same-origin"),
    .init("Cross-Origin-Opener-Policy", "same-origin"), .init("Cross-Origin-Resource-Policy", "same-origin"),
    // What is on a shelf is nobody's but its person's.
    .init("Cache-Control", "no-store"),
  ]

  private static func base64Digest(of text: String) -> String {
    let digits = Array(SHA256.hexadecimal(of: Array(text.utf8)))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return bytes.base64
  }

  /// An error in words.
  func response(for error: any Error, _ translation: Translation?) -> WebResponse {
    if let response = error as? WebResponse, response.status != .notFound { return response }
    let failure =
      error is WebResponse ? Failure("there is no such page") : Failure(error, catalog: context.places.catalog)
    var page = HTMLPage(
      Message(verbatim: failure.message.text(in: translation).capitalizedFirst), in: translation)
    page.navigation = [HTMLPage.Link("Shelf", "/")]
    let isMissing = if case CatalogError.noItem = error { true } else { error is WebResponse }
    return response(page, isMissing ? .notFound : failure.status == .misused ? .unprocessable : .failed)
  }

  /// What the browser's person reads, as far as we speak it.
  private func translation(for request: WebRequest) -> Translation? {
    guard let wanted = request[header: "accept-language"] else { return context.terminal.translation }
    for part in wanted.prefix(200).split(separator: ",") {
      let code = part.drop { $0 == " " }.prefix { $0.isLetter }.lowercased()
      if code == "en" { return nil }
      if let known = translations[code] { return known }
      if let language = SpokenLanguage.all.first(where: { $0.code == code }) {
        let translation = language.translation()
        translations[code] = translation
        return translation
      }
    }
    return context.terminal.translation
  }

  private var translations: [String: Translation] = [:]

  // MARK: Pairing

  private func pair(_ request: WebRequest, _ translation: Translation?) throws -> WebResponse {
    guard request.method == .post else {
      return pairingPage(.ok, code: request.query["code"] ?? "", translation)
    }
    let now = context.uptime()
    tries.removeAll { now - $0 > .seconds(60) }
    guard tries.count < Self.mostTries else {
      return pairingPage(.tooMany, told: "too many codes were tried: wait a minute", translation)
    }
    tries.append(now)
    let name = request.form["name"].map { String($0.sanitized.prefix(60)) } ?? Self.name(of: request)
    guard let token = try browsers.pair(code: request.form["code"] ?? "", name: name, now: context.now()) else {
      return pairingPage(
        .forbidden,
        told: "that is not the code, or it is older than ten minutes: \(code: "catalog serve pair") makes a new one",
        translation)
    }
    var response = WebResponse.redirect(to: "/")
    // Two years; browsers keep none for longer than one and a little.
    let secure = request[header: "origin"]?.hasPrefix("https://") == true ? "; Secure" : ""
    response.headers.append(
      .init("Set-Cookie", "\(cookie)=\(token); Path=/; Max-Age=63072000; HttpOnly; SameSite=Strict\(secure)"))
    return response
  }

  private func pairingPage(
    _ status: WebResponse.Status, told: Message? = nil, code: String = "", _ translation: Translation?
  ) -> WebResponse {
    var page = HTMLPage("Pair this browser", in: translation)
    page.navigation = []
    if let told { page.add(.told([told])) }
    page.add(
      .paragraph(
        "Type the code that \(code: "catalog serve") or \(code: "catalog serve pair") has shown. It is good for one browser."
      ))
    page.add(
      .form(
        HTMLPage.Form(
          "Pair", to: "/pair", [.init("code", "Code", value: code), .init("name", "What this browser is called")])))
    // Who follows a link from elsewhere brings no cookie along, and does so from here.
    page.add(.links([.init("It is paired already", "/")]))
    return response(page, status)
  }

  /// `Firefox on Android`, as far as a browser says so.
  private static func name(of request: WebRequest) -> String {
    let agent = request[header: "user-agent"] ?? ""
    let browser = ["Firefox", "Edg", "OPR", "Chrome", "Safari"].first { agent.contains($0) } ?? "?"
    let system = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"].first { agent.contains($0) } ?? "?"
    return "\(browser), \(system)"
  }
}
