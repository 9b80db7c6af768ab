internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Processes
internal import Web

/// `catalog serve …`: serves the catalog to browsers, also on a phone.
enum ServeCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "serve", summary: "Serve the catalog to browsers, on the phone too.",
      discussion: """
        Serves pages to see the shelf, to find and add items, and to write cards, the diary, copies and wishes; they \
        work without scripts. A browser is paired once, with a code that is shown here. Each change runs the same \
        command that you would type: 'catalog history' lists it, and 'catalog undo' undoes it.
        """,
      examples: [
        Example("catalog serve", "For browsers on this machine, until Ctrl-C."),
        Example(
          "catalog serve --lan --sync",
          "For the phone and every browser that can reach this machine; synced after changes."),
        Example("catalog serve pair", "A code for another browser."),
      ],
      default: AnyCommand(ServeRunCommand.self),
      [
        .command(ServeRunCommand.self), .command(ServePairCommand.self), .command(ServeBrowsersCommand.self),
        .command(ServeForgetCommand.self),
      ]))
}

/// `catalog serve [--address A] [--port N] [--name HOST]… [--sync]`: serves until Ctrl-C.
struct ServeRunCommand: Command {
  static let info = CommandInfo<Self>(
    "run", summary: "Serve the catalog until Ctrl-C.",
    discussion: """
      The connection is not encrypted: outside your own network, put an HTTPS server such as Caddy in front of it. \
      Browsers can use this machine's own host name and those given with --name, but no others.
      """,
    examples: [Example("catalog serve --port 8000", "At another port.")],
    arguments: [
      .option(
        "address", short: "a", \.address, value: "ADDRESS",
        help: "The address to listen on; 127.0.0.1 by default; 0.0.0.0 is every address of this machine."),
      .flag("lan", \.isOnNetwork, help: "Let the devices of your network in: the same as --address 0.0.0.0."),
      .option("port", short: "p", \.port, help: "The port; 8750 by default."),
      .option(
        "name", \.names, value: "HOST", help: "A host name that browsers may use for this machine; repeat for several."),
      .flag("sync", \.syncs, help: "Sync after changes, and every 15 minutes."),
    ])

  static var threads: Threads { .many }

  var address: String?
  var isOnNetwork = false
  var port = PortNumber(number: 8750)
  var names: [String] = []
  var syncs = false

  private static let everywhere = ["0.0.0.0", "::"]
  private var listening: String { address ?? (isOnNetwork ? "0.0.0.0" : "127.0.0.1") }

  func validate() throws(UsageError) {
    guard !isOnNetwork || address.map(Self.everywhere.contains) != false else {
      throw UsageError("--lan listens on every address of this machine, and --address on one")
    }
  }

  func run(in context: Context) throws {
    let browsers = try context.pairedBrowsers()
    guard let catalog = context.places.catalog else {
      throw Failure("there is no place for the catalog: HOME is not set")
    }
    // Errors of the catalog are printed now, not shown in a browser.
    _ = try context.reading()
    if syncs { _ = try context.synced() }
    if context.globals.isDryRun {
      return try context.print("would serve \(context.safe(catalog)) at \(url(of: port.number))")
    }
    let server: WebServer
    do { server = try WebServer(address: listening, port: port.number) } catch {
      throw failure(error)
    }
    let site = Site(
      in: context.withoutWaiting(), browsers: browsers, names: names + context.hostNames, port: server.port,
      sync: syncs ? SyncAfterChanges(of: catalog, uptime: context.uptime) : nil)
    if FileIdentity.isOpenToOthers(catalog) {
      context.warn("other accounts of this machine can read \(catalog.quoted)")
      context.hint("make it yours alone: chmod 600 \(catalog.shellWord)")
    }
    try context.print("serving \(context.safe(catalog)) at \(url(of: server.port)), until Ctrl-C")
    let others = Self.everywhere.contains(listening) ? OwnAddresses.all() : []
    for address in others { try context.print("other devices: \(url(of: server.port, at: address))") }
    if try browsers.all.isEmpty {
      try context.print(
        code: browsers.makeCode(now: context.now()), at: url(of: server.port, at: others.first),
        draws: !others.isEmpty)
    } else {
      try context.print("for another browser: catalog serve pair")
    }
    try context.output.flush()
    server.run(site.answer, onTick: site.tick)
  }

  /// - Parameter address: the address to use; nil for the one that this machine uses itself.
  private func url(of port: UInt16, at address: String? = nil) -> String {
    let own = address ?? (Self.everywhere.contains(listening) ? "localhost" : listening)
    return "http://\(own.contains(":") ? "[\(own)]" : own):\(port)/"
  }

  private func failure(_ error: SystemError) -> Failure {
    switch error.code {
    case EINVAL:
      Failure(
        "\(listening.quoted) is not an IP address", hint: "give it in numbers: 127.0.0.1, 0.0.0.0, ::1",
        status: .misused)
    case EADDRINUSE:
      Failure(
        "port \(port.number) of \(listening) is in use already",
        hint: "take another: catalog serve --port \(port.number + 1)")
    case EADDRNOTAVAIL:
      Failure(
        "this machine has no address \(listening)",
        hint: "to listen on all of its addresses: catalog serve --lan")
    default: Failure(error)
    }
  }
}

/// A port to listen on.
struct PortNumber: ArgumentValue {
  var number: UInt16

  init(number: UInt16) { self.number = number }

  init(argument: String) throws {
    // The next port must be valid, too, for the hint.
    guard let number = UInt16(argument), number < .max else {
      throw UsageError("invalid port \(argument.quoted)", hint: "ports go from 1 to 65534; 0 chooses a free one")
    }
    self.number = number
  }

  static var valueName: String? { "PORT" }
}

/// `catalog serve pair`: makes a pairing code.
struct ServePairCommand: Command {
  static let info = CommandInfo<Self>(
    "pair", summary: "Show a code to pair a browser, while the catalog is served.",
    discussion: "It works for one browser, for ten minutes.",
    examples: [Example("catalog serve pair", "Type it in the browser.")])

  func run(in context: Context) throws {
    let browsers = try context.pairedBrowsers()
    if context.globals.isDryRun { return try context.print("would make a code for a browser") }
    try context.print(code: browsers.makeCode(now: context.now()), at: nil)
  }
}

/// `catalog serve browsers`: lists the paired browsers.
struct ServeBrowsersCommand: Command {
  static let info = CommandInfo<Self>(
    "browsers", summary: "List the paired browsers.",
    examples: [Example("catalog serve browsers", "With their numbers for 'serve forget'.")],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    let browsers = try context.pairedBrowsers().all
    var listing = Table(columns: [
      .init("browser", "", importance: 9), .init("name", "Name", isFlexible: true, minimumWidth: 12, importance: 8),
      .init("paired_on", "Paired", importance: 5), .init("seen_on", "Last here", importance: 6),
    ])
    for (number, browser) in zip(1..., browsers) {
      listing.rows.append([
        .init(number, style: .cyan), .init(browser.name, style: .bold), .init(browser.pairedOn), .init(browser.seenOn),
      ])
    }
    try context.write(listing, table)
    guard !browsers.isEmpty else { throw Failure("no browser is paired", hint: "begin with: catalog serve") }
  }
}

/// `catalog serve forget N`: removes the pairing of a browser.
struct ServeForgetCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "forget", summary: "Unpair a browser: it can no longer see the catalog.",
    examples: [Example("catalog serve forget 2", "The second of 'catalog serve browsers'.")],
    arguments: [.positional("n", \.number, help: "The number of the browser.")]
      + ResultOptions.arguments.lifted(\.result))

  var number = Count(1)
  var result = ResultOptions()

  func run(in context: Context) throws {
    let browsers = try context.pairedBrowsers()
    let all = try browsers.all
    guard all.indices.contains(number.number - 1) else {
      throw Failure("there is no browser \(number.number)", hint: "see them: catalog serve browsers")
    }
    let browser = all[number.number - 1]
    let name = context.safe(browser.name)
    let change = Change(.done, [("browser", number.number), ("name", browser.name)])
    if context.globals.isDryRun { return try context.would("would unpair \(name)", change) }
    try browsers.forget(browser)
    try context.did("unpaired \(name)", change)
  }
}

extension Context {
  fileprivate func pairedBrowsers() throws -> PairedBrowsers {
    guard let path = places.browsers else { throw Failure("there is no place for the catalog: HOME is not set") }
    return PairedBrowsers(path: path)
  }

  /// - Parameter draws: whether a telephone reads the address from the terminal.
  func print(code: String, at url: String?, draws: Bool = false) throws {
    try print("pair a browser within ten minutes by the code \(code)")
    guard let url else { return }
    let address = "\(url)pair?code=\(code)"
    try print(verbatim: "  \(address)")
    guard draws, terminal.isOutputTerminal, terminal.usesUnicode, let drawn = QRCode(address)?.halfBlocks,
      terminal.width >= drawn.first?.count ?? 0
    else { return }
    // Black and white, whatever the colours of the terminal; without colours the light modules are drawn.
    let style = terminal.usesColor ? ("\u{1B}[97;40m", "\u{1B}[0m") : ("", "")
    for line in drawn { try print(verbatim: style.0 + line + style.1) }
  }

  /// The names of this machine, with the one announced on the local network (mDNS, RFC 6762).
  fileprivate var hostNames: [String] {
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, gethostname(start, 255) == 0 else { return "" }
      buffer[255] = 0
      return String(cString: start)
    }
    let first = name.prefix { $0 != "." }
    return first.isEmpty ? [] : [name, String(first), "\(first).local"]
  }
}
