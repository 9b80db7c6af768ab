import CatalogModel
import FoundationEssentials
import Git
import Glibc
import Processes
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests remotes of every kind and their errors: no data is lost, the error is explained, and the next sync works.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct RemoteTests: TestOfTwoDevices {
  let devices: TestDevices

  init() throws { devices = try Self.makeDevices() }

  /// Sets the laptop's remote.
  private func move(to url: String) throws {
    try git("-C", try #require(laptop.places.tree), "config", "remote.origin.url", url)
  }

  /// Makes a change on the laptop, and checks that it cannot be pushed.
  private func expectStays(_ words: String, year: Int = 1961) throws {
    laptop.run("edit", "1", "year=\(year)")
    let run = laptop.run("sync")
    #expect(run.status == 3)
    #expect(run.output == "kept here, not sent: 1 file changed here\n")
    #expect(run.errors.hasPrefix("catalog: \(words)\nhint: "), "\(run.errors)")
    #expect(laptop.run("list").output.split(separator: "\n").count == 3)
    #expect(try laptop.store.db.value("SELECT year FROM item WHERE id = 1", as: Int.self) == year)
  }

  /// Checks that local changes go with the next sync and reach the desktop.
  private func expectGoesOn() throws {
    #expect(laptop.run("sync").status == 0)
    #expect(desktop.run("sync").status == 0)
    #expect(desktop.run("show", "1", "--json").output.contains("1961"))
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
  }

  private func rows(_ catalog: TestCatalog) throws -> [String] {
    try catalog.store.db.values("SELECT id || ' ' || title || ' ' || ifnull(year, '') FROM item ORDER BY 1")
  }

  // MARK: SSH

  @Test func `two devices sync over SSH`() throws {
    try laptop.addThree()
    try git("init", "--quiet", "--bare", "--initial-branch=main", devices.remote)
    let url = "ssh://home\(devices.remote)"
    #expect(laptop.run("sync", "init", url).status == 0)
    #expect(desktop.run("sync", "clone", url).output == "synced: 3 new\n")
    desktop.run("edit", "1", "year=1961")
    #expect(desktop.run("sync").output == "synced: 1 file changed here, sent\n")
    #expect(laptop.run("sync").output == "synced: 1 changed on other devices\n")
    #expect(try TestDevices.files(of: laptop) == TestDevices.files(of: desktop))
    let phone = try devices.add("phone")
    let run = phone.run("sync", "clone", "ssh://denied\(devices.remote)")
    #expect(run.status == 3)
    #expect(run.errors.contains("cannot be reached: me@denied: Permission denied (publickey)."))
    let missing = phone.run("sync", "clone", "ssh://home/nowhere")
    #expect(missing.status == 3)
    #expect(missing.errors.contains("'/nowhere' does not appear to be a git"))
    #expect(missing.errors.contains("on a host create it once: git init --bare FOLDER"))
  }

  @Test(arguments: [
    ("denied", "me@denied: Permission denied (publickey)."), ("stranger", "Host key verification failed."),
    ("changed", "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!"),
    ("unknown", "Could not resolve hostname unknown: Name or service not known"),
    ("off", "connect to host off port 22: No route to host"),
  ])
  func `an SSH error is reported, and the next sync pushes the changes`(host: String, words: String) throws {
    try begin()
    try move(to: "ssh://\(host)\(devices.remote)")
    try expectStays("the remote cannot be reached: \(words)")
    #expect(laptop.run("sync", "status").output.contains("to send   1 commit"))
    try move(to: "ssh://home\(devices.remote)")
    try expectGoesOn()
  }

  @Test func `a sync gives up on a silent remote`() throws {
    let url = "ssh://silent\(devices.remote)"
    let problem = #expect(throws: Repository.Problem.self) { try Repository.run(["ls-remote", url], silence: 0.2) }
    #expect(problem?.reason == .silent)
  }

  // MARK: HTTP

  /// The server's behaviour for the next requests.
  private final class Mood: Sendable {
    enum Kind { case open, password, status(Int), noPushes }

    private let kept = Mutex(Kind.open)
    var kind: Kind {
      get { kept.withLock { $0 } }
      set { kept.withLock { $0 = newValue } }
    }
  }

  /// Answers with git's own HTTP server, or refuses.
  private static func reply(
    to question: LoopbackServer.Question, in mood: Mood, folder: String
  ) -> LoopbackServer.Reply {
    switch mood.kind {
    case .status(let status): return .answer(status, text: "no")
    case .noPushes where question.path.contains("receive-pack"): return .answer(403, text: "no")
    // me:secret
    case .password where question.headers["authorization"] != "Basic bWU6c2VjcmV0":
      return .answer(401, headers: ["WWW-Authenticate": "Basic realm=\"git\""])
    default: break
    }
    let parts = question.path.split(separator: "?", maxSplits: 1).map(String.init)
    let surroundings = [
      "GIT_PROJECT_ROOT": folder, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": parts[0],
      "QUERY_STRING": parts.count > 1 ? parts[1] : "", "REQUEST_METHOD": question.method, "REMOTE_USER": "me",
      "REMOTE_ADDR": "127.0.0.1", "CONTENT_TYPE": question.headers["content-type"] ?? "",
      "CONTENT_LENGTH": "\(question.body.count)", "HTTP_CONTENT_ENCODING": question.headers["content-encoding"] ?? "",
      "GIT_PROTOCOL": question.headers["git-protocol"] ?? "",
    ]
    guard
      let bytes = try? Spawn.capture(
        ["git", "http-backend"], environment: .adding(surroundings), input: .file(question.body)
      ).output,
      let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
    else { return .answer(500) }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let headers = lines.map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
    let status = headers.first { $0[0] == "Status" }.flatMap { Int($0[1].prefix(3)) }
    return .answer(
      status ?? 200, headers: Dictionary(headers.map { ($0[0], $0[1]) }) { $1 }, body: Array(bytes[end.upperBound...]))
  }

  @Test func `a sync over HTTP handles errors, passwords and missing rights`() throws {
    try begin()
    try git("-C", devices.remote, "config", "http.receivepack", "true")
    let (mood, folder) = (Mood(), devices.folder.path)
    let server = try LoopbackServer { Self.reply(to: $0, in: mood, folder: folder) }
    let url = "\(server.url)/remote.git"
    try move(to: url)
    laptop.run("edit", "2", "year=1950")
    #expect(laptop.run("sync").output == "synced: 1 file changed here, sent\n")
    let phone = try devices.add("phone")
    #expect(phone.run("sync", "clone", url).output == "synced: 3 new\n")

    let cannot = "the remote cannot be reached: unable to access '\(url)/': The requested URL returned error: "
    for status in [403, 429, 500] {
      mood.kind = .status(status)
      try expectStays(cannot + "\(status)", year: 1_000 + status)
    }
    mood.kind = .status(404)
    try expectStays("the remote cannot be reached: repository '\(url)/' not found", year: 1_404)
    mood.kind = .noPushes
    try expectStays(cannot + "403", year: 1_960)
    mood.kind = .password
    try expectStays(
      "the remote cannot be reached: could not read Username for '\(server.url)': terminal prompts disabled")
    let tree = try #require(laptop.places.tree)
    try git("-C", tree, "config", "credential.helper", "!f() { echo username=me; echo password=wrong; }; f")
    let run = laptop.run("sync")
    #expect(run.status == 3)
    #expect(run.errors.contains("Authentication failed for '\(url)/'"))
    try git("-C", tree, "config", "credential.helper", "!f() { echo username=me; echo password=secret; }; f")
    try expectGoesOn()
  }

  // MARK: Remotes that do not take it

  @Test(arguments: ["pre-receive", "update"])
  func `a rejection by a hook is reported in its words after one attempt`(hook: String) throws {
    try begin()
    let (path, asked) = ("\(devices.remote)/hooks/\(hook)", devices.folder.path("asked"))
    try FileManager.default.createDirectory(
      atPath: devices.remote + "/hooks", withIntermediateDirectories: true, attributes: nil)
    try "#!/bin/sh\necho >>'\(asked)'\necho 'no pushes on Sundays' >&2\nexit 1\n".write(
      toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o755)
    try expectStays(
      "the remote refused the push: no pushes on Sundays (\(hook == "update" ? "" : "pre-receive ")hook declined)")
    #expect(FileManager.default.contents(atPath: asked)?.count == 1)
    unlink(path)
    try expectGoesOn()
  }

  @Test func `a full remote is reported, and gets the changes later`() throws {
    try begin()
    try git("-C", devices.remote, "config", "receive.maxInputSize", "10")
    try expectStays("the remote refused the push: pack exceeds maximum allowed size (unpacker error)")
    try git("-C", devices.remote, "config", "--unset", "receive.maxInputSize")
    try move(to: "ssh://full\(devices.remote)")
    let run = laptop.run("sync")
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("catalog: the remote refused the push: "))
    #expect(run.errors.contains("(unpacker error)"))
    try move(to: devices.remote)
    try expectGoesOn()
  }

  @Test(.enabled(if: Modes.hold))
  func `where modes hold, a sync pulls from a read-only remote and keeps its commit`() throws {
    try begin()
    desktop.run("edit", "2", "year=1950")
    desktop.run("sync")
    func setModes(_ mode: String) throws { _ = try Spawn.run(["chmod", "-R", mode, devices.remote]) }
    try setModes("a-w")
    laptop.run("edit", "1", "year=1961")
    let run = laptop.run("sync")
    #expect(run.status == 3)
    #expect(run.output == "kept here, not sent: 1 file changed here, 1 changed on other devices\n")
    #expect(run.errors.hasPrefix("catalog: the remote refused the push: "))
    try setModes("u+w")
    try expectGoesOn()
  }

  @Test func `an unmounted remote folder is reported and not created`() throws {
    try begin()
    let away = devices.folder.path("stick")
    rename(devices.remote, away)
    try expectStays("the remote cannot be reached: '\(devices.remote)' does not appear to be a git repository")
    #expect(!FileManager.default.fileExists(atPath: devices.remote))
    // The mount point is an empty folder.
    try FileManager.default.createDirectory(atPath: devices.remote, withIntermediateDirectories: false)
    #expect(laptop.run("sync").status == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: devices.remote) == [])
    rmdir(devices.remote)
    rename(away, devices.remote)
    try expectGoesOn()
  }

  @Test func `a truncated bundle loses no changes`() throws {
    try laptop.addThree()
    let bundle = devices.folder.path("catalog.bundle")
    for catalog in devices.catalogs { #expect(catalog.run("sync", "init", bundle).status == 0) }
    desktop.run("edit", "2", "year=1950")
    desktop.run("sync")
    let whole = try #require(FileManager.default.contents(atPath: bundle))
    _ = FileManager.default.createFile(atPath: bundle, contents: whole.prefix(whole.count / 2))
    laptop.run("edit", "1", "year=1961")
    let run = laptop.run("sync")
    #expect(run.status == 3)
    #expect(run.output == "kept here, not sent: 1 file changed here\n")
    _ = FileManager.default.createFile(atPath: bundle, contents: whole)
    try expectGoesOn()
  }

  @Test func `a bundle changed during a sync is read again, and both changes are pushed`() throws {
    try laptop.addThree()
    let bundle = devices.folder.path("catalog.bundle")
    for catalog in devices.catalogs { #expect(catalog.run("sync", "init", bundle).status == 0) }
    desktop.run("edit", "2", "year=1950")
    laptop.run("edit", "1", "year=1961")
    let tree = SyncTree(path: try #require(laptop.places.tree))
    var synchronizer = Synchronizer(laptop.store, tree: tree, device: "device0") { Timestamp(laptop.now) }
    var isSent = false
    synchronizer.progress = { _, _, _ in
      // Between what the laptop reads and what it writes.
      if !isSent { isSent = desktop.run("sync").output == "synced: 1 file changed here, sent\n" }
      return true
    }
    #expect(try synchronizer.run().isSent)
    #expect(isSent)
    let phone = try devices.add("phone")
    #expect(phone.run("sync", "clone", bundle).status == 0)
    #expect(try rows(phone).filter { $0.hasSuffix(" 1950") || $0.hasSuffix(" 1961") }.count == 2)
    #expect(laptop.run("sync", "status").output.contains("to send   0 commits"))
    try expectGoesOn()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bundle.folder).filter { $0.hasPrefix("catalog.bundle") }
        == ["catalog.bundle"])
  }

  @Test func `a sync waits for another writer of the bundle, and fills an empty one`() throws {
    try laptop.addThree()
    let bundle = devices.folder.path("catalog.bundle")
    _ = FileManager.default.createFile(atPath: bundle, contents: nil)
    let held = try Spawn.start(["flock", bundle, "sh", "-c", "echo; sleep 0.2"], output: .pipe)
    var line: UInt8 = 0
    #expect(try read(#require(held.output), &line, 1) == 1)
    defer { _ = held.wait() }
    #expect(laptop.run("sync", "init", bundle).output == "synced: 8 files changed here, sent\n")
    #expect(desktop.run("sync", "clone", bundle).output == "synced: 3 new\n")
  }

  @Test func `a missing bundle is reported, and created again only by sync init`() throws {
    try laptop.addThree()
    let (bundle, away) = (devices.folder.path("catalog.bundle"), devices.folder.path("away"))
    for catalog in devices.catalogs { #expect(catalog.run("sync", "init", bundle).status == 0) }
    rename(bundle, away)
    try expectStays("the remote cannot be reached: '\(bundle)' is not there")
    #expect(!FileManager.default.fileExists(atPath: bundle))
    rename(away, bundle)
    try expectGoesOn()
    rename(bundle, away)
    #expect(laptop.run("sync", "init", bundle).output == "synced: sent\n")
    let phone = try devices.add("phone")
    #expect(phone.run("sync", "clone", bundle).output == "synced: 3 new\n")
  }

  // MARK: Remotes and trees without their beginning

  @Test func `a shallow remote syncs all changes, and a new clone is complete`() throws {
    try begin()
    laptop.run("edit", "2", "year=1951")
    laptop.run("tag", "add", "old", "1", "2")
    laptop.run("sync")
    desktop.run("sync")
    // The desktop knows only the part that the remote will still have.
    laptop.run("edit", "1", "year=1960")
    laptop.run("sync")
    let whole = devices.folder.path("whole")
    rename(devices.remote, whole)
    try git("clone", "--quiet", "--bare", "--depth", "1", "file://\(whole)", devices.remote)
    let phone = try devices.add("phone")
    #expect(phone.run("sync", "clone", devices.remote).output == "synced: 3 new\n")
    // All three change what the others have, and one takes something away.
    desktop.run("tag", "remove", "old", "1", "--yes")
    laptop.run("edit", "1", "year=1961")
    phone.run("edit", "2", "year=1952")
    for _ in 1...2 {
      for catalog in [desktop, laptop, phone] {
        let run = catalog.run("sync")
        #expect(run.status == 0)
        #expect(run.errors == "")
      }
    }
    let files = try TestDevices.files(of: laptop)
    for catalog in [desktop, phone] { #expect(try TestDevices.files(of: catalog) == files) }
    for catalog in [laptop, desktop, phone] {
      #expect(try rows(catalog).count == 3)
      #expect(try catalog.store.db.value("SELECT count(*) FROM item_tag", as: Int.self) == 1)
    }
  }

  @Test func `a shallow tree fetches its history before a merge`() throws {
    try begin()
    laptop.run("tag", "add", "old", "1", "2")
    laptop.run("sync")
    desktop.run("sync")
    // The tree was lost, and was cloned again as shallow as possible.
    let tree = try #require(laptop.places.tree)
    laptop.run("edit", "1", "year=1961")
    desktop.run("tag", "remove", "old", "2", "--yes")
    desktop.run("sync")
    try FileManager.default.removeItem(atPath: tree)
    try git("clone", "--quiet", "--depth", "1", "file://\(devices.remote)", tree)
    let run = laptop.run("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try git("-C", tree, "rev-parse", "--is-shallow-repository") == "false\n")
    try expectGoesOn()
    for catalog in devices.catalogs {
      #expect(try catalog.store.db.value("SELECT count(*) FROM item_tag", as: Int.self) == 1)
    }
  }

  // MARK: The tree

  /// Makes locks as a git leaves them that was killed.
  private func makeLocks(_ names: [String], in folder: String) throws -> [String] {
    try names.map { name in
      let path = "\(folder)/\(name).lock"
      try FileManager.default.createDirectory(atPath: path.folder, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      var times = [timeval(tv_sec: time(nil) - 60, tv_usec: 0), timeval(tv_sec: time(nil) - 60, tv_usec: 0)]
      utimes(path, &times)
      return path
    }
  }

  @Test func `stale locks are removed and named`() throws {
    try begin()
    desktop.run("edit", "2", "year=1950")
    desktop.run("sync")
    let folder = try #require(laptop.places.tree)
    let names = ["HEAD", "config", "refs/catalog/here", "refs/heads/main", "refs/remotes/origin/main"]
    let locks = try makeLocks(names, in: folder)
    laptop.run("edit", "1", "year=1961")
    let run = laptop.run("sync")
    #expect(run.status == 0)
    #expect(run.errors == locks.map { "removed a lock that no git process holds: '\($0)'\n" }.joined())
    #expect(locks.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    try expectGoesOn()
  }

  @Test func `a lock stays while git works in the tree`() throws {
    try begin()
    let folder = try #require(laptop.places.tree)
    let lock = try makeLocks(["refs/remotes/origin/main"], in: folder)[0]
    var git = try ChildProcess(
      ["git", "-C", folder, "cat-file", "--batch"], environment: .ours, input: .pipe)
    defer { git.end() }
    try git.write(Array("HEAD\n".utf8))
    while git.output.bytes.isEmpty { git.read() }
    #expect(GitFolder(path: folder).removeStaleLocks(of: folder) == [])
    #expect(FileManager.default.fileExists(atPath: lock))
  }

  // MARK: Again and again

  @Test func `sync --every reports an unreachable remote once, and pushes later`() throws {
    try begin()
    let away = devices.folder.path("away")
    rename(devices.remote, away)
    laptop.run("edit", "1", "year=1961")
    var pauses: [Duration] = []
    laptop.pause = { [devices, laptop] duration in
      pauses.append(duration)
      switch pauses.count {
      case 3: laptop.run("edit", "2", "year=1950")
      case 4: rename(away, devices.remote)
      case 6: rename(devices.remote, away)
      case 8: throw Interrupted()
      default: break
      }
    }
    let run = laptop.run("sync", "--every", "15m")
    #expect(pauses == Array(repeating: .seconds(900), count: 8))
    let kept = "kept here, not sent: 1 file changed here\n"
    #expect(run.output == kept + kept + "synced: sent\n")
    let said = run.errors.split(separator: "\n").filter { $0.contains("cannot be reached") }
    #expect(said.count == 2, "once each time that it was gone")
    rename(away, devices.remote)
    laptop.pause = nil
    try expectGoesOn()
    #expect(desktop.run("show", "2", "--json").output.contains("1950"))
  }
}
