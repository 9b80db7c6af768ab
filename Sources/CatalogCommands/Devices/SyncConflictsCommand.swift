internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog sync conflicts [N] [--take mine|theirs|both]`: what devices said differently, and which of it is to be.
struct SyncConflictsCommand: Command {
  static let info = CommandInfo<Self>(
    "conflicts", summary: "List conflicts between devices, and resolve them.",
    discussion: """
      A sync never asks: it keeps the later value, a person's before a source's, and both of two texts. The values \
      that it did not keep are listed here. With a number and --take you choose another side; the other devices get it \
      with the next sync.
      """,
    examples: [
      Example("catalog sync conflicts", "The conflicts that are not resolved yet."),
      Example("catalog sync conflicts 3 --take theirs", "Takes the other device's value for the third."),
    ],
    arguments: [
      .positional("n", \.number, help: "The number of the conflict."),
      .option(
        "take", \.side, value: "SIDE",
        help: "The side to keep: mine, theirs or both; for texts, both means one after the other."),
      .flag("all", \.wantsAll, help: "Also resolved conflicts."),
    ] + TableOptions.arguments.lifted(\.table))

  var number: Count?
  var side: Side?
  var wantsAll = false
  var table = TableOptions()

  /// `mine`, `theirs` or `both`.
  struct Side: ArgumentValue {
    var resolution: MergeConflict.Resolution

    init(argument: String) throws {
      guard let resolution = MergeConflict.Resolution(rawValue: argument) else {
        throw UsageError("invalid value \(argument.quoted) for --take", hint: "use mine, theirs or both")
      }
      self.resolution = resolution
    }

    static var completion: CompletionKind { .values(MergeConflict.Resolution.allCases.map(\.rawValue)) }
  }

  func validate() throws(UsageError) {
    if side != nil, number == nil { throw UsageError("which one?", hint: "their numbers: catalog sync conflicts") }
  }

  func run(in context: Context) throws {
    if let side, let number { return try resolve(number, side.resolution, in: context) }
    try list(number, in: context)
  }

  private func list(_ number: Count?, in context: Context) throws {
    let store = try context.reading()
    let found = try store.syncConflicts(all: wantsAll || number != nil).filter { conflict in
      number.map { Int64($0.number) == conflict.id } ?? true
    }
    if let number, found.isEmpty { throw CatalogError.noConflict(Int64(number.number)) }
    try context.write(
      Table(
        columns: [
          .init("id", "#", alignment: .right, importance: 9), .init("conflict", isHidden: true),
          .init("done_at", "When", importance: 5),
          .init("title", "Title", isFlexible: true, minimumWidth: 12, importance: 8),
          .init("row", isHidden: true),
          .init("part", "Part", importance: 7),
          .init("here", "Here", isFlexible: true, minimumWidth: 8, importance: 6),
          .init("there", "There", isFlexible: true, minimumWidth: 8, importance: 6),
          .init("device", "Device", importance: 4), .init("kept", "Kept", importance: 7),
        ],
        rows: found.map { conflict in
          let details = conflict.details
          return [
            .init(Int(conflict.id), style: .cyan), .init(Int(conflict.id)), context.cell(conflict.at),
            .init(details.title), .init(details.row),
            .init(value: .text(details.partName), shown: context.text(details.partWord)),
            .init(details.ours?.shown), .init(details.theirs?.shown), .init(conflict.device),
            .init(value: .text(details.resolution.rawValue), shown: context.text(details.resolution.words)),
          ]
        }), table)
    if found.isEmpty { throw Failure("there are no conflicts") }
  }

  private func resolve(_ number: Count, _ resolution: MergeConflict.Resolution, in context: Context) throws {
    let store = try context.changing()
    let id = Int64(number.number)
    guard let conflict = try store.syncConflicts(all: true).first(where: { $0.id == id }) else {
      throw CatalogError.noConflict(id)
    }
    let title = context.safe(conflict.details.title)
    if context.globals.isDryRun { return try context.print("would keep \(resolution.words) of \(title)") }
    do {
      try context.writable(store).resolveConflict(id, with: resolution, now: context.timestamp)
    } catch let problem as DocumentProblem {
      throw Failure("the catalog cannot store that: \(problem.message)")
    }
    // For a program, the row as it is now.
    guard table.format == nil else { return try list(number, in: context) }
    try context.print("kept \(resolution.words) of \(title)")
  }
}
