/// Where the program keeps its files, by the XDG Base Directory Specification
/// (<https://specifications.freedesktop.org/basedir-spec/latest/>). All of it comes from the environment.
struct Places: Sendable, Hashable {
  /// The precious file; nil when neither an option nor the environment says where.
  var catalog: String?
  /// May be deleted at any time; nil when there is no place for it.
  var cache: String?
  var configuration: String?

  /// The folder beside the catalog in which it lies as text: `catalog.tree` for `catalog.db`.
  var tree: String? {
    catalog.map { path in
      let name = path.split(separator: "/").last ?? ""
      guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path + ".tree" }
      return path.dropLast(name.count) + name[..<dot] + ".tree"
    }
  }

  /// - Parameter option: `--db`.
  init(environment: [String: String], option: String? = nil) {
    func base(_ variable: String, _ fallback: String) -> String? {
      // The specification: a path that is not absolute is ignored.
      if let path = environment[variable], path.hasPrefix("/") { return path + "/catalog" }
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      return "\(home)/\(fallback)/catalog"
    }
    let named = option ?? environment["CATALOG_DB"].flatMap { $0.isEmpty ? nil : $0 }
    catalog = named ?? base("XDG_DATA_HOME", ".local/share").map { $0 + "/catalog.db" }
    cache = base("XDG_CACHE_HOME", ".cache").map { $0 + "/cache.db" }
    configuration = base("XDG_CONFIG_HOME", ".config").map { $0 + "/config.json" }
  }
}
