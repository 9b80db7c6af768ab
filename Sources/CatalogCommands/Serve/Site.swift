internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import Processes
internal import SQLite
internal import Web

/// The catalog in a browser: answers requests. It reads the catalog itself; a change is a ``BackgroundCommand``, and
/// what waits for a source runs on a background thread. It does not handle sockets.
final class Site {
  let context: Context
  let browsers: PairedBrowsers
  /// Makes the context of work on a background thread.
  let makeContext: Context.Maker
  /// Runs a command, on any thread.
  let perform: @Sendable (BackgroundCommand) -> CommandResult
  private let keeper: WebGuard
  let pages = Site.pages
  let thumbnails: Thumbnails
  /// Syncs after changes; nil without `--sync`.
  let sync: SyncAfterChanges?
  /// The times at which each network tried codes in the last minute.
  private var tries: [ClientNetwork?: [Duration]] = [:]
  /// The messages for the next page of a browser, by its digest, with the operation that can be undone.
  private var told: [String: (lines: [Message], operation: Int64?)] = [:]
  /// The forms that are being worked on, by their keys.
  var sending: [String: BackgroundWork<CommandResult>] = [:]
  /// The viewed items that are not yet written, the last one last.
  var views: [(item: ItemID, at: Timestamp)] = []
  private var viewsWritten: Duration?
  /// The work that goes on after an answer.
  private var chores: [BackgroundWork<Void>] = []
  /// The open catalog, and the identity of its file; nil without a file.
  private var opened: (store: Store, file: FileIdentity?)?

  /// The numbers behind the chips of the shelf, by its query, as long as the file and the day stay the same.
  var chipCounts: (version: Int, day: String, known: [String: [Int]]) = (0, "", [:])

  /// The paired browsers, and the state of the file that they were read from.
  private var paired: (file: FileIdentity?, content: PairedBrowsers.Content) = (nil, .init())

  /// The name of the cookie with a browser's token. Browsers send cookies to all ports of a machine, so the name
  /// contains the port.
  private let cookie: String
  /// The most codes that a network may try in a minute.
  private static let mostTries = 5
  /// The most networks whose tries are counted.
  private static let mostNetworks = 10_000
  /// The most chores at a time; further ones are dropped.
  private static let mostChores = 4

  init(
    in context: Context, browsers: PairedBrowsers, names: [String], port: UInt16, sync: SyncAfterChanges? = nil,
    perform: (@Sendable (BackgroundCommand) -> CommandResult)? = nil
  ) {
    (self.context, self.browsers, self.sync, makeContext) = (context, browsers, sync, context.makeContext)
    self.perform = perform ?? { [makeContext] in $0.run(in: makeContext) }
    keeper = WebGuard(names: names)
    thumbnails = Thumbnails(in: context)
    cookie = "catalog-\(port)"
  }

  /// A request of a paired browser, and its language.
  struct Visit {
    let request: WebRequest
    let browser: PairedBrowsers.Browser
    let translation: Translation?
    /// The values of the named parts of the address.
    var values: [String: String] = [:]

    /// The number in the address.
    var id: ItemID { ItemID(rawValue: values["id"].flatMap { Int64($0) } ?? 0) }

    var language: String { translation.language }
  }

  // MARK: Answers

  func answer(_ request: WebRequest) -> WebAnswer {
    let translation = translation(for: request)
    do throws(WebResponse) { try keeper.check(request) } catch { return .now(response(for: error, translation)) }
    if let asset = SiteFrame.asset(at: request.path) { return .now(asset) }
    do {
      if request.path == ["pair"] { return .now(try pair(request, translation)) }
      guard let browser = try request.cookie(cookie).flatMap(browser(token:)) else {
        // An unpaired browser gets no information, not even which pages exist.
        return .now(pairingPage(.forbidden, translation))
      }
      try? browsers.see(browser, on: context.day)
      let visit = Visit(request: request, browser: browser, translation: translation)
      return try request.method == .get ? page(visit) : change(visit)
    } catch {
      return .now(response(for: error, translation))
    }
  }

  /// The requested page. While another program has the catalog locked, a background thread waits, and no other.
  private func page(_ visit: Visit) throws -> WebAnswer {
    let told = self.told[visit.browser.digest]
    do { return try read(visit) } catch let error where Self.isLocked(error) {
      self.told[visit.browser.digest] = told
    }
    let work = try BackgroundWork { [makeContext, globals = try servedGlobals, language = visit.language] in
      _ = try makeContext(globals, language, DeferredWarnings()).reading()
    }
    return .after(work) { [self] result in
      do {
        try result.get()
        guard case .now(let response) = try read(visit) else { throw WebResponse.refusing(.unavailable) }
        return response
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  /// Whether another program locks the catalog.
  private static func isLocked(_ error: any Error) -> Bool {
    if case CatalogError.locked = error { true } else { (error as? SQLiteError)?.isBusy == true }
  }

  /// The browser with this token in the current file.
  private func browser(token: String) throws -> PairedBrowsers.Browser? {
    PairedBrowsers.browser(token: token, among: try content().browsers)
  }

  /// The paired browsers and their last forms, read again when their file has changed.
  func content() throws -> PairedBrowsers.Content {
    let file = FileIdentity(browsers.path)
    if paired.file == nil || paired.file != file { paired = (file, try browsers.content()) }
    return paired.content
  }

  /// Called twice a second: removes finished work, and syncs when it is due.
  func tick() {
    chores.removeAll { $0.result != nil }
    removeSent()
    writeViews()
    sync?.tick(perform)
  }

  /// Writes the views so far, at most twice a second, since a write takes longer than the page of an item.
  func writeViews() {
    let now = context.uptime()
    guard !views.isEmpty, viewsWritten.map({ now - $0 >= .milliseconds(500) }) ?? true,
      let globals = try? servedGlobals
    else { return }
    viewsWritten = now
    // The catalog keeps ten.
    let last = Array(views.suffix(10))
    views = []
    chore { [makeContext] in
      guard let store = try? makeContext(globals, nil, DeferredWarnings()).viewing() else { return }
      for view in last { try? store.recordView(of: view.item, now: view.at) }
    }
  }

  /// Whether work goes on after the answers.
  var isBusy: Bool { sync?.isBusy == true || hasChores }

  /// Whether chores of earlier answers are running.
  var hasChores: Bool { chores.contains { $0.result == nil } }

  /// Runs work after the answer. It is dropped when too many chores are running.
  func chore(_ body: @escaping @Sendable () -> Void) {
    chores.removeAll { $0.result != nil }
    guard chores.count < Self.mostChores, let work = try? BackgroundWork({ body() }) else { return }
    chores.append(work)
  }

  /// The current catalog, opened again if its file was replaced.
  func store() throws -> Store {
    let file = context.places.catalog.flatMap(FileIdentity.init)
    if let opened, isCurrent(opened, file), try !opened.store.hasPendingText() { return opened.store }
    opened = nil
    chipCounts = (0, "", [:])
    let store = try context.reading()
    opened = (store, file)
    return store
  }

  private func isCurrent(_ opened: (store: Store, file: FileIdentity?), _ file: FileIdentity?) -> Bool {
    // An empty catalog stands for a file that is missing or empty, until it is touched.
    guard opened.store.path != nil else { return opened.file == file }
    // A connection that has read a file without bytes does not notice that the old ones come back.
    guard let file, !file.isEmpty else { return false }
    return opened.file?.isSameFile(as: file) == true
  }

  /// A command on the served catalog.
  func command(_ words: [String], _ visit: Visit) throws -> BackgroundCommand {
    let offline = context.globals.isOffline ? ["--offline"] : []
    return BackgroundCommand(words: ["--db=\(try catalog)"] + offline + words, language: visit.language)
  }

  /// The options of the server for work on the served catalog.
  var servedGlobals: Globals {
    get throws {
      var globals = Globals()
      (globals.database, globals.isOffline) = (try catalog, context.globals.isOffline)
      return globals
    }
  }

  private var catalog: String {
    get throws {
      guard let catalog = context.places.catalog else {
        throw Failure("there is no place for the catalog: HOME is not set")
      }
      return catalog
    }
  }

  /// Keeps messages for the next page of the browser.
  /// - Parameter operation: what they tell of; nil if there is none to undo.
  func tell(_ lines: [Message], operation: Int64?, _ visit: Visit) {
    // Messages of browsers that never return must not fill the memory.
    if told.count > 100 { told.removeAll() }
    told[visit.browser.digest] = (lines, operation)
  }

  // MARK: Pages

  /// A page with the messages and the footer of the site.
  func page(_ title: Message, subtitle: Message? = nil, _ visit: Visit) -> HTMLPage {
    var page = HTMLPage(title, subtitle: subtitle, in: visit.translation)
    if let (lines, operation) = told.removeValue(forKey: visit.browser.digest) {
      let undo = operation.map { PageForm("Undo this change", to: "/undo", [.hidden("operation", "\($0)")]) }
      page.add(PageNotice(lines, [undo].compactMap(\.self)))
    }
    page.footer = sync?.words(now: context.uptime())
    return page
  }

  /// The page as a response.
  /// - Parameters:
  ///   - place: its path among the links of the frame.
  ///   - words: the words in the search field.
  ///   - isOpen: whether the browser is paired.
  func response(
    _ page: HTMLPage, _ status: WebResponse.Status = .ok, at place: String = "", searching words: String = "",
    isOpen: Bool = true
  ) -> WebResponse {
    let text = SiteFrame.text(of: page, at: place, searching: words, isOpen: isOpen)
    var response = WebResponse(status, type: "text/html; charset=utf-8", Array(text.utf8))
    response.headers += Self.pageHeaders
    return response
  }

  private static let pageHeaders: [WebResponse.Header] = [
    .init("Content-Security-Policy", SiteFrame.policy),
    .init("X-Content-Type-Options", "nosniff"), .init("Referrer-Policy", "same-origin"),
    .init("Cross-Origin-Opener-Policy", "same-origin"), .init("Cross-Origin-Resource-Policy", "same-origin"),
    // The content of the catalog must not be cached.
    .init("Cache-Control", "no-store"),
  ]

  /// The words of refusals that a person may see.
  private static let refusals: [WebResponse.Status: Message] = [
    .misdirected:
      "This machine does not know that it has this name: start it with \(code: "catalog serve --name HOST")",
    .forbidden: "The form is of another place: go back and load the page again",
    .unavailable: "Too much is being done at once: try it again in a moment",
  ]

  /// An error page.
  func response(for error: any Error, _ translation: Translation?) -> WebResponse {
    if let refusal = (error as? WebResponse).flatMap({ Self.refusals[$0.status] }), let error = error as? WebResponse {
      var page = HTMLPage(refusal, in: translation)
      page.layout = .narrow
      var refused = response(page, error.status, isOpen: false)
      if error.status == .unavailable { refused.headers.append(.init("Retry-After", "5")) }
      return refused
    }
    if let response = error as? WebResponse, response.status != .notFound { return response }
    // Its connection may have seen what is not there any more.
    if error is SQLiteError || error is CatalogError { opened = nil }
    let failure =
      error is WebResponse ? Failure("there is no such page") : Failure(error, catalog: context.places.catalog)
    var page = HTMLPage(
      Message(verbatim: failure.message.text(in: translation).capitalizedFirst), in: translation)
    page.layout = .narrow
    page.add(PageLinks(PageLink("To the shelf", "/")))
    let isMissing =
      switch error {
      case CatalogError.noItem, CatalogError.noPile, is WebResponse: true
      default: false
      }
    if Self.isLocked(error) { return response(page, .unavailable) }
    return response(page, isMissing ? .notFound : failure.status == .misused ? .unprocessable : .failed)
  }

  /// The translation for the browser's preferred language; the one of the terminal if none of them is known.
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
    guard mayTry(request.client) else {
      return pairingPage(.tooMany, told: "too many codes were tried: wait a minute", translation)
    }
    let name = request.form["name"].map { String($0.sanitized.prefix(60)) } ?? Self.name(of: request)
    guard
      let token = try browsers.pair(code: request.form["code"] ?? "", name: name, now: context.now(), on: context.day)
    else {
      return pairingPage(
        .forbidden,
        told: "the code is wrong, or older than ten minutes: \(code: "catalog serve pair") makes a new one",
        translation)
    }
    var response = WebResponse.redirect(to: "/")
    // Two years; browsers keep cookies for little more than one.
    let secure = request[header: "origin"]?.hasPrefix("https://") == true ? "; Secure" : ""
    response.headers.append(
      .init("Set-Cookie", "\(cookie)=\(token); Path=/; Max-Age=63072000; HttpOnly; SameSite=Strict\(secure)"))
    return response
  }

  /// Counts a code that a network tries: one that guesses must not keep others from pairing.
  private func mayTry(_ client: ClientNetwork?) -> Bool {
    let now = context.uptime()
    let last = (tries[client] ?? []).filter { now - $0 <= .seconds(60) }
    guard last.count < Self.mostTries else { return false }
    if tries.count >= Self.mostNetworks {
      tries = tries.filter { $0.value.contains { now - $0 <= .seconds(60) } }
      // Guesses of so many at a time: the longest ago counts least.
      if tries.count >= Self.mostNetworks,
        let oldest = tries.min(by: { ($0.value.last ?? now) < ($1.value.last ?? now) })
      {
        tries[oldest.key] = nil
      }
    }
    tries[client] = last + [now]
    return true
  }

  private func pairingPage(
    _ status: WebResponse.Status, told: Message? = nil, code: String = "", _ translation: Translation?
  ) -> WebResponse {
    var page = HTMLPage("Pair this browser", in: translation)
    page.layout = .narrow
    if let told { page.add(PageNotice([told])) }
    page.add(
      .paragraph(
        """
        Type the code that \(code: "catalog serve") or \(code: "catalog serve pair") printed. It works for one \
        browser.
        """
      ))
    page.add(
      PageForm(
        "Pair", to: "/pair",
        [.init("code", "Code", .code, value: code, isRequired: true), .init("name", "Name of this browser")],
        isMain: true))
    // A browser sends no cookie when it follows a link from another site, but it does from this page.
    page.add(PageLinks(.init("It is paired already", "/")))
    return response(page, status, isOpen: false)
  }

  /// A name from the user agent: `Firefox, Android`.
  private static func name(of request: WebRequest) -> String {
    let agent = request[header: "user-agent"] ?? ""
    let browser = ["Firefox", "Edg", "OPR", "Chrome", "Safari"].first { agent.contains($0) } ?? "?"
    let system = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"].first { agent.contains($0) } ?? "?"
    return "\(browser), \(system)"
  }
}
