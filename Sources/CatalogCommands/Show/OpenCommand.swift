internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog open REF`: opens the page of an item or result in the browser.
struct OpenCommand: Command {
  static let info = CommandInfo<Self>(
    "open", summary: "Open the page of an item or result in the browser, or one of its pictures and videos.",
    discussion: """
      The browser is $BROWSER, or else what xdg-open starts. Only https addresses are opened. The numbers of pictures, \
      portraits, screenshots and videos are those that 'catalog show' prints; an address that it prints works too.
      """,
    examples: [
      Example("catalog open r1", "The first result's page at its source."),
      Example("catalog open 42 --print", "Only prints the address."),
      Example("catalog open tmdb:496243 --video 1", "The first video of the movie."),
    ],
    arguments: [
      .words(\.typed, help: "Which one: see 'catalog help references'; or the address of a picture or video.")
    ] + GalleryOptions.arguments.lifted(\.gallery) + [
      .flag("print", short: "p", \.prints, help: "Print the address instead of opening it.")
    ])

  var typed = TypedReferences()
  var gallery = GalleryOptions()
  var prints = false

  func validate() throws(UsageError) { try typed.check(gallery) }

  func run(in context: Context) throws {
    if let address = typed.address { return try open(try context.shown(address), in: context) }
    let store = try context.reading()
    let target = try context.target(typed, for: .reading, in: store)
    if let galleryEntry = try gallery.galleryEntry() {
      try open(try context.url(of: galleryEntry, of: target, in: store).url, in: context)
    } else {
      try open(try page(of: target, in: store, context), in: context)
    }
  }

  private func open(_ url: String, in context: Context) throws {
    if prints { return try context.print(verbatim: context.safe(url)) }
    try context.open(url)
  }

  private func page(of target: ResolvedReference, in store: Store, _ context: Context) throws -> String {
    let record: Record
    switch target {
    case .item(let id): record = try store.item(id).record
    case .candidate(let candidate):
      record = candidate.record.url == nil ? try context.fullRecord(of: candidate) : candidate.record
    }
    guard let url = record.url else {
      throw Failure("no page of \(record.title.quoted) is known", hint: "set one: catalog edit REF url=https://…")
    }
    return url
  }
}

extension Context {
  /// Opens an address in the person's browser.
  func open(_ url: String) throws {
    guard url.lowercased().hasPrefix("https://") else {
      throw Failure("\(url.quoted) was not opened: it is not an https address", hint: "--print prints it")
    }
    if globals.isDryRun { return try print("would open \(safe(url))") }
    // By convention, several browsers are separated by colons; the first that can be started is used.
    let browsers = (environment["BROWSER"] ?? "").split(separator: ":").map { Spawn.words(of: String($0)) }
    for browser in browsers + [["xdg-open"]] where !browser.isEmpty {
      // By the same convention, %s stands for the address.
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
