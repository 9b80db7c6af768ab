import FoundationEssentials
import Glibc
import SQLite
import TestSupport

/// Trouble around git: `sync init` and `sync clone` that are killed or run out of space, and edits of the tree's files
/// during a sync. In each case the same command must finish the work, and nothing may be lost.
struct SyncTrouble {
  enum Way: String, CaseIterable {
    case initKilled = "sync init, killed"
    case cloneKilled = "sync clone, killed"
    case edited = "sync, files edited"
    case initWithoutRoom = "sync init, full disk"
    case cloneWithoutRoom = "sync clone, full disk"

    var isKilled: Bool { self == .initKilled || self == .cloneKilled }
    var needsDisk: Bool { self == .initWithoutRoom || self == .cloneWithoutRoom }
    var isClone: Bool { self == .cloneKilled || self == .cloneWithoutRoom }
  }

  private let folder: String
  private let program: String
  private let seed: UInt64
  /// Called before each try.
  var begin: (Int) -> Void = { _ in }
  /// A home with a catalog, one with a synced catalog, and one with git's settings alone.
  private let shelf, synced, empty: Home
  /// The repository of the synced home, and a copy of its first state.
  private let remote, template: String
  private let titles: [String]

  private static let tree = ".local/share/catalog/catalog.tree"

  init(in folder: String, seed: UInt64, program: String) throws {
    (self.folder, self.seed, self.program) = (folder, seed, program)
    (shelf, synced, empty) = (
      Home(path: "\(folder)/shelf"), Home(path: "\(folder)/synced"), Home(path: "\(folder)/empty")
    )
    (remote, template) = ("\(folder)/remote.git", "\(folder)/template.git")
    try empty.make()
    try empty.write(
      Array("[user]\n  name = Somebody\n  email = somebody@example.org\n[gc]\n  autoDetach = false\n".utf8),
      to: ".gitconfig")
    try shelf.make(from: empty)
    for (title, year) in [("Solaris", "1961"), ("토지", "1969"), ("The Odyssey", "-700")] {
      try Self.run(["add", "book", "--title", title, "--year", year, "--yes"], in: shelf, program: program)
    }
    titles = try Self.titles(in: shelf)
    try synced.make(from: shelf)
    try Self.run(["sync", "init", remote], in: synced, program: program)
    try Self.run(["sync"], in: synced, program: program)
    try FileManager.default.copyItem(atPath: remote, toPath: template)
  }

  func run(_ numbers: some Sequence<Int>) throws -> Report {
    var report = Report(columns: "tries", "in the middle", "repeated")
    let canMount = Disk.canMount
    if !canMount { report.notes.append("SKIPPED: a full disk, since no file system can be mounted here") }
    let ways = Way.allCases.filter { canMount || !$0.needsDisk }
    var lasting: [Way: Double] = [:]
    for number in numbers {
      begin(number)
      let way = ways[number % ways.count]
      var random = SplitMix(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
      let result = try attempt(way, lasting: &lasting[way, default: 250_000], using: &random)
      report.count("tries", of: way.rawValue)
      if result.isInterrupted { report.count("in the middle", of: way.rawValue) }
      if result.isRepeated { report.count("repeated", of: way.rawValue) }
      if let problem = result.problem {
        report.fail(problem, of: way.rawValue, again: "sync --seed \(seed) --only \(number)")
      }
    }
    return report
  }

  private struct Result {
    var isInterrupted = false
    var isRepeated = false
    var problem: String?
  }

  private func attempt(_ way: Way, lasting: inout Double, using random: inout SplitMix) throws -> Result {
    if way == .edited { return try edit(lasting: &lasting, using: &random) }
    let size = Int.random(in: 900...4_000, using: &random)
    let disk = way.needsDisk ? try Disk(at: "\(folder)/disk", kilobytes: size) : nil
    defer { disk?.remove() }
    let home = Home(path: disk.map { "\($0.path)/home" } ?? "\(folder)/home")
    let own = "\(disk?.path ?? folder)/own.git"
    try? FileManager.default.removeItem(atPath: own)
    do { try home.make(from: way.isClone ? empty : shelf) } catch  where disk != nil {
      // There is not even room for the catalog.
      return Result()
    }
    let words = way.isClone ? ["sync", "clone", remote] : ["sync", "init", own]
    var result = Result()
    let launch = try home.launch(words, program: program)
    if way.isKilled {
      usleep(UInt32(lasting * Double.random(in: 0...1.1, using: &random)))
      // Git goes on by itself, or ends with the program, as at a power cut.
      if Bool.random(using: &random) { launch.killWithChildren() } else { launch.send(SIGKILL) }
    }
    var outcome = launch.finish()
    if way.isKilled { lasting *= outcome.status == 0 ? 0.93 : 1.03 }
    result.isInterrupted = outcome.status != 0
    if launch.isHanging { result.problem = "it hangs" }
    if way.needsDisk, outcome.status != 0, outcome.errors.isEmpty { result.problem = "it fails without a word" }
    disk?.grow()
    if outcome.status != 0 {
      result.isRepeated = true
      outcome = try home.run(words, program: program)
      if outcome.status != 0 { result.problem = "again: \(outcome.status), \(outcome.errors)" }
    }
    guard result.problem == nil else { return result }
    outcome = try home.run(["sync"], program: program)
    if outcome.status != 0 { result.problem = "sync: \(outcome.status), \(outcome.errors)" }
    let found = try Self.titles(in: home)
    if found != titles { result.problem = "it has \(found)" }
    if !way.isClone, result.problem == nil {
      let other = Home(path: "\(folder)/other")
      try other.make(from: empty)
      defer { other.remove() }
      outcome = try other.run(["sync", "clone", own], program: program)
      let cloned = outcome.status == 0 ? try Self.titles(in: other) : []
      if cloned != titles { result.problem = "its clone has \(cloned): \(outcome.errors)" }
    }
    home.remove()
    return result
  }

  /// Saves files of the tree during a sync that has changes of its own to push. The catalog must have each edit after
  /// the next sync at the latest.
  private func edit(lasting: inout Double, using random: inout SplitMix) throws -> Result {
    let home = Home(path: "\(folder)/home")
    try home.make(from: synced)
    try FileManager.default.removeItem(atPath: remote)
    try FileManager.default.copyItem(atPath: template, toPath: remote)
    var result = Result()
    let year = Int.random(in: 1000...1999, using: &random)
    let files = home.files.filter { $0.hasPrefix(Self.tree + "/items/") && $0.hasSuffix(".json") }.sorted()
    guard let file = files.randomElement(using: &random) else { throw Trouble("the tree has no items") }
    try Self.run(["card", "add", "1", "words of \(year)"], in: home, program: program)
    let launch = try home.launch(["sync"], program: program)
    usleep(UInt32(lasting * Double.random(in: 0...1.1, using: &random)))
    // While the program replaces the file, there is none for a moment: a person would open it again.
    var text = ""
    for _ in 0..<1_000 where text.isEmpty {
      text = String(decoding: home.bytes(of: file), as: UTF8.self)
      if text.isEmpty { usleep(1_000) }
    }
    let edited = text.replacing(/"year": -?\d+/) { _ in "\"year\": \(year)" }
    // An editor replaces the file, or writes into it.
    guard !text.isEmpty else { throw Trouble("\(file) is gone") }
    if Bool.random(using: &random) {
      try home.write(Array(edited.utf8), to: file + "~")
      rename(home[file + "~"], home[file])
    } else {
      try home.write(Array(edited.utf8), to: file)
    }
    result.isInterrupted = kill(launch.pid, 0) == 0
    var outcome = launch.finish()
    lasting *= result.isInterrupted ? 1.03 : 0.93
    if outcome.status != 0 { result.problem = "sync: \(outcome.status), \(outcome.errors)" }
    outcome = try home.run(["sync"], program: program)
    if outcome.status != 0 { result.problem = "the next sync: \(outcome.status), \(outcome.errors)" }
    let count = try Self.count("SELECT count(*) FROM item WHERE year = \(year)", in: home)
    if count != 1 { result.problem = "\(count) items have the year of the edit, \(year)" }
    let cards = try Self.count("SELECT count(*) FROM card WHERE comment = \("words of \(year)")", in: home)
    if cards != 1 { result.problem = "\(cards) cards have the words of the command" }
    home.remove()
    return result
  }

  // MARK: Helpers

  private static func run(_ words: [String], in home: Home, program: String) throws {
    let outcome = try home.run(words, program: program)
    guard outcome.status == 0 else { throw Trouble("\(words.joined(separator: " ")): \(outcome.errors)") }
  }

  private static func connection(to home: Home) throws -> Connection {
    try Connection(.file(home[Home.catalog]), mode: .readOnly)
  }

  private static func titles(in home: Home) throws -> [String] {
    guard home.mode(of: Home.catalog) != nil else { return [] }
    return try connection(to: home).values("SELECT title FROM item ORDER BY title", as: String.self)
  }

  private static func count(_ sql: SQL, in home: Home) throws -> Int {
    try connection(to: home).value(sql, as: Int.self) ?? 0
  }
}

/// A small file system in memory, which only root can mount.
private struct Disk {
  let path: String

  static var canMount: Bool {
    guard geteuid() == 0, let folder = try? TemporaryFolder(),
      let disk = try? Disk(at: folder.path("disk"), kilobytes: 64)
    else { return false }
    disk.remove()
    return true
  }

  init(at path: String, kilobytes: Int) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      throw Trouble("no file system can be mounted: \(String(cString: strerror(errno)))")
    }
  }

  /// Makes room.
  func grow() { _ = mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=64m") }

  func remove() {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }
}

extension Launch {
  /// Kills the program and all its descendants, before any of them can react.
  fileprivate func killWithChildren() {
    var all = [pid]
    var next = 0
    while next < all.count {
      let process = all[next]
      next += 1
      Glibc.kill(process, SIGSTOP)
      let children = FileManager.default.contents(atPath: "/proc/\(process)/task/\(process)/children") ?? Data()
      all += String(decoding: children, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }
    for process in all { Glibc.kill(process, SIGKILL) }
  }
}
