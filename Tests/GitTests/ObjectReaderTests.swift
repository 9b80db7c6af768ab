import FoundationEssentials
import Processes
import TestSupport
import Testing

@testable import Git

/// Objects of a repository, through one program.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct ObjectReaderTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let commit: ObjectID

  init() throws {
    // As the program does: a git that has ended is an error.
    BrokenPipe.ignoreSignal()
    folder = try TemporaryFolder()
    repository = Repository(path: folder.path)
    try Repository.run(["init", "--quiet", "--bare", "--initial-branch=main", "--", folder.path])
    try repository.run(["config", "user.name", "Ann"])
    try repository.run(["config", "user.email", "ann@example.org"])
    commit = try repository.commit(to: "refs/heads/main", message: "all", parents: []) { writer in
      for number in 0..<500 { try writer.write("items/\(number).json", Array("item \(number)\n".utf8)) }
      try writer.write("empty", [])
      try writer.write("a path with blanks", Array("blanks".utf8))
      try writer.write("big", Array(repeating: 7, count: 300_000))
    }
  }

  private func name(_ path: String) -> String { "\(commit):\(path)" }

  @Test func `git objects are returned in the requested order`() throws {
    let reader = ObjectReader(repository)
    let names = (0..<500).map { name("items/\($0).json") }
    var found: [String] = []
    try reader.forEach(names) { place, object in
      #expect(place == found.count)
      if case .bytes(let bytes) = object { found.append(String(decoding: bytes, as: UTF8.self)) }
    }
    #expect(found == (0..<500).map { "item \($0)\n" })
    #expect(try reader.object(name("a path with blanks")) == .bytes(Array("blanks".utf8)))
    #expect(try reader.object(name("empty")) == .bytes([]))
    #expect(try reader.object(name("big")) == .bytes(Array(repeating: 7, count: 300_000)))
  }

  @Test(arguments: ["nothing", "items", "", "items/1.json\nHEAD:items/2.json", "missing", "1 2"])
  func `a path that is missing or no file gives a missing object`(_ path: String) throws {
    let reader = ObjectReader(repository)
    var found: [ObjectReader.Object] = []
    try reader.forEach([name(path), name("items/1.json"), "", "-x"]) { found.append($1) }
    #expect(found == [.missing, .bytes(Array("item 1\n".utf8)), .missing, .missing])
  }

  @Test func `an object that is too large is skipped, and the next ones are read`() throws {
    let reader = ObjectReader(repository, largest: 299_999)
    var found: [ObjectReader.Object] = []
    try reader.forEach(["big", "items/1.json", "big", "items/2.json"].map(name)) { found.append($1) }
    let items = (1...2).map { ObjectReader.Object.bytes(Array("item \($0)\n".utf8)) }
    #expect(found == [.tooLarge, items[0], .tooLarge, items[1]])
  }

  @Test func `a read that throws leaves the reader usable`() throws {
    struct Rollback: Error {}
    let reader = ObjectReader(repository)
    #expect(throws: Rollback.self) {
      try reader.forEach(["items/1.json", "items/2.json"].map(name)) { _, _ in throw Rollback() }
    }
    #expect(try reader.object(name("items/3.json")) == .bytes(Array("item 3\n".utf8)))
  }

  @Test func `reading without a repository is an error`() throws {
    let reader = ObjectReader(Repository(path: folder.path + "/none"))
    #expect(throws: Repository.Problem.self) { try reader.object("HEAD:x") }
  }
}
