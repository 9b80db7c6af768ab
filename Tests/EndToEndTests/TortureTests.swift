import SQLite
import TestSupport
import Testing

@testable import torture

/// Tests every command that writes with `Tools/torture`: killed, with others, and without resources. `make torture`
/// does more.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct TortureTests {
  private let folder: TemporaryFolder

  // In memory a command ends so soon that few signals reach it.
  init() throws { folder = try TemporaryFolder(in: .disk) }

  @Test func `a command killed at any moment keeps acknowledged changes and no partial ones`() throws {
    let killer = Killer(scenes: try Scene.all(in: folder.path, program: Launch.program), seed: 20_260)
    let report = try killer.run(0..<70)
    #expect(report.total("failures") == 0, "\(report)")
    // Some moments must have been in the middle, and some late enough.
    #expect((15..<70).contains(report.total("in the middle")), "\(report)")
    #expect(report.total("acknowledged") > 0, "\(report)")
  }

  @Test func `concurrent commands lose no acknowledged change`() throws {
    let report = try ConcurrencyTest(folder: folder.path, program: Launch.program, seed: 20_260, count: 24).run()
    #expect(report.total("failures") == 0, "\(report)")
    #expect(report.total("acknowledged") + report.total("refused") == report.total("tries"), "\(report)")
    #expect(report.total("refused") < report.total("tries") / 5, "\(report)")
  }

  @Test(.enabled(if: Strace.isAvailable, "strace is not installed, or may not trace here"))
  func `a failed system call leaves the catalog valid and the message true`() throws {
    let strace = try #require(Strace(in: folder.path))
    // One fault for each of these commands.
    let commands = Array(WriteCommand.all.prefix(45))
    let scenes = try Scene.all(of: commands, in: folder.path, program: Launch.program)
    let report = try Faults(scenes: scenes, seed: 20_260, strace: strace).run(count: commands.count)
    #expect(report.total("failures") == 0, "\(report)")
    #expect(report.total("faults") > 22, "\(report)")
    #expect(report.total("failed") > 0, "\(report)")
    #expect(report.total("done") > 0, "\(report)")
  }

  @Test func `a sync that is interrupted, without room or edited meanwhile loses nothing and can be repeated`() throws {
    let report = try SyncTrouble(in: folder.path, seed: 20_260, program: Launch.program).run(0..<15)
    #expect(report.total("failures") == 0, "\(report)")
    #expect(report.total("in the middle") > 0, "\(report)")
  }

  // MARK: Whether it would be seen

  @Test func `torture detects lost, partial and leftover changes`() throws {
    func verdict(of name: String, after mischief: (Home) throws -> Void) throws -> Scene.Verdict {
      let commands = WriteCommand.all.filter { $0.name == name }
      let scene = try #require(try Scene.all(of: commands, in: folder.path, program: Launch.program).first)
      let outcome = try scene.begin().finish()
      try mischief(scene.home)
      return scene.judge(outcome, looksFirst: false)
    }
    func run(_ sql: SQL) -> (Home) throws -> Void {
      { home in _ = try Connection(.file(home[Home.catalog]), mode: .readWrite).run(sql) }
    }
    let fine = try verdict(of: "card add") { _ in }
    #expect(fine.problems == [])
    #expect(fine.done == 1)
    #expect(fine.acknowledged == 1)
    #expect(fine.left == [])
    let half = try verdict(of: "card add", after: run("UPDATE card SET comment = NULL WHERE rating = 90"))
    #expect(half.done == nil, "\(half)")
    #expect(half.problems.count == 1, "\(half)")
    let lost = try verdict(
      of: "unfavorite", after: run("INSERT INTO favorite (item_id, added_at) SELECT 4, '2026-01-01T00:00:00Z'"))
    #expect(lost.problems == ["it was acknowledged, and is not there"], "\(lost)")
    let index = try verdict(of: "remove", after: run("INSERT INTO item_search (item_search) VALUES ('delete-all')"))
    #expect(index.done == nil, "\(index)")
    let key = try verdict(of: "source key") { try $0.write(Array("sesame: \(WriteCommand.key)".utf8), to: "x.new") }
    #expect(key.left == ["x.new"], "\(key)")
    #expect(key.problems == ["x.new is left with a key in it"], "\(key)")
    let settings = try verdict(of: "config set") { try $0.write(Array("{".utf8), to: Home.configuration) }
    #expect(settings.problems.contains("the settings are no JSON object of texts"), "\(settings)")
    let copy = try verdict(of: "migration from 4") { try $0.write([], to: Home.catalog + ".v4.bak") }
    #expect(copy.problems.contains(".local/share/catalog/catalog.db.v4.bak is a catalog of version 0"), "\(copy)")
  }
}
