import Testing

@testable import Git

/// The reasons of git's failures, by its words.
struct ProblemTests {
  @Test(
    arguments: [
      ("fatal: sha1 file '.git/objects/pack/tmp_pack_x' write error: No space left on device", .noRoom),
      ("error: file write error: Disk quota exceeded\nfatal: unable to write loose object file", .noRoom),
      (" ! [remote rejected] main -> main (unpacker error)\nerror: No space left on device", .refused),
      ("fatal: unable to access 'https://example.org/x.git/': Could not resolve host", .unreachable),
      ("fatal: Unable to create '/x/.git/HEAD.lock': File exists.", .locked),
      ("error: could not lock config file .git/config: File exists", .locked),
      ("error: could not lock config file .git/config: Permission denied", .unreachable),
      ("", .other),
    ] as [(String, Repository.Problem.Reason)])
  func `git's words tell the reason of a failure`(words: String, reason: Repository.Problem.Reason) {
    #expect(Repository.Problem(words).reason == reason)
  }

  @Test func `a line without a reason is skipped`() {
    #expect(Repository.Problem("hint: wait\nerror: \nfatal: bad object").line == "bad object")
    #expect(Repository.Problem("").line == nil)
  }
}
