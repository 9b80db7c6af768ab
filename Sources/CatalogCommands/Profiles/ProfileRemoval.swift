internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import Lookup
internal import Processes
internal import SQLite

/// The files of profiles to remove, found before any is removed. Only files that are certainly this program's are
/// found; all others stay.
struct ProfileRemoval {
  /// A file or folder that is removed as a whole.
  struct Thing: Hashable {
    enum Kind: Hashable {
      case catalog
      /// A copy that a migration or `backup` without a name made.
      case copy
      /// The remainder of an interrupted backup or migration.
      case draft
      case tree
      /// The paired browsers of the catalog.
      case browsers
      /// The remainder of an interrupted wipe of a sync tree.
      case leftover
      /// A link, and its target.
      case link(to: String)
      case cache, settings
    }

    var kind: Kind
    var path: String
    /// Whether all profiles use it.
    var isShared: Bool { kind == .cache || kind == .settings }
    /// Further files that belong to it and are removed first.
    var parts: [String] = []
    /// The number of items in it, if it can be read.
    var items: Int?
    var bytes: Int

    init(_ kind: Kind, _ path: String, parts: [String] = []) {
      (self.kind, self.path, self.parts) = (kind, path, parts)
      if [.catalog, .copy].contains(kind) { items = Store.itemCount(at: path) }
      bytes = (parts + [path]).reduce(0) { $0 + FileKind.size(of: $1) }
    }
  }

  /// The files and folders in the order of removal. The sync tree goes before its catalog, so that no process finds the
  /// catalog without it.
  private(set) var things: [Thing] = []
  /// The files in the folders that do not belong to this program.
  private(set) var strangers: [String] = []
  /// Files and folders that stay: a mount at or in them belongs to others, too.
  private(set) var held: [(path: String, mount: String)] = []
  /// Folders that are removed when they are empty.
  private var folders: [String] = []
  private let mounts: MountPoints

  /// - Parameters:
  ///   - withShared: whether to include the files that all profiles share, if nothing else stays.
  ///   - keepsTree: whether the sync trees stay.
  /// - Throws: ``SystemError`` when a folder cannot be read.
  init(
    _ profiles: [Profile], withShared: Bool, keepsTree: Bool, in places: Places, mounts: MountPoints? = nil
  ) throws(SystemError) {
    self.mounts = if let mounts { mounts } else { try MountPoints() }
    for profile in profiles { try find(profile, keepsTree: keepsTree, in: places) }
    if withShared, held.isEmpty { findShared(places) }
  }

  /// Whether a profile may have files, so that the shared files must stay.
  static func mayFind(_ profile: Profile, in places: Places) -> Bool {
    let own = places.with(profile)
    return [own.catalog, own.tree].contains { $0.map { FileKind(of: $0) != .missing } ?? false }
  }

  private mutating func find(_ profile: Profile, keepsTree: Bool, in places: Places) throws(SystemError) {
    let own = places.with(profile)
    guard let folder = places.folder(of: profile), let catalog = own.catalog, let tree = own.tree else { return }
    if profile != .first {
      if FileKind(of: folder) == .link { return add(Thing(link(folder), folder)) }
      if mounts.isOne(folder) { return held.append((folder, folder)) }
    }
    var (copies, rest): ([Thing], [Thing]) = ([], [])
    let names = try AtomicFile.names(in: folder)
    let companions = Connection.companions(of: catalog).filter { FileKind(of: $0) == .file }
    for name in names where !companions.contains("\(folder)/\(name)") {
      let path = "\(folder)/\(name)"
      let (isCatalog, isTree, isCopy) = (path == catalog, path == tree, Self.isCopy(name))
      switch FileKind(of: path) {
      case .folder where isTree && keepsTree, .link where isTree && keepsTree: break
      case .link where isCatalog || isTree || isCopy: copies.append(Thing(link(path), path))
      case .file where isCatalog && Store.isCatalog(at: path): rest.append(Thing(.catalog, path, parts: companions))
      case .file where isCopy && Store.isCatalog(at: path): copies.append(Thing(.copy, path))
      case .file where path == own.browsers: rest.append(Thing(.browsers, path))
      case .file where path == own.browsers.map({ $0 + ".lock" }): rest.append(Thing(.draft, path))
      case .file where Self.isHidden(name, ".new"): copies.append(Thing(.draft, path))
      case .folder where isTree && SyncTree(path: path).isOurs: add(Thing(.tree, path))
      case .folder where Self.isHidden(name, ".gone"): add(Thing(.leftover, path))
      case .folder where profile == .first && name == Places.profilesName: break
      default: strangers.append(path)
      }
    }
    // SQLite's files of a missing catalog would be taken for parts of the next one.
    if FileKind(of: catalog) == .missing { rest += companions.map { Thing(.draft, $0) } }
    for thing in copies + rest { add(thing) }
    folders += profile == .first ? ["\(folder)/\(Places.profilesName)", folder] : [folder, folder.folder]
  }

  private mutating func findShared(_ places: Places) {
    if let cache = places.cache {
      let companions = Connection.companions(of: cache).filter { FileKind(of: $0) == .file }
      switch FileKind(of: cache) {
      case .missing: for file in companions { add(Thing(.draft, file)) }
      case .link: add(Thing(link(cache), cache))
      case .file where CacheDatabase(path: cache).isOurs: add(Thing(.cache, cache, parts: companions))
      default: strangers.append(cache)
      }
      folders.append(cache.folder)
    }
    for file in places.settings {
      switch FileKind(of: file) {
      case .missing: break
      case .link: add(Thing(link(file), file))
      case .file: add(Thing(.settings, file))
      default: strangers.append(file)
      }
    }
    if let choice = places.choice { folders.append(choice.folder) }
  }

  private mutating func add(_ thing: Thing) {
    if let mount = mounts.first(in: thing) { held.append((thing.path, mount)) } else { things.append(thing) }
  }

  private func link(_ path: String) -> Thing.Kind {
    .link(to: (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "")
  }

  // MARK: Names

  /// Whether the name is that of a copy of the catalog: `catalog.db.v3.bak`, `catalog.db.v3.2.bak`,
  /// `catalog.db.before-restore.bak`, `catalog-2026-11-21.db`.
  private static func isCopy(_ name: String) -> Bool {
    func isNumber(_ text: some StringProtocol) -> Bool { !text.isEmpty && text.allSatisfy { ("0"..."9").contains($0) } }
    if name.hasPrefix("catalog.db."), name.hasSuffix(".bak") {
      let parts = name.dropFirst("catalog.db.".count).dropLast(".bak".count)
        .split(separator: ".", omittingEmptySubsequences: false)
      guard let first = parts.first, parts.count <= 2, parts.dropFirst().allSatisfy(isNumber) else { return false }
      return first == "before-restore" || first.hasPrefix("v") && isNumber(first.dropFirst())
    }
    guard name.hasPrefix("catalog-"), name.hasSuffix(".db") else { return false }
    let parts = name.dropFirst("catalog-".count).dropLast(".db".count)
      .split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy(isNumber)
  }

  /// Whether the name is one that only this program uses: `.catalog-1f0c9a.new`.
  private static func isHidden(_ name: String, _ ending: String) -> Bool {
    guard name.hasPrefix(".catalog-"), name.hasSuffix(ending) else { return false }
    let number = name.dropFirst(".catalog-".count).dropLast(ending.count)
    return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
  }

  // MARK: Removing

  /// Calls `body` while no other process uses the catalogs to remove. `body` must not open their files, which would
  /// release SQLite's locks.
  /// - Throws: ``CatalogError`` when another process uses one, and the errors of `body`.
  func withoutOthers(_ body: () throws -> Void) throws {
    func hold(_ catalogs: ArraySlice<Thing>) throws {
      guard let first = catalogs.first else { return try body() }
      try Store.withoutOthers(at: first.path) { try hold(catalogs.dropFirst()) }
    }
    try hold(things.filter { $0.kind == .catalog }[...])
  }

  /// Removes a file or folder. Links are not followed.
  /// - Throws: ``SystemError`` when it cannot be removed.
  static func remove(_ thing: Thing) throws(SystemError) {
    // While a question was open, something may have been mounted.
    if let mount = try MountPoints().first(in: thing) { throw SystemError(EBUSY, "remove \(mount.quoted)") }
    switch thing.kind {
    case .tree:
      // The new name marks it as removed, even if the removal stops here.
      let gone = "\(thing.path.folder)/.catalog-\(String(UInt64.random(in: 0...(.max)), radix: 16)).gone"
      guard rename(thing.path, gone) == 0 else { throw SystemError(errno, "remove \(thing.path.quoted)") }
      try removeAll(at: gone)
    case .leftover: try removeAll(at: thing.path)
    case .catalog, .copy, .draft, .browsers, .link, .cache, .settings: try removeFiles(of: thing)
    }
  }

  /// Removes the empty folders.
  func removeFolders() { for folder in folders.sorted(by: { $0.count > $1.count }) { rmdir(folder) } }

  private static func removeFiles(of thing: Thing) throws(SystemError) {
    // A journal without its database would be taken for a part of the next one.
    for file in thing.parts + [thing.path] where unlink(file) != 0 && errno != ENOENT {
      throw SystemError(errno, "remove \(file.quoted)")
    }
  }

  private static func removeAll(at path: String) throws(SystemError) {
    if FileKind(of: path) == .folder {
      // A folder of the tree may be read-only.
      chmod(path, 0o700)
      for name in try AtomicFile.names(in: path) { try removeAll(at: "\(path)/\(name)") }
      guard rmdir(path) == 0 || errno == ENOENT else { throw SystemError(errno, "remove \(path.quoted)") }
    } else {
      guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(errno, "remove \(path.quoted)") }
    }
  }
}

extension MountPoints {
  /// The first place at or in a thing where something is mounted.
  fileprivate func first(in thing: ProfileRemoval.Thing) -> String? {
    if case .link = thing.kind { return nil }
    return (thing.parts + [thing.path]).lazy.compactMap { first(in: $0) }.first
  }
}
