internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Processes
internal import SQLite

/// `catalog profile use NAME`: sets the default profile.
struct ProfileUseCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "use", summary: "Use the catalog of a profile from now on.",
    discussion: "With --new it creates an empty profile, which must not exist yet.",
    examples: [
      Example("catalog profile use --new club", "Makes the profile club, and uses it from now on."),
      Example("catalog profile use default", "Back to the first one."),
    ],
    arguments: [
      .positional("name", \.profile, help: "Which one."),
      .flag("new", \.isNew, help: "Create the profile."),
    ])

  var profile = Profile.first
  var isNew = false
  var result = ResultOptions()

  func run(in context: Context) throws {
    let places = context.places.with(profile)
    guard let catalog = places.catalog, let choice = places.choice else {
      throw Failure("there is no place for profiles: HOME is not set", hint: "set HOME")
    }
    let isThere = FileKind(of: catalog) != .missing
    if isNew {
      guard !isThere else {
        throw Failure(
          "the profile \(profile.name.quoted) already exists",
          hint: "use it: catalog profile use \(profile.name.shellWord)")
      }
    } else if !isThere, profile != .first {
      throw Failure(unknown: profile, in: places)
    }
    let change = Change(.done, [("profile", profile.name), ("file", catalog), ("new", isNew)])
    if context.globals.isDryRun {
      return try context.would(
        isNew ? "would make and use the profile \(profile.name)" : "would use the profile \(profile.name)", change)
    }
    if isNew { _ = try Store.open(at: catalog, for: .writing) }
    do {
      if profile == .first {
        if unlink(choice) != 0, errno != ENOENT { throw SystemError(errno, "remove \(choice.quoted)") }
      } else {
        let code = PrivateFolder.make(choice.folder)
        guard code == 0 else { throw SystemError(code, "make the folder \(choice.folder.quoted)") }
        try AtomicFile.write(Array("\(profile.name)\n".utf8), to: choice, isPrivate: true)
      }
    } catch let error as SystemError {
      throw Failure("the profile in use cannot be stored in \(choice.quoted): \(error.reason)")
    }
    try context.did(
      isNew
        ? "the profile \(profile.name) is new, and in use from now on: \(context.safe(catalog))"
        : "the profile \(profile.name) is in use from now on: \(context.safe(catalog))", change)
    for variable in ["CATALOG_DB", "CATALOG_PROFILE"] where context.environment[variable]?.isEmpty == false {
      context.warn("\(variable) is set, and takes precedence")
    }
  }
}
