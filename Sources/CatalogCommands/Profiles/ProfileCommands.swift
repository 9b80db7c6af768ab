internal import CatalogStore
internal import CommandLineKit

/// `catalog profile …`: several separate catalogs.
enum ProfileCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "profile", aliases: ["profiles"], summary: "Keep several catalogs apart: yours, the club's.",
      discussion: """
        Each profile has its own catalog; settings, keys and the cache are shared. The first profile is called \
        default. '--profile NAME' chooses another for one command, CATALOG_PROFILE for a shell, 'profile use' from \
        then on; '--db FILE' and CATALOG_DB name a file, which belongs to no profile.
        """,
      examples: [
        Example("catalog profile use --new club", "Makes a second catalog, and uses it from now on."),
        Example("catalog --profile default list", "What is in the first one."),
      ],
      default: AnyCommand(ProfileListCommand.self),
      [.command(ProfileListCommand.self), .command(ProfileUseCommand.self), .command(ProfileWipeCommand.self)]))
}

/// `catalog profile list`: lists the profiles.
struct ProfileListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List the profiles: which is in use, how much is in it, where it is synced to.",
    examples: [
      Example("catalog profile list", "All of them."),
      Example("catalog profile list --json=profile,file", "Their files, for a program."),
    ],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    var listing = Table(columns: [
      .init("profile", "Profile", importance: 9), .init("in_use", "In use", importance: 8),
      .init("items", "Items", alignment: .right, importance: 7),
      .init("bytes", "Size", alignment: .right, importance: 5),
      .init("remote", "Remote", isFlexible: true, minimumWidth: 12, importance: 6),
      .init("file", "Catalog", isFlexible: true, minimumWidth: 12, importance: 3),
    ])
    for profile in try context.places.profiles() {
      let places = context.places.with(profile)
      guard let catalog = places.catalog else { continue }
      let isThere = FileKind(of: catalog) != .missing
      let size = isThere ? FileKind.size(of: AtomicFile.target(of: catalog)) : nil
      // Git is started only for a profile with a sync tree.
      let remote = places.tree.flatMap { FileKind(of: $0) == .missing ? nil : SyncTree(path: $0).shownRemote }
      let isInUse = profile == context.places.profile
      listing.rows.append([
        .init(profile.name, style: .cyan), .init(isInUse, shown: isInUse ? context.text("yes") : ""),
        .init(isThere ? Store.itemCount(at: catalog) : nil), .init(size, shown: size?.size), .init(remote),
        .init(catalog),
      ])
    }
    try context.write(listing, table)
    for folder in try context.places.profiles().flatMap({ context.places.folders(of: $0).dropFirst() }) {
      context.note("not shown, since another profile has the same name: \(folder.quoted)")
    }
    if let problem = context.places.problem { throw problem }
    if let file = context.places.catalog, context.places.profile == nil {
      context.note("no profile is in use: the file \(file.quoted) is named directly")
    }
  }
}
