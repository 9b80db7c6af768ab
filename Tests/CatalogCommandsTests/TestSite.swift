import CatalogModel
import FoundationEssentials
import Glibc
import Processes
import TestSupport
import Testing
import Web

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

/// The pages of a catalog, and a browser that requests them. Commands run in this process, while the browser waits.
final class TestSite {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let browsers: PairedBrowsers
  /// The commands that were run, without the option that names the catalog.
  private(set) var typed: [[String]] = []
  /// The result in place of running a command.
  var result: CommandResult?
  /// A warning of the layers below a command.
  var warning: Failure?
  /// The options of the last work on another thread.
  private(set) var lastGlobals: Globals?
  var headers: [(name: String, value: String)] = [("Host", "localhost"), ("Origin", "http://localhost")]
  var uptime = Duration.zero
  /// The global options that the server was started with.
  var globals = Globals()
  private var made: Site?
  var site: Site { get throws { try #require(made) } }
  private(set) var sync: SyncAfterChanges?

  init(syncs: Bool = false) throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
    catalog.places = Places(environment: ["HOME": folder.path], option: folder.path("catalog.db"))
    browsers = PairedBrowsers(path: folder.path("catalog.browsers"))
    restart(syncs: syncs)
  }

  /// Restarts the server.
  func restart(syncs: Bool = false) {
    let box = Box(self)
    var context = catalog.context(globals)
    context.uptime = { box.site?.uptime ?? .zero }
    sync = syncs ? SyncAfterChanges(of: "catalog.db", uptime: context.uptime) : nil
    context.makeContext = box.makeContext
    made = Site(in: context, browsers: browsers, names: ["shelf"], port: 8750, sync: sync, perform: box.run)
  }

  /// Shares the site with the thread that runs a command. The test waits for that thread.
  private final class Box: @unchecked Sendable {
    weak var site: TestSite?
    init(_ site: TestSite) { self.site = site }

    @Sendable func run(_ command: BackgroundCommand) -> CommandResult {
      var typed = command
      typed.words.removeFirst()
      site?.typed.append(typed.words)
      return site?.result ?? typed.run(in: makeContext)
    }

    @Sendable func makeContext(_ globals: Globals, _ language: String?, _ warnings: DeferredWarnings) -> Context {
      guard let site else { return .live(globals, environment: [:]) }
      site.lastGlobals = globals
      var context = site.catalog.context(globals)
      context.deferredWarnings = warnings
      if let warning = site.warning { warnings.note(warning) }
      return context
    }
  }

  struct Page {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    var location: String? { headers["Location"] }
    /// The page as an element, which must be well-formed.
    var html: MarkupElement { get throws { try MarkupElement(parsing: text) } }
  }

  func get(_ target: String, adding more: [(name: String, value: String)] = []) throws -> Page {
    try ask(WebRequest(method: .get, target: target, headers: headers + more))
  }

  func post(_ target: String, _ fields: KeyValuePairs<String, String> = [:], from client: String? = nil) throws -> Page
  {
    var form = WebForm()
    for (name, value) in fields { form.add(name, value) }
    return try ask(request(target, form, from: client))
  }

  /// A form as a browser sends it.
  func request(_ target: String, _ form: WebForm, from client: String? = nil) throws -> WebRequest {
    let type = (name: "Content-Type", value: "application/x-www-form-urlencoded")
    return try WebRequest(
      method: .post, target: target, headers: headers + [type], body: Array(form.text.utf8),
      from: client.flatMap { ClientNetwork($0) })
  }

  /// Sends a form with a file, as a browser does.
  func upload(_ target: String, _ name: String, _ bytes: [UInt8], _ fields: [String: String] = [:]) throws -> Page {
    let disposition = "Content-Disposition: form-data; name="
    let head =
      fields.map { "--x\r\n\(disposition)\"\($0.key)\"\r\n\r\n\($0.value)\r\n" }.joined()
      + "--x\r\n\(disposition)\"\(name)\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
    let type = (name: "Content-Type", value: "multipart/form-data; boundary=x")
    return try ask(
      WebRequest(
        method: .post, target: target, headers: headers + [type],
        body: Array(head.utf8) + bytes + Array("\r\n--x--\r\n".utf8)))
  }

  /// The form of a page that is sent to `action`, with other values in some of its fields.
  func form(_ action: String, on page: Page, _ values: [String: String] = [:]) throws -> WebForm {
    guard let element = try page.html.all("form").first(where: { $0.attributes["action"] == action }) else {
      throw Failure("there is no form for \(action)")
    }
    var form = WebForm()
    for name in ["input", "textarea", "select"] {
      for field in element.all(name) {
        let chosen = field.all("option").first { $0.attributes["selected"] != nil } ?? field.all("option").first
        // The first line feed of a text is not its own.
        let shown = (chosen ?? field).attributes["value"] ?? String(field.text.dropFirst())
        let name = field.attributes["name"] ?? ""
        form.add(name, (values[name] ?? shown).replacing("\n", with: "\r\n"))
      }
    }
    return form
  }

  /// Sends the form of a page that was shown.
  func send(_ action: String, on page: Page, _ values: [String: String] = [:]) throws -> Page {
    try ask(request(action, form(action, on: page, values)))
  }

  func ask(_ request: WebRequest) throws -> Page { try page(of: site.answer(request)) }

  /// Waits for the page of an answer.
  func page(of answer: WebAnswer) throws -> Page {
    var response: WebResponse
    switch answer {
    case .now(let now): response = now
    case .later(let descriptor, _, let later):
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&ready, 1, -1) < 1 {}
      guard let late = later() else { throw Failure("there is no answer") }
      response = late
    }
    wait()
    return Page(
      status: response.status.rawValue,
      headers: Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }, body: response.body)
  }

  /// Waits for the chores after an answer, which run commands, too.
  private func wait() { while made?.hasChores == true { usleep(1_000) } }

  /// Ticks until all work that became due is done.
  func tick() {
    guard let made else { return }
    repeat {
      made.tick()
      usleep(1_000)
    } while made.isBusy
  }

  /// Pairs the browser.
  func pair() throws {
    let page = try post("/pair", ["code": try browsers.makeCode(now: catalog.now), "name": "phone"])
    guard let cookie = page.headers["Set-Cookie"]?.prefix(while: { $0 != ";" }) else { throw Failure("not paired") }
    headers.append((name: "Cookie", value: String(cookie)))
  }
}
