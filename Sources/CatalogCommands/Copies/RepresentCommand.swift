internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog represent REF`: chooses the vinyl record that represents its owner.
struct RepresentCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "represent", summary: "Name the one record that represents you.",
    discussion: """
      There is at most one; choosing another replaces it. The home page names it, and posters begin with its cover. \
      Without words the command shows it. A result that is not on its shelf is added first.
      """,
    examples: [
      Example("catalog represent \"kind of blue\"", "That record, from now on."),
      Example("catalog represent --none", "Represented by no record from now on."),
    ],
    arguments: [
      .words(\.typed, isRequired: false, help: "Which record."),
      .flag("none", \.isNone, help: "Represented by no record from now on."),
    ])

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var isNone = false
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if !typed.isEmpty, isNone { throw UsageError("'--none' cannot be combined with REF") }
  }

  func run(in context: Context) throws {
    var store = try context.changing()
    let before = try store.representative()
    let isDry = context.globals.isDryRun
    if isNone {
      guard let before else { return context.already("no record represents you", Change(.done, [])) }
      let item = try store.item(before)
      let line = context.safe(item.line)
      if isDry { return try context.would("would no longer represent you: \(line)", Change(of: item)) }
      try context.writable(store).represent(by: nil)
      return try context.did("no longer represents you: \(line)", Change(of: item))
    }
    guard !typed.isEmpty else {
      guard let before else {
        context.changes?.append(Change(.already, [("item", Table.Value.none)]))
        throw Failure("no record represents you", hint: "name one: catalog represent \"kind of blue\"")
      }
      let item = try store.item(before)
      context.changes?.append(Change(of: item), .already)
      return try context.print("represents you: \(context.safe(item.line))")
    }
    let target = try context.target(typed, in: store)
    // This error comes before a result is fetched and added.
    if case .candidate(let candidate) = target, ![.vinyl, .music].contains(candidate.record.kind) {
      throw Failure(
        "\(candidate.record.title.quoted) is not a record", hint: "find one: catalog vinyl", status: .misused)
    }
    if case .item(let id) = target, try store.item(id).record.kind != .vinyl { throw CatalogError.notRecord(id) }
    if isDry {
      return try context.would(
        "would represent you: \(context.safe(try context.line(of: target, in: store)))", Change(of: target, in: store))
    }
    guard let id = try context.write(to: target, in: &store, { try $0.represent(by: $1) }) else { return }
    let item = try store.item(id)
    let words: Message = "represents you: \(context.safe(item.line))"
    if id == before { return context.already(words, Change(of: item)) }
    try context.did(words, Change(of: item))
  }
}
