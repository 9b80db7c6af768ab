internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Processes

/// The paths of the program's files, by the XDG Base Directory Specification
/// (<https://specifications.freedesktop.org/basedir-spec/latest/>). They depend only on the environment, except for the
/// profile in use, whose name is in a file.
struct Places: Sendable, Hashable {
  /// The catalog; nil when neither an option nor the environment gives a path.
  private(set) var catalog: String?
  /// The cache, which may be deleted at any time; nil when the environment names no folder.
  private(set) var cache: String?
  private(set) var configuration: String?
  /// The file with the name of the profile in use; nil when the environment names no folder.
  private(set) var choice: String?
  /// The profile that the catalog belongs to; nil when a file is named.
  private(set) var profile: Profile?
  /// The reason why the chosen profile is invalid.
  private(set) var problem: UsageError?
  /// The folder of the first profile, which contains the folders of the others.
  private let data: String?

  /// - Parameters:
  ///   - option: the value of `--db`.
  ///   - profile: the value of `--profile`.
  init(environment: [String: String], option: String? = nil, profile: Profile? = nil) {
    func base(_ variable: String, _ fallback: String) -> String? {
      // By the specification, a path that is not absolute is ignored.
      if let path = environment[variable], path.hasPrefix("/") { return path + "/catalog" }
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      return "\(home)/\(fallback)/catalog"
    }
    func value(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
    data = base("XDG_DATA_HOME", ".local/share")
    cache = base("XDG_CACHE_HOME", ".cache").map { $0 + "/cache.db" }
    let settings = base("XDG_CONFIG_HOME", ".config")
    configuration = settings.map { $0 + "/config.json" }
    choice = settings.map { $0 + "/profile" }
    catalog = option ?? (profile == nil ? value("CATALOG_DB") : nil)
    if catalog == "-" {
      problem = UsageError("a catalog is a file, and no stream", hint: "name a file: --db FILE")
      catalog = nil
      return
    }
    // With a named file, the name of the profile is not read.
    guard catalog == nil else { return }
    do throws(UsageError) {
      let chosen = if let profile { profile } else { try Self.chosen(value("CATALOG_PROFILE"), elseIn: choice) }
      self.profile = chosen
      catalog = folder(of: chosen).map { $0 + "/" + Self.catalogName }
    } catch {
      problem = error
    }
  }

  static let catalogName = "catalog.db"

  /// The folder of the copies of sources, beside the cache; nil when the environment names no folder.
  var copies: String? { cache.map { "\($0.folder)/copies" } }

  /// The sync tree of the catalog, a bare repository: a folder beside it, `catalog.tree` for `catalog.db`.
  var tree: String? { companion(".tree") }

  /// The paired browsers that may see and change the catalog: a file beside it, `catalog.browsers` for `catalog.db`.
  var browsers: String? { companion(".browsers") }

  /// The path of the catalog.
  /// - Throws: ``UsageError`` or ``Failure`` when there is no place for one.
  var requiredCatalog: String {
    get throws {
      if let catalog { return catalog }
      if let problem { throw problem }
      throw Failure("there is no place for the catalog: HOME is not set", hint: "use --db FILE, or set CATALOG_DB")
    }
  }

  /// The files and folders beside the catalog that belong to it, without SQLite's.
  var companions: [String] { [tree, browsers].compactMap(\.self).flatMap { [$0, $0 + ".lock"] } }

  /// The files of the settings, which all profiles share. The choice of the profile comes last: it names the others.
  var settings: [String] {
    (configuration.map { [$0, $0 + ".new", $0 + ".lock"] } ?? []) + [choice].compactMap(\.self)
  }

  /// The path of a file beside the catalog, which belongs to it.
  private func companion(_ ending: String) -> String? {
    guard let catalog else { return nil }
    let name = catalog.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    // The dot at the start of a hidden file begins no extension.
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return catalog + ending }
    return catalog.dropLast(name.count) + name[..<dot] + ending
  }

  // MARK: Profiles

  /// The folder with the catalog of a profile and its other files; nil when the environment names no folder.
  func folder(of profile: Profile) -> String? {
    guard profile != .first, let data else { return data }
    let usual = "\(data)/\(Self.profilesName)/\(profile.name)"
    return FileKind(of: usual) == .missing ? folders(of: profile).first ?? usual : usual
  }

  /// The folders on this device that have the name of a profile, the one in use first. Earlier versions kept a name as
  /// it was typed, and so could make two, in two Unicode forms.
  func folders(of profile: Profile) -> [String] {
    guard let data else { return [] }
    guard profile != .first else { return [data] }
    let all = "\(data)/\(Self.profilesName)"
    // Texts are equal here whatever their form.
    let names = ((try? AtomicFile.names(in: all)) ?? []).filter { $0 == profile.name }
    let usual = names.filter { $0.utf8.elementsEqual(profile.name.utf8) }
    return (usual + names.filter { !$0.utf8.elementsEqual(profile.name.utf8) }).map { "\(all)/\($0)" }
  }

  /// The name of the folder of all other profiles, inside that of the first.
  static let profilesName = "profiles"

  /// The first profile, and all others that have a folder on this device, by name.
  /// - Throws: ``SystemError`` when the folder cannot be read.
  func profiles() throws(SystemError) -> [Profile] {
    guard let data else { return [.first] }
    let names = try AtomicFile.names(in: "\(data)/\(Self.profilesName)")
    var profiles = [Profile.first]
    for name in names { if let other = try? Profile(name), !profiles.contains(other) { profiles.append(other) } }
    return profiles
  }

  func with(_ profile: Profile) -> Places {
    var places = self
    (places.profile, places.problem) = (profile, nil)
    places.catalog = folder(of: profile).map { $0 + "/" + Self.catalogName }
    return places
  }

  /// The profile with this name, or the one named in a file; the first profile when there is no file.
  private static func chosen(_ name: String?, elseIn path: String?) throws(UsageError) -> Profile {
    if let name { return try Profile(name) }
    guard let path else { return .first }
    let name: String
    do {
      guard let bytes = try AtomicFile.read(path, atMost: 1_000) else { return .first }
      name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).trimmingBlanks
    } catch {
      throw UsageError("the profile in use cannot be read from \(path.quoted): \(error.reason)")
    }
    do throws(UsageError) { return try Profile(name) } catch {
      throw UsageError(
        "\(path.quoted) should name the profile in use: \(error.message)",
        hint: "set it again: catalog profile use NAME"
      )
    }
  }
}
