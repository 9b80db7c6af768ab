internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog open REF`: the page of a thing in the browser.
struct OpenCommand: Command {
  static let info = CommandInfo<Self>(
    "open", summary: "Open the page of an item or result in the browser.",
    discussion: "The browser is $BROWSER, or else what xdg-open starts. Only https addresses are opened.",
    examples: [
      Example("catalog open r1", "The first result's page at its source."),
      Example("catalog open 42 --print", "Only prints the address."),
    ],
    arguments: [
      .phrase("ref", \.reference, completion: .dynamic("items"), help: "Which one: see 'catalog help references'."),
      .flag("print", short: "p", \.prints, help: "Print the address instead of opening it."),
    ])

  var reference = Reference.words("")
  var prints = false

  func run(in context: Context) throws {
    let store = try context.reading()
    let record: Record
    switch try context.target(reference, in: store) {
    case .item(let id): record = try store.item(id).record
    case .candidate(let candidate):
      record = candidate.record.url == nil ? try context.fullRecord(of: candidate) : candidate.record
    }
    guard let url = record.url else {
      throw Failure("no page is known of \(record.title.quoted)", hint: "set one: catalog edit REF url=https://…")
    }
    if prints { return try context.print(verbatim: context.safe(url)) }
    try context.open(url)
  }
}

extension Context {
  /// Opens an address in the person's browser.
  func open(_ url: String) throws {
    guard url.lowercased().hasPrefix("https://") else {
      throw Failure("\(url.quoted) is not opened: it is no https address", hint: "--print prints it")
    }
    if globals.isDryRun { return try print("would open \(safe(url))") }
    // By custom several browsers stand with colons between them; the first that can be started is taken.
    let browsers = (environment["BROWSER"] ?? "").split(separator: ":").map { Spawn.words(of: String($0)) }
    for browser in browsers + [["xdg-open"]] where !browser.isEmpty {
      // By the same custom, %s is where the address stands.
      let words = browser.contains("%s") ? browser.map { $0 == "%s" ? url : $0 } : browser + [url]
      guard let status = try? Spawn.run(words) else { continue }
      guard status.isSuccess else {
        throw Failure("\(browser[0].quoted) could not open the page", hint: "--print prints it")
      }
      return
    }
    throw Failure("no browser can be started", hint: "set BROWSER, or print the address with --print")
  }
}
