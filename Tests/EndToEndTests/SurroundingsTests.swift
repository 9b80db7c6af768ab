import Foundation
import Testing

/// What is around the program: the folder in which it is started, its PATH.
@Suite(.sandbox, .timeLimit(.minutes(5)))
struct SurroundingsTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  /// Runs the program by a shell that does something before, with the program's path and the words behind it as `$@`.
  private func run(
    _ words: String..., after preparation: String, changing: [String: String?] = [:]
  ) throws -> Outcome {
    let script = "\(preparation)\nexec \"$@\""
    return try sandbox.launch(
      (["-c", script, "sh", Launch.program] + words).map { Array($0.utf8) }, changing: changing, program: "/bin/sh"
    ).finish()
  }

  // MARK: PATH

  /// A folder with programs that leave a file behind when they run.
  private func trap(_ names: String...) throws -> (folder: String, marker: String) {
    let (folder, marker) = (sandbox.path("unpacked"), sandbox.path("marker"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in names {
      try sandbox.write(Array("#!/bin/sh\necho \(name) >>'\(marker)'\n".utf8), to: "\(folder)/\(name)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
    }
    return (folder, marker)
  }

  @Test(arguments: ["", ":", ".", "::/nowhere", "/nowhere:", "unpacked/../.", "/nowhere:."])
  func `nothing in the working folder is run for a program`(_ path: String) throws {
    let (folder, marker) = try trap("curl", "pass")
    let enter = "cd '\(folder)'"
    let searched = try run("search", "dune", "--kind", "movie", after: enter, changing: ["PATH": path])
    #expect(searched.errors.contains("curl is not installed, and asking sources needs it"), "\(searched.errors)")
    try sandbox.configure(["sources.tmdb.key_command": "pass show tmdb"])
    let asked = try run("search", "dune", "--source", "tmdb", after: enter, changing: ["PATH": path])
    #expect(asked.status != 0 && asked.errors.contains("pass"), "\(asked.errors)")
    #expect(!FileManager.default.fileExists(atPath: marker))
  }
}
