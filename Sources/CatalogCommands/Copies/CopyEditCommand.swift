internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog copy edit COPY …`: changes what is said of a copy.
struct CopyEditCommand: Command {
  static let info = CommandInfo<Self>(
    "edit", summary: "Change what is said of a copy.",
    discussion: "'none' clears what is said. What no option names stays.",
    examples: [
      Example("catalog copy edit c7 --sleeve \"VG+\" --place K3/1", "Another grade and another place."),
      Example("catalog copy edit 42 --price none", "Of an item with one copy its number will do, too."),
    ],
    arguments: [.phrase("copy", \.reference, help: "Which copy: c7, or an item that has just one.")]
      + CopyOptions.arguments.lifted(\.options))

  var reference = CopyReference.copy(CopyID(rawValue: 0))
  var options = CopyOptions()

  func validate() throws(UsageError) {
    guard options.isEmpty else { return }
    throw UsageError("what to change is missing", hint: "for example: catalog copy edit \(reference) --media VG+")
  }

  func run(in context: Context) throws {
    let change = try options.changes(in: context)
    let store = try context.changing()
    let seen = try context.copy(reference, in: store)
    if context.globals.isDryRun {
      var wanted = seen
      change(&wanted.facts)
      wanted.facts = try Store.check(wanted.facts)
      guard wanted != seen else { return context.warn("nothing changed") }
      return try context.print("would change \(try CopyFace(wanted, in: store).line(in: context))")
    }
    let (before, after) = try context.writable(store).changeCopy(seen.id, change)
    guard after != before else { return context.warn("nothing changed") }
    try context.print("changed \(try CopyFace(after, in: store).line(in: context))")
  }
}
