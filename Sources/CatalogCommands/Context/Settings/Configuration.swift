internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import Lookup
internal import Processes
internal import SQLite
internal import SourceCopies

/// The settings: a small JSON object of strings, in a file that only its owner can read.
struct Configuration: Sendable, Equatable {
  /// A setting: its name, help and check.
  struct Setting: ArgumentValue {
    var name = ""
    var help: Message = ""
    /// Throws a ``UsageError`` for an invalid value.
    var check: @Sendable (String) throws -> Void = { _ in }

    init(name: String = "", help: Message = "", check: @escaping @Sendable (String) throws -> Void = { _ in }) {
      (self.name, self.help, self.check) = (name, help, check)
    }

    init(argument word: String) throws { self = try Configuration.check(word) }

    static var valueName: String? { "NAME" }
    static var completion: CompletionKind { .dynamic("settings") }
  }

  private(set) var values: [String: String] = [:]

  static let settings: [Setting] =
    [
      Setting(name: "search.kinds", help: "The kinds that 'search' asks for: movie,book,vinyl.") {
        _ = try Kinds(list: $0)
      },
      Setting(
        name: "locale.country", help: "The country whose shops are asked: KR. Default: from the environment.",
        check: CountryCode.check),
      Setting(
        name: "copies.kinds",
        help: "The kinds for which 'add' also writes a copy: vinyl,book; or none. Default: vinyl,book."
      ) { _ = try ownedKinds($0) },
      Setting(
        name: "copies.currency", help: "The currency of prices that are typed without one: KRW. Default: none."
      ) {
        guard $0.utf8.count == 3, $0.utf8.allSatisfy({ (97...122).contains($0 | 0x20) }) else {
          throw UsageError("\($0.quoted) is not a currency: give three letters such as KRW")
        }
      },
      Setting(
        name: "contact",
        help: "Your e-mail address or page, sent to the sources that ask for one. Default: none."
      ) { _ = try Contact(argument: $0) },
      Setting(
        name: "network.deadline", help: "How long a source may take to answer, in seconds: 1 to 300. Default: 10."
      ) {
        guard let seconds = Int($0), (1...300).contains(seconds) else {
          throw UsageError("invalid timeout \($0.quoted): give 1 to 300 seconds")
        }
      },
      Setting(
        name: "cache.pictures",
        help: "How much pictures may take in the cache: 400M, 1G; 0 keeps none. Default: 400M.", check: checkSize),
      Setting(
        name: "cache.memory", help: "How much pictures may take in memory while 'card deck' runs. Default: 10M.",
        check: checkSize),
      Setting(
        name: "graphics",
        help: "How covers are drawn: kitty, iterm, sixels or blocks. Default: the best that the terminal supports."
      ) { _ = try Graphics(argument: $0) },
      Setting(
        name: "terminal.ambiguous",
        help: "How the terminal draws ★ ½ · and the like: wide for two cells, as some Korean ones do. Default: narrow."
      ) {
        guard ["narrow", "wide"].contains($0) else { throw UsageError("\($0.quoted) is neither narrow nor wide") }
      },
      Setting(
        name: "player",
        help: "The programs that play previews, the first installed one is taken: mpv,vlc. Default: \(Player.usual)."
      ) {
        guard !Player.list($0).isEmpty else { throw UsageError("\($0.quoted) names no program") }
      },
      Setting(name: "pager", help: "The program that pages long listings. Default: $PAGER, else less."),
    ]
    + Dump.all.map { dump in
      Setting(
        name: "sources.\(dump.id).copy",
        help: "When the copy of \(dump.name) is asked: first, or last, which is without a network. Default: last."
      ) {
        guard ["first", "last"].contains($0) else { throw UsageError("\($0.quoted) is neither first nor last") }
      }
    }
    + Source.all.flatMap { source in
      [Setting(name: "sources.\(source.id).base_url", help: "Where \(source.name) is: a mirror.", check: checkURL)]
        // The other sources give the addresses of pictures in their answers.
        + (source.defaultImageBaseURL == nil
          ? []
          : [
            Setting(name: "sources.\(source.id).image_base_url", help: "The address of its pictures.", check: checkURL)
          ])
        + (source.key == nil
          ? []
          : [Setting(name: keyCommandName(of: source), help: "The program that prints the key of \(source.name).")])
    }

  private static func ownedKinds(_ value: String) throws -> [Kind] {
    guard value != "none" else { return [] }
    return try value.split(separator: ",").map { try Kind(shelf: String($0).trimmingBlanks) }
  }

  private static func checkSize(_ value: String) throws {
    guard ByteCount.parse(value) != nil else {
      throw UsageError(
        "invalid size \(value.quoted): give a number of bytes, or one followed by K, M or G, such as 400M")
    }
  }

  private static func checkURL(_ value: String) throws {
    guard Request.isAllowed(value) else {
      throw UsageError("\(value.quoted) is not a web address: it must start with https://")
    }
  }

  init(values: [String: String] = [:]) { self.values = values }

  /// Reads the file; a missing one is an empty configuration.
  /// - Throws: ``Failure`` when the file cannot be read, or is not a JSON object of strings.
  init(path: String?) throws {
    guard let path else { return }
    Self.sweep(beside: path)
    let bytes: [UInt8]?
    do { bytes = try AtomicFile.read(path) } catch {
      throw Failure("the configuration \(path.quoted) cannot be read: \(error.reason)")
    }
    guard let bytes else { return }
    do {
      values = try JSONDecoder().decode([String: String].self, from: Data(bytes))
    } catch {
      throw Failure(
        "the configuration \(path.quoted) is not a JSON object of strings",
        hint: "fix it, or remove it to start over: {\"locale.country\": \"KR\"}")
    }
  }

  /// The kinds that get a copy when an item is added, since they are owned.
  func ownedKinds() throws -> [Kind] { try values["copies.kinds"].map(Self.ownedKinds) ?? Copy.usualKinds }

  /// The time limit for an answer, in seconds; nil for the default.
  var deadline: Int? { values["network.deadline"].flatMap { Int($0) } }

  /// The time limit for an answer in all, in seconds: the one of a source, and 5 s for another source in its place.
  var totalDeadline: Double { Double(deadline ?? Request.usualDeadline) + 5 }

  subscript(_ name: String) -> String? { values[name] }

  /// Sets a value, or removes it when nil.
  /// - Throws: ``UsageError`` for an unknown name or an invalid value.
  mutating func set(_ name: String, to value: String?) throws {
    let setting = try Self.check(name)
    if let value { try setting.check(value) }
    values[name] = value
  }

  // MARK: The contact

  /// Whether the person was asked for a contact and gave none.
  var wasAskedForContact: Bool { values["contact.asked"] != nil }

  /// Saves the answer to the question for a contact; nil when there is none.
  mutating func answer(contact: Contact?) {
    if let contact { values["contact"] = contact.text } else { values["contact.asked"] = "yes" }
  }

  // MARK: Keys

  /// The key of a source. It is no setting: settings are given as arguments and listed.
  func key(of source: Source) -> String? { values[Self.keyName(of: source)] }

  /// The program, with its arguments, that prints the key of a source.
  func keyCommand(of source: Source) -> String? { values[Self.keyCommandName(of: source)] }

  /// Saves the key of a source, or the program that prints it; nil for both removes them.
  mutating func setKey(of source: Source, to key: String?, command: String? = nil) {
    values[Self.keyName(of: source)] = key
    values[Self.keyCommandName(of: source)] = command
  }

  private static func keyName(of source: Source) -> String { "sources.\(source.id).key" }
  private static func keyCommandName(of source: Source) -> String { "sources.\(source.id).key_command" }

  /// The setting with this name.
  /// - Throws: ``UsageError`` for an unknown name.
  @discardableResult
  static func check(_ name: String) throws -> Setting {
    guard let setting = settings.first(where: { $0.name == name }) else {
      if let source = Source.all.first(where: { $0.key != nil && name == keyName(of: $0) }) {
        throw UsageError(
          "the key of \(source.name) is not a setting: other users can see arguments",
          hint: "'catalog source key \(source.id)' asks for it")
      }
      throw UsageError(
        "there is no setting \(name.quoted)"
          + (Suggestion.closest(to: name, among: settings.map(\.name)).map { "; did you mean \($0.quoted)?" } ?? ""),
        hint: "'catalog config list' shows them all")
    }
    return setting
  }

  /// Applies `change` to the current content of the file at `path` and replaces the file atomically. A lock serializes
  /// processes. Only the owner can read the file.
  /// - Throws: ``Failure`` when the file cannot be written, and the errors of `change`; the file is unchanged then.
  static func change(at path: String, _ change: (inout Configuration) throws -> Void) throws {
    let target = AtomicFile.target(of: path)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let code = PrivateFolder.make(target.folder)
    guard code == 0 else {
      throw Failure("the folder of the configuration \(path.quoted) cannot be made: \(SystemError(code, "").reason)")
    }
    do {
      try FileLock.holding(target + ".lock") {
        unlink(unfinished(target))
        var configuration = try Configuration(path: target)
        try change(&configuration)
        let bytes = Array(try encoder.encode(configuration.values)) + [0x0A]
        try AtomicFile.write(bytes, to: target, isPrivate: true, by: unfinished(target))
      }
    } catch let error as SystemError where error.code == EWOULDBLOCK {
      throw Failure("another program is changing the configuration \(path.quoted)", hint: "try again when it is done")
    } catch let error as SystemError {
      throw Failure("the configuration \(path.quoted) cannot be written: \(error.reason)")
    }
  }

  /// The name of the new file before it replaces the old one.
  private static func unfinished(_ target: String) -> String { target + ".new" }

  /// Removes a new file that a killed process left behind: it may contain keys.
  private static func sweep(beside path: String) {
    let target = AtomicFile.target(of: path)
    guard access(unfinished(target), F_OK) == 0 else { return }
    // A process that holds the lock is about to rename the file.
    try? FileLock.holding(target + ".lock", patience: .zero) { _ = unlink(unfinished(target)) }
  }
}
