internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import SQLite

extension Context {
  /// Makes sure that output may be written at a path, however it is spelled: not over the catalog, that of another
  /// profile or anything else of this program's, and not where SQLite keeps the journal of a database.
  /// - Parameter catalog: the catalog that is open.
  /// - Throws: ``Failure`` that names what is there.
  func requireFree(_ target: String, of catalog: String? = nil) throws {
    let hint: Message = "name another file"
    let spots = Spot.all(of: target)
    func isOneOf(_ paths: [String]) -> Bool {
      let others = paths.flatMap(Spot.all)
      return spots.contains { spot in others.contains { $0 == spot } }
    }
    let own = [catalog.map { Places(environment: [:], option: $0) }, places].compactMap(\.self)
    let catalogs = own.compactMap(\.catalog)
    if isOneOf(catalogs) { throw Failure("\(target.quoted) is the catalog itself", hint: hint) }
    let profiles = ((try? places.profiles()) ?? []).map { (name: $0.name, places: places.with($0)) }
    for (name, places) in profiles where isOneOf([places.catalog].compactMap(\.self)) {
      throw Failure("\(target.quoted) is the catalog of the profile \(name.quoted)", hint: hint)
    }
    for owner in spots.compactMap({ Connection.owner(ofCompanion: $0.path) }) {
      let others = Spot.all(of: owner)
      func isSpot(of path: String) -> Bool { Spot.all(of: path).contains { others.contains($0) } }
      guard !(catalogs + profiles.compactMap(\.places.catalog)).contains(where: isSpot) else {
        throw Failure("\(target.quoted) is where SQLite keeps the journal of the catalog", hint: hint)
      }
      guard !Connection.isDatabase(owner), places.cache.map(isSpot) != true else {
        throw Failure("\(target.quoted) is where SQLite keeps the journal of \(owner.quoted)", hint: hint)
      }
    }
    let all = own + profiles.map(\.places)
    let folders = all.compactMap(\.tree) + [places.copies].compactMap(\.self)
    let isWithin = folders.contains { folder in spots.contains { $0.isWithin(folder) } }
    guard !isWithin, !isOneOf(all.flatMap(\.companions) + places.settings + [places.cache].compactMap(\.self)) else {
      throw Failure("\(target.quoted) belongs to this program", hint: hint)
    }
  }

  /// Whether two paths lead to one file, however they are spelled.
  func isOneFile(_ path: String, _ other: String) -> Bool {
    let others = Spot.all(of: other)
    return Spot.all(of: path).contains { spot in others.contains { $0 == spot } }
  }

  /// Makes sure that SQLite takes nothing that lies beside a new database for a part of it.
  func requireNoJournal(of target: String) throws {
    for file in Connection.companions(of: target) where FileKind(of: file) != .missing {
      throw Failure(
        "\(file.quoted) exists, and SQLite would take it for a part of \(target.quoted)",
        hint: "name another file, or move that one away")
    }
  }
}

/// A place for a file: one that is there, or a name in a folder. Two spots are equal if they are one place, however
/// their paths are spelled.
private struct Spot: Equatable {
  /// The number of a file or folder on its disk.
  private struct Number: Equatable {
    var device: dev_t
    var file: ino_t

    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, file) = (status.st_dev, status.st_ino)
    }
  }

  /// The path, with the links of its folder resolved.
  let path: String
  private let name: String
  private let (folder, file): (Number?, Number?)

  private init(_ path: String) {
    name = path.split(separator: "/").last.map(String.init) ?? ""
    let folder = AtomicFile.target(of: path.folder)
    self.path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    (self.folder, file) = (Number(of: folder), Number(of: path))
  }

  /// The place with this path, and those to which links lead from there.
  static func all(of path: String) -> [Spot] {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    var spots = [Spot(path)]
    while spots.count <= 40, FileKind(of: path) == .link,
      let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    {
      path = next.hasPrefix("/") ? next : "\(path.folder)/\(next)"
      spots.append(Spot(path))
    }
    return spots
  }

  static func == (a: Spot, b: Spot) -> Bool {
    if let file = a.file, file == b.file { return true }
    return a.folder != nil && a.folder == b.folder && a.name == b.name
  }

  /// Whether it lies in a folder, or further down in it.
  func isWithin(_ folder: String) -> Bool { path.hasPrefix(AtomicFile.target(of: folder) + "/") }
}
