internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog copy add REF …`: adds a copy.
struct CopyAddCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Record that you own a copy, and its condition.",
    discussion: """
      An item may have many copies. A result that is not on its shelf is added first. A wish for the item is \
      fulfilled. Grades are Goldmine's, typed in any usual way: VG+, "vg plus", "Very Good Plus (VG+)".
      """,
    examples: [
      Example(
        "catalog copy add 42 --media VG+ --sleeve VG --format \"LP, 180 g\" --place K2/3 --price \"25000 KRW\"",
        "Another copy of item 42."),
      Example("catalog copy add r1 --on 2019-03 --from \"the market\"", "A result: added, and owned."),
    ],
    arguments: [.words(\.typed, help: "Which item or result.")]
      + CopyOptions.arguments.lifted(\.options))

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var options = CopyOptions()
  var result = ResultOptions()

  func run(in context: Context) throws {
    var facts = Copy.Facts()
    try options.changes(in: context)(&facts)
    // Errors in the options come before a result is fetched and added.
    facts = try Store.check(facts)
    var store = try context.changing()
    let target = try context.target(typed, in: store)
    if context.globals.isDryRun {
      return try context.would(
        "would add a copy of \(context.safe(try context.line(of: target, in: store)))", Change(of: target, in: store))
    }
    var copy: Copy?
    try context.write(to: target, in: &store) { store, id in
      copy = try store.addCopy(facts, of: id, now: context.timestamp)
    }
    guard let copy else { return }
    let face = try CopyFace(copy, in: store)
    try context.did("copy \(face.line(in: context))", Change(of: face))
  }
}
