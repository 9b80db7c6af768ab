internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog represent REF`: names the one record that represents its owner.
struct RepresentCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "represent", summary: "Name the one record that represents you.",
    discussion: """
      There is at most one; another takes its place. Home names it, and posters begin with its cover. Without words it is \
      shown. A result that is not on its shelf is added first.
      """,
    examples: [
      Example("catalog represent \"kind of blue\"", "That record, from now on."),
      Example("catalog represent --none", "No record any more."),
    ],
    arguments: [
      .phrase("ref", \.reference, isRequired: false, completion: .dynamic("items"), help: "Which record."),
      .flag("none", \.isNone, help: "No record any more."),
    ])

  var reference: Reference?
  var isNone = false

  func validate() throws(UsageError) {
    if reference != nil, isNone { throw UsageError("'--none' stands alone: it takes no REF") }
  }

  func run(in context: Context) throws {
    var store = try context.changing()
    let before = try store.representative()
    let isDry = context.globals.isDryRun
    if isNone {
      guard let before else { return context.mention("no record represents you") }
      let line = context.safe(try store.item(before).line)
      if !isDry { try context.writable(store).represent(by: nil) }
      return try context.print(isDry ? "would represent you no more: \(line)" : "represents you no more: \(line)")
    }
    guard let reference else {
      guard let before else {
        throw Failure("no record represents you", hint: "name one: catalog represent \"kind of blue\"")
      }
      return try context.print("represents you: \(context.safe(try store.item(before).line))")
    }
    let target = try context.target(reference, in: store)
    // Said before a result is fetched and added.
    if case .candidate(let candidate) = target, ![.vinyl, .music].contains(candidate.record.kind) {
      throw Failure("\(candidate.record.title.quoted) is no record", hint: "find one: catalog vinyl", status: .misused)
    }
    if case .item(let id) = target, try store.item(id).record.kind != .vinyl { throw CatalogError.notRecord(id) }
    if isDry {
      return try context.print("would represent you: \(context.safe(try context.line(of: target, in: store)))")
    }
    let id = try context.write(to: target, in: &store) { try $0.represent(by: $1) }
    if let id { try context.print("represents you: \(context.safe(try store.item(id).line))") }
  }
}
