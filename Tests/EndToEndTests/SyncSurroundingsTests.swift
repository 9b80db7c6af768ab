import Foundation
import TestSupport
import Testing

/// A sync depends on nothing that a person set up for their own work with git.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct SyncSurroundingsTests {
  private let sandbox: Sandbox
  private var tree: String { sandbox.catalog.replacing(".db", with: ".tree") }
  private var remote: String { sandbox.path("remote.git") }

  init() throws {
    sandbox = try Sandbox.current
    try sandbox.makeCatalog()
    try write("[user]\n  name = Somebody\n  email = somebody@example.org\n")
    try #require(try sandbox.run("sync", "init", remote).status == 0)
  }

  /// Writes the person's settings of git.
  private func write(_ settings: String) throws {
    try sandbox.write(Array(settings.utf8), to: sandbox.path("home/.gitconfig"))
  }

  /// A program that says no.
  private func makeRefusal(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), withIntermediateDirectories: true)
    try sandbox.write(Array("#!/bin/sh\nexit 1\n".utf8), to: path)
    chmod(path, 0o755)
  }

  /// Edits a file in a clone, and brings the commit into the tree.
  private func edit(year: Int) throws {
    let clone = sandbox.path("clone")
    _ = try Process.output(of: ["git", "clone", "--quiet", tree, clone])
    let items = clone + "/items"
    let file = try #require(try FileManager.default.subpathsOfDirectory(atPath: items).first { $0.hasSuffix(".json") })
    let text = try String(contentsOfFile: "\(items)/\(file)", encoding: .utf8)
    try text.replacing(/"year": \d+/, with: "\"year\": \(year)")
      .write(toFile: "\(items)/\(file)", atomically: true, encoding: .utf8)
    let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    _ = try Process.output(of: ["git", "-C", clone] + identity + ["commit", "--quiet", "-am", "by hand"])
    // Its hooks are none of this commit's.
    _ = try git("-c", "core.hooksPath=/dev/null", "fetch", "--quiet", clone, "main:main")
    try FileManager.default.removeItem(atPath: clone)
  }

  private func git(_ words: String...) throws -> String {
    String(decoding: try Process.output(of: ["git", "-C", tree] + words), as: UTF8.self)
  }

  /// Checks that a sync sends a change in the catalog and a commit made by hand.
  private func expectSyncs(changing: [String: String?] = [:], errors: String = "") throws {
    try edit(year: 1970)
    try #require(try sandbox.run("add", "book", "--title", "Solaris").status == 0)
    let outcome = try sandbox.run("sync", changing: changing)
    #expect(outcome.status == 0)
    #expect(outcome.output == "synced: 1 file changed here, 1 changed on other devices, sent\n")
    #expect(outcome.errors == errors)
    #expect(try sandbox.run("list", "year:1970").lines.count == 1)
    #expect(try sandbox.run("sync").output == "synced: nothing new\n")
    #expect(try git("rev-parse", "main") == git("rev-parse", "origin/main"))
    #expect(
      try git("log", "--format=%cn <%ce>", "main").split(separator: "\n").allSatisfy {
        $0 == "Somebody <somebody@example.org>"
      })
  }

  @Test func `a start without a name leaves nothing behind, and with one it goes on`() throws {
    try write("[user]\n  useConfigOnly = true\n")
    let (other, far) = (sandbox.path("other.db"), sandbox.path("far.git"))
    try #require(try sandbox.run("--db", other, "add", "book", "--title", "Emma").status == 0)
    for words in [["sync", "init", far], ["sync", "init"]] {
      let failed = try sandbox.run(["--db", other] + words)
      #expect(failed.status == 1)
      #expect(failed.errors.contains("git does not know your name"), "\(failed.errors)")
      for path in [far, sandbox.path("other.tree"), sandbox.path("other.tree.lock")] {
        #expect(!FileManager.default.fileExists(atPath: path))
      }
      #expect(try sandbox.run("--db", other, "sync", "status").errors.contains("this catalog is not synced"))
    }
    try write("[user]\n  name = Somebody\n  email = somebody@example.org\n")
    #expect(try sandbox.run("--db", other, "sync", "init", far).status == 0)
    #expect(try sandbox.run("--db", other, "sync").output == "synced: nothing new\n")
  }

  @Test func `variables that lead git elsewhere lead no sync there`() throws {
    let other = sandbox.path("other")
    _ = try Process.output(of: ["git", "init", "--quiet", other])
    let before = try FileManager.default.subpathsOfDirectory(atPath: other).sorted()
    let repository = other + "/.git"
    try expectSyncs(changing: [
      "GIT_OBJECT_DIRECTORY": repository + "/objects", "GIT_COMMON_DIR": repository, "GIT_DIR": repository,
      "GIT_WORK_TREE": repository, "GIT_INDEX_FILE": repository + "/index", "GIT_NAMESPACE": "other",
      "GIT_SHALLOW_FILE": repository + "/HEAD", "GIT_TRACE": "1", "GIT_LITERAL_PATHSPECS": "1",
      "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z", "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
      "GIT_REPLACE_REF_BASE": "refs/heads/",
    ])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: other).sorted() == before)
  }

  @Test func `settings of the person's own work do not change a sync`() throws {
    let attributes = sandbox.path("attributes")
    try sandbox.write(Array("* filter=no\n".utf8), to: attributes)
    try write(
      """
      [user]
        name = Somebody
        email = somebody@example.org
      [commit]
        gpgSign = true
      [gpg]
        program = /bin/false
      [core]
        autocrlf = true
        eol = crlf
        safecrlf = true
        fsmonitor = /bin/false
        attributesFile = \(attributes)
      [status]
        showUntrackedFiles = no
        short = true
      [init]
        defaultBranch = odd
        templateDir = /nonexistent
        defaultObjectFormat = sha256
      [filter "no"]
        clean = false
        required = true
      [push]
        gpgSign = true
        default = nothing
        followTags = true
      [fetch]
        prune = true
        fsckObjects = true
      [log]
        showSignature = true

      """)
    try expectSyncs()
  }

  @Test func `hooks of the person run in no sync, in whatever folder`() throws {
    let hooks = [
      "pre-commit", "commit-msg", "prepare-commit-msg", "pre-push", "reference-transaction", "post-checkout",
      "post-index-change", "update", "pre-receive",
    ]
    for hook in hooks { try makeRefusal(sandbox.path("hooks/\(hook)")) }
    for hook in hooks { try makeRefusal("\(tree)/hooks/\(hook)") }
    try write(
      "[user]\n name = Somebody\n email = somebody@example.org\n[core]\n hooksPath = \(sandbox.path("hooks"))\n")
    try expectSyncs()
  }

  @Test(arguments: [
    ("[inc\n", "bad config line 1 in file HOME/.gitconfig"),
    ("[include]\n path = HOME/.gitconfig\n", "exceeded maximum include depth (10) while including"),
    ("[include]\n path = /dev/zero\n", "bad config line 1 in file /dev/zero"),
  ])
  func `settings that cannot be read are left out, and named`(settings: String, words: String) throws {
    let home = sandbox.path("home")
    try write(settings.replacing("HOME", with: home))
    try expectSyncs(
      errors:
        "catalog: your settings of git cannot be read and were left out: \(words.replacing("HOME", with: home))\n")
  }

  @Test func `keys of sources are given to no git`() throws {
    let seen = sandbox.path("seen")
    try FileManager.default.createDirectory(atPath: remote + "/hooks", withIntermediateDirectories: true)
    try sandbox.write(Array("#!/bin/sh\nenv >'\(seen)'\n".utf8), to: remote + "/hooks/pre-receive")
    chmod(remote + "/hooks/pre-receive", 0o755)
    try expectSyncs(changing: ["CATALOG_TMDB_TOKEN": "TOP-SECRET"])
    let variables = try String(contentsOfFile: seen, encoding: .utf8)
    #expect(variables.contains("PATH="))
    #expect(!variables.contains("SECRET"))
  }
}

extension Process {
  /// Runs a program of the system without our variables, and returns what it writes.
  fileprivate static func output(of words: [String]) throws -> Data {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": "/nonexistent",
    ]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }
}
