internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import Lookup
internal import Processes

/// What is there of some profiles, found before any of it goes. Only what says that it is this program's is found; whatever else
/// lies beside it stays.
struct Wiping {
  /// Something that goes as a whole.
  struct Thing: Hashable {
    enum Kind: Hashable {
      case catalog
      /// A copy that a migration made, or 'backup' without a name.
      case copy
      /// What a backup or a migration leaves that is ended half-way.
      case draft
      case tree
      /// Who may see the catalog in a browser.
      case browsers
      /// What a wipe leaves that is ended while it removes a tree.
      case leftover
      /// A link, and where it leads.
      case link(to: String)
      case cache, settings
    }

    var kind: Kind
    var path: String
    /// Other files that are parts of it, and go before it.
    var parts: [String] = []
    /// How many items are in it, where that can be told.
    var items: Int?
    var bytes: Int

    init(_ kind: Kind, _ path: String, parts: [String] = []) {
      (self.kind, self.path, self.parts) = (kind, path, parts)
      if [.catalog, .copy].contains(kind) { items = Store.itemCount(at: path) }
      bytes = (parts + [path]).reduce(0) { $0 + FileKind.size(of: $1) }
    }
  }

  /// In the order in which they go: of a catalog the tree first, which nobody must find without it and write to.
  private(set) var things: [Thing] = []
  /// What lies there and is not taken for this program's.
  private(set) var strangers: [String] = []
  /// Folders that go when nothing is left in them.
  private var folders: [String] = []

  /// - Parameters:
  ///   - withShared: also what all profiles share.
  ///   - keepsTree: the trees stay.
  /// - Throws: ``SystemError`` when it cannot be told what is there.
  init(_ profiles: [Profile], withShared: Bool, keepsTree: Bool, in places: Places) throws(SystemError) {
    for profile in profiles { try find(profile, keepsTree: keepsTree, in: places) }
    if withShared { findShared(places) }
  }

  /// Whether there may be something of a profile, for whose sake all stays that is shared.
  static func mayFind(_ profile: Profile, in places: Places) -> Bool {
    let own = places.with(profile)
    return [own.catalog, own.tree].contains { $0.map { FileKind(of: $0) != .missing } ?? false }
  }

  private mutating func find(_ profile: Profile, keepsTree: Bool, in places: Places) throws(SystemError) {
    let own = places.with(profile)
    guard let folder = places.folder(of: profile), let catalog = own.catalog, let tree = own.tree else { return }
    if profile != .first, FileKind(of: folder) == .link { return add(Thing(link(folder), folder)) }
    var (copies, rest): ([Thing], [Thing]) = ([], [])
    let names = try WholeFile.names(in: folder)
    let companions = ["-journal", "-wal", "-shm"].map { catalog + $0 }.filter { FileKind(of: $0) == .file }
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
    // What SQLite left of a catalog that is gone would be taken for a part of the next one.
    if FileKind(of: catalog) == .missing { rest += companions.map { Thing(.draft, $0) } }
    for thing in copies + rest { add(thing) }
    folders += profile == .first ? ["\(folder)/\(Places.profilesName)", folder] : [folder, folder.folder]
  }

  private mutating func findShared(_ places: Places) {
    if let cache = places.cache {
      let companions = ["-journal", "-wal", "-shm"].map { cache + $0 }.filter { FileKind(of: $0) == .file }
      switch FileKind(of: cache) {
      case .missing: for file in companions { add(Thing(.draft, file)) }
      case .link: add(Thing(link(cache), cache))
      case .file where CacheDatabase(path: cache).isOurs: add(Thing(.cache, cache, parts: companions))
      default: strangers.append(cache)
      }
      folders.append(cache.folder)
    }
    guard let configuration = places.configuration, let choice = places.choice else { return }
    // The choice goes last: until then the others are found under their names.
    for file in [configuration, configuration + ".new", configuration + ".lock", choice] {
      switch FileKind(of: file) {
      case .missing: break
      case .link: add(Thing(link(file), file))
      case .file: add(Thing(.settings, file))
      default: strangers.append(file)
      }
    }
    folders.append(configuration.folder)
  }

  private mutating func add(_ thing: Thing) { things.append(thing) }

  private func link(_ path: String) -> Thing.Kind {
    .link(to: (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "")
  }

  // MARK: Names

  /// Whether a copy of the catalog is called so: `catalog.db.v3.bak`, `catalog.db.v3.2.bak`, `catalog-2026-11-21.db`.
  private static func isCopy(_ name: String) -> Bool {
    func isNumber(_ text: some StringProtocol) -> Bool { !text.isEmpty && text.allSatisfy { ("0"..."9").contains($0) } }
    if name.hasPrefix("catalog.db.v"), name.hasSuffix(".bak") {
      let numbers = name.dropFirst("catalog.db.v".count).dropLast(".bak".count)
        .split(separator: ".", omittingEmptySubsequences: false)
      return (1...2).contains(numbers.count) && numbers.allSatisfy(isNumber)
    }
    guard name.hasPrefix("catalog-"), name.hasSuffix(".db") else { return false }
    let parts = name.dropFirst("catalog-".count).dropLast(".db".count)
      .split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy(isNumber)
  }

  /// Whether nobody but the program calls a file so: `.catalog-1f0c9a.new`.
  private static func isHidden(_ name: String, _ ending: String) -> Bool {
    guard name.hasPrefix(".catalog-"), name.hasSuffix(ending) else { return false }
    let number = name.dropFirst(".catalog-".count).dropLast(ending.count)
    return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
  }

  // MARK: Removing

  /// Calls `body` while nobody else uses the catalogs that are to go. Until it has returned, their files must not be opened: that
  /// would let others in.
  /// - Throws: ``CatalogError`` when others use one, and what `body` throws.
  func withoutOthers(_ body: () throws -> Void) throws {
    func hold(_ catalogs: ArraySlice<Thing>) throws {
      guard let first = catalogs.first else { return try body() }
      try Store.withoutOthers(at: first.path) { try hold(catalogs.dropFirst()) }
    }
    try hold(things.filter { $0.kind == .catalog }[...])
  }

  /// Removes a thing. Links are not followed.
  /// - Throws: ``SystemError`` when it cannot be removed.
  static func remove(_ thing: Thing) throws(SystemError) {
    switch thing.kind {
    case .tree:
      try requireOneFileSystem(in: thing.path)
      // From here on nobody takes it for one, however far this comes.
      let gone = "\(thing.path.folder)/.catalog-\(String(UInt64.random(in: 0...(.max)), radix: 16)).gone"
      guard rename(thing.path, gone) == 0 else { throw SystemError(errno, "remove \(thing.path.quoted)") }
      try removeAll(at: gone)
    case .leftover:
      try requireOneFileSystem(in: thing.path)
      try removeAll(at: thing.path)
    case .catalog, .copy, .draft, .browsers, .link, .cache, .settings: try removeFiles(of: thing)
    }
  }

  /// Removes the folders in which nothing is left.
  func removeFolders() { for folder in folders.sorted(by: { $0.count > $1.count }) { rmdir(folder) } }

  private static func removeFiles(of thing: Thing) throws(SystemError) {
    // A journal without its database would be taken for a part of the next one.
    for file in thing.parts + [thing.path] where unlink(file) != 0 && errno != ENOENT {
      throw SystemError(errno, "remove \(file.quoted)")
    }
  }

  /// Makes sure that no other file system is mounted within a folder: what is on it is not this program's.
  /// - Throws: ``SystemError`` that names where one is.
  private static func requireOneFileSystem(in folder: String) throws(SystemError) {
    var own = stat()
    guard lstat(folder, &own) == 0 else { return }
    var left = [folder]
    while let path = left.popLast() {
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      guard status.st_dev == own.st_dev else {
        throw SystemError(EBUSY, "remove \(folder.quoted), since another file system is mounted at \(path.quoted)")
      }
      if status.st_mode & S_IFMT == S_IFDIR { left += try WholeFile.names(in: path).map { "\(path)/\($0)" } }
    }
  }

  private static func removeAll(at path: String) throws(SystemError) {
    if FileKind(of: path) == .folder {
      // A folder that may not be written is one of the tree, too.
      chmod(path, 0o700)
      for name in try WholeFile.names(in: path) { try removeAll(at: "\(path)/\(name)") }
      guard rmdir(path) == 0 || errno == ENOENT else { throw SystemError(errno, "remove \(path.quoted)") }
    } else {
      guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(errno, "remove \(path.quoted)") }
    }
  }
}
