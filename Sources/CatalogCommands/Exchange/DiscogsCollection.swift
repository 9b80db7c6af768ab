internal import CatalogModel
internal import CommandLineKit
internal import Exchange
internal import Glibc
internal import Lookup
internal import Processes

/// The collection and the wantlist of a Discogs user, as rows to import. All pages are fetched before the import
/// begins.
struct DiscogsCollection: RowSource {
  /// The most rows, since all are in memory until they are written.
  static let mostRows = 100_000

  /// Differs from the id of the Discogs table, whose keys are different: a copy imported from the table is imported
  /// again from here.
  let formatID = "discogs-live"
  let formatName = "Discogs"
  private(set) var uses: [ColumnUse] = []
  private var rows: [ImportRow] = []
  private var keys = Set<String>()
  private var unreadable = 0

  private let folders: [Int: String]
  private let fields: [Int: String]

  /// The user of `discogs:USER`; nil for the name of a file.
  static func user(in argument: String) -> String? {
    guard argument.hasPrefix("discogs:"), access(argument, F_OK) != 0 else { return nil }
    return String(argument.dropFirst("discogs:".count))
  }

  /// Fetches the whole collection.
  /// - Throws: ``Failure`` when a page cannot be fetched; `Interrupted`; `UsageError`.
  init(of user: String, _ context: Context, mostRows: Int = mostRows) throws {
    let source = Source.discogs
    if context.globals.isOffline {
      throw UsageError(
        "a collection is read from Discogs, so it does not work with --offline", hint: "leave --offline out")
    }
    guard let account = DiscogsAccount(user, try context.settingsToAsk(source), context.http) else {
      throw UsageError(
        "\(user.quoted) is not a Discogs user name", hint: "for example: catalog import discogs:USER")
    }
    do {
      (fields, folders) = (try account.fields(), try account.folders())
      uses = Self.uses(of: fields)
      try read(.copies, of: account, mostRows, context)
      do { try read(.wants, of: account, mostRows, context) } catch SourceError.refused(status: 403, _) {
        // The wantlist may be private even if the collection is not.
        uses.append(ColumnUse("Wantlist", .left("it is private")))
      }
    } catch let error as SourceError {
      try Interrupt.check()
      throw Self.failure(error, of: account, context)
    }
    if unreadable > 0 {
      context.warn("\(source.name): \(unreadable) of \(rows.count + unreadable) results could not be read")
    }
  }

  func rows(_ each: (ImportRow) throws -> Bool) throws {
    for row in rows where try !each(row) { return }
  }

  private static func failure(_ error: SourceError, of account: DiscogsAccount, _ context: Context) -> Failure {
    switch error {
    case .notFound:
      Failure(
        "there is no Discogs user \(account.user.quoted)",
        hint: "it is the name in the address of their page: discogs.com/user/NAME")
    case .refused(status: 403, _):
      Failure(
        "the collection of \(account.user) is private, and the token is another's",
        hint: "set the token of \(account.user): catalog source key discogs", status: .keyNeeded)
    default: context.failure(error, of: .discogs)
    }
  }

  // MARK: Reading

  private mutating func read(
    _ part: DiscogsAccount.Part, of account: DiscogsAccount, _ most: Int, _ context: Context
  ) throws {
    var number = 1
    var page = try account.page(number, of: part)
    let progress = ProgressLine(of: page.total, in: context)
    defer { progress.clear() }
    var count = 0
    while true {
      try Interrupt.check()
      for entry in page.entries {
        let key = part == .copies ? "instance/\(entry.id)" : "want/\(entry.id)"
        // An entry added meanwhile may move others to the next page.
        guard keys.insert(key).inserted else { continue }
        let content = part == .copies ? copy(entry) : want(entry)
        rows.append(
          ImportRow(line: rows.count + 1, key: key, words: entry.record.headline, content: .success(content)))
      }
      unreadable += page.unreadable
      count += page.entries.count + page.unreadable
      guard page.hasMore else { return }
      guard rows.count < most, number * DiscogsAccount.mostOnPage < most else {
        throw Failure("\(account.user) has too much at Discogs to read: \(most)", hint: "export it there as CSV")
      }
      progress.show(count, page.entries.last?.record.headline ?? "")
      number += 1
      page = try account.page(number, of: part)
    }
  }

  // MARK: What an entry says

  /// A copy, with its grades and notes.
  private func copy(_ kept: DiscogsAccount.Entry) -> Entry {
    var entry = Entry(kept)
    var facts = Copy.Facts(format: kept.record.vinyl.format)
    var notes: [String] = []
    for note in kept.notes {
      let number = note.field ?? 0
      let field = fields[number] ?? "Field \(number)"
      switch Place(field, number) {
      case .media where facts.media == nil && Grade(typed: note.text)?.isOfMedia == true:
        facts.media = Grade(typed: note.text)
      case .sleeve where facts.sleeve == nil && Grade(typed: note.text) != nil: facts.sleeve = Grade(typed: note.text)
      case .note: notes.append(note.text)
      case .media, .sleeve, nil: entry.notes.append("\(field): \(note.text)")
      }
    }
    facts.note = notes.isEmpty ? nil : Self.cut(notes.joined(separator: "\n"))
    entry.copies = [Entry.CopyOwned(facts)]
    // Folder 0 contains all copies, and folder 1 those in no other folder.
    if let folder = kept.folder, folder > 1, let name = folders[folder] { entry.tags = [name] }
    return entry
  }

  /// A wish.
  private func want(_ kept: DiscogsAccount.Entry) -> Entry {
    var entry = Entry(kept)
    entry.wish = Wish.Terms(note: kept.notes.first.map { Self.cut($0.text) })
    return entry
  }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count > Copy.longestNote
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(Copy.longestNote - 1))) + "…" : text
  }

  // MARK: Fields

  /// The target of a custom field of a copy.
  private enum Place {
    case media, sleeve, note

    /// A new account has three fields, which the user can rename, remove and create.
    init?(_ name: String, _ number: Int) {
      switch (Folding.fold(name), number) {
      case ("media condition", _), ("media", _), (_, 1): self = .media
      case ("sleeve condition", _), ("sleeve", _), (_, 2): self = .sleeve
      case ("notes", _), (_, 3): self = .note
      default: return nil
      }
    }
  }

  private static func uses(of fields: [Int: String]) -> [ColumnUse] {
    let own = fields.sorted { $0.key < $1.key }.map { number, name in
      switch Place(name, number) {
      case .media: ColumnUse(name, .kept("grade of the record"))
      case .sleeve: ColumnUse(name, .kept("grade of the sleeve"))
      case .note: ColumnUse(name, .kept("note of the copy"))
      case nil: ColumnUse(name, .noted)
      }
    }
    return own + [ColumnUse("Folder", .kept("tag")), ColumnUse("Rating", .kept("rating"))]
  }
}

extension Entry {
  /// The data that copies and wishes share.
  fileprivate init(_ kept: DiscogsAccount.Entry) {
    self.init(kept.record)
    addedOn = kept.addedOn
    let rating = kept.rating.flatMap { Rating(value: $0 * 20, scale: .half) }
    opinions = Opinion(rating: rating).map { [$0] } ?? []
  }
}
