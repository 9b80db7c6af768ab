import Foundation
import SQLite
import TestSupport
import Testing

/// Ctrl-C while the catalog is at work.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct InterruptionTests {
  @Test(arguments: ["report year", "report year --json"])
  func `Ctrl-C ends an endless query with status 130`(_ line: String) throws {
    let sandbox = try Sandbox.current
    try sandbox.makeCatalog()
    #expect(try sandbox.run("rate", "1", "4").status == 0)
    do {
      // A view of another program in the place of a view of ours: a query of it never ends.
      let db = try sandbox.database()
      try db.execute(
        script: """
          DROP VIEW import_time;
          CREATE VIEW import_time AS
          WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number)
          SELECT n AS at FROM number WHERE n < 0;
          """)
    }
    let before = try sandbox.bytes(of: sandbox.catalog)
    let launch = try sandbox.launch(line.split(separator: " ").map { Array($0.utf8) })
    // A question that has an end is answered in a tenth of this, and then there is nothing to stop.
    while let ticks = try ticks(of: launch), ticks < 20 { usleep(1_000) }
    kill(launch.pid, SIGINT)
    let outcome = launch.finish()
    #expect(!launch.isHanging)
    #expect(outcome.status == 130, "\(outcome.errors)")
    #expect(outcome.errors.contains("catalog: stopped; what was done stays"))
    #expect(try sandbox.bytes(of: sandbox.catalog) == before)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends a sync with a silent remote`(signal: Int32) throws {
    let sandbox = try Sandbox.current
    try sandbox.makeCatalog()
    let identity: [String: String?] = [
      "GIT_AUTHOR_NAME": "S", "GIT_AUTHOR_EMAIL": "s@example.org", "GIT_COMMITTER_NAME": "S",
      "GIT_COMMITTER_EMAIL": "s@example.org", "GIT_SSH_COMMAND": "'\(StandIn.ssh)'", "GIT_SSH_VARIANT": "ssh",
    ]
    #expect(try sandbox.run(["sync", "init"], changing: identity).status == 0)
    let tree = sandbox.catalog.replacing(".db", with: ".tree")
    let remote = sandbox.path("remote.git")
    let settings = try String(contentsOfFile: tree + "/config", encoding: .utf8)
    try "\(settings)[remote \"origin\"]\n  url = ssh://silent\(remote)\n".write(
      toFile: tree + "/config", atomically: true, encoding: .utf8)
    let before = try sandbox.bytes(of: sandbox.catalog)
    let launch = try sandbox.launch("sync", changing: identity)
    while !FileManager.default.fileExists(atPath: remote + ".asked") { usleep(1_000) }
    kill(launch.pid, signal)
    let outcome = launch.finish()
    #expect(!launch.isHanging)
    #expect(outcome.status == 128 + signal, "\(outcome.errors)")
    #expect(try sandbox.bytes(of: sandbox.catalog) == before)
    let left = try FileManager.default.subpathsOfDirectory(atPath: tree).filter { $0.hasSuffix(".lock") }
    #expect(left == [])
  }

  /// The processor time used so far, in hundredths of a second; nil when the program has ended.
  private func ticks(of launch: Launch) throws -> Int? {
    // man 5 proc_pid_stat: what stands behind the name begins with the state.
    let text = try String(contentsOfFile: "/proc/\(launch.pid)/stat", encoding: .utf8)
    let columns = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
    let (state, user, system) = (columns.first, columns.dropFirst(11).first, columns.dropFirst(12).first)
    guard state != "Z" else { return nil }
    return try #require(user.flatMap { Int($0) }) + #require(system.flatMap { Int($0) })
  }
}
