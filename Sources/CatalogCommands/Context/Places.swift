internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Processes

/// Where the program keeps its files, by the XDG Base Directory Specification
/// (<https://specifications.freedesktop.org/basedir-spec/latest/>). All of it comes from the environment, but for the profile
/// that a person uses, which stands in a file.
struct Places: Sendable, Hashable {
  /// The precious file; nil when neither an option nor the environment says where.
  private(set) var catalog: String?
  /// May be deleted at any time; nil when there is no place for it.
  private(set) var cache: String?
  private(set) var configuration: String?
  /// Where the name of the profile stands that is in use; nil when there is no place for it.
  private(set) var choice: String?
  /// The profile that the catalog belongs to; nil where a file is named, whatever it is.
  private(set) var profile: Profile?
  /// What keeps the profile that was chosen from being one.
  private(set) var problem: UsageError?
  /// The folder of the first profile, in which those of the others are.
  private let data: String?

  /// - Parameters:
  ///   - option: `--db`.
  ///   - profile: `--profile`.
  init(environment: [String: String], option: String? = nil, profile: Profile? = nil) {
    func base(_ variable: String, _ fallback: String) -> String? {
      // The specification: a path that is not absolute is ignored.
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
    // Where a file is named, no other is read to find it.
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

  /// The documents of the catalog, for other devices: a folder beside it, `catalog.tree` for `catalog.db`.
  var tree: String? { companion(".tree") }

  /// The browsers that may see and change the catalog: a file beside it, `catalog.browsers` for `catalog.db`.
  var browsers: String? { companion(".browsers") }

  /// What lies beside the catalog, and goes with it.
  private func companion(_ ending: String) -> String? {
    guard let catalog else { return nil }
    let name = catalog.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    // What a hidden file begins with is no ending.
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return catalog + ending }
    return catalog.dropLast(name.count) + name[..<dot] + ending
  }

  // MARK: Profiles

  /// Where the catalog of a profile is, and all that belongs to it alone; nil when there is no place for it.
  func folder(of profile: Profile) -> String? {
    profile == .first ? data : data.map { "\($0)/\(Self.profilesName)/\(profile.name)" }
  }

  /// The folder of all profiles but the first, in that of the first.
  static let profilesName = "profiles"

  /// The first profile, and all others of which there is something on this device, by name.
  /// - Throws: ``SystemError`` when that cannot be told.
  func profiles() throws(SystemError) -> [Profile] {
    guard let data else { return [.first] }
    let names = try WholeFile.names(in: "\(data)/\(Self.profilesName)")
    return [.first] + names.compactMap { try? Profile($0) }.filter { $0 != .first }
  }

  /// The same places for another profile.
  func with(_ profile: Profile) -> Places {
    var places = self
    (places.profile, places.problem) = (profile, nil)
    places.catalog = folder(of: profile).map { $0 + "/" + Self.catalogName }
    return places
  }

  /// The profile of this name, or else the one whose name stands in a file; the first where there is no file.
  private static func chosen(_ name: String?, elseIn path: String?) throws(UsageError) -> Profile {
    if let name { return try Profile(name) }
    guard let path else { return .first }
    let name: String
    do {
      guard let bytes = try WholeFile.read(path, atMost: 1_000) else { return .first }
      name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).trimmingBlanks
    } catch {
      throw UsageError("which profile is in use cannot be read from \(path.quoted): \(error.reason)")
    }
    do throws(UsageError) { return try Profile(name) } catch {
      throw UsageError(
        "\(path.quoted) should name the profile in use: \(error.message)", hint: "say it anew: catalog profile use NAME"
      )
    }
  }
}
