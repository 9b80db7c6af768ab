import Foundation
import TestSupport
import Testing

/// Tests the surroundings of the program: the folder in which it is started, its PATH, the file system of processes.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct SurroundingsTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  /// Runs the program by a shell after other commands, with the program's path and its arguments as `$@`.
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
  func `no program is run from the working folder`(_ path: String) throws {
    let (folder, marker) = try trap("curl", "pass")
    let enter = "cd '\(folder)'"
    let searched = try run("search", "dune", "--kind", "movie", after: enter, changing: ["PATH": path])
    #expect(searched.errors.contains("curl is not installed; without it sources cannot be asked"), "\(searched.errors)")
    try sandbox.configure(["sources.tmdb.key_command": "pass show tmdb"])
    let asked = try run("search", "dune", "--source", "tmdb", after: enter, changing: ["PATH": path])
    #expect(asked.status != 0, "\(asked.errors)")
    #expect(asked.errors.contains("pass"), "\(asked.errors)")
    #expect(!FileManager.default.fileExists(atPath: marker))
  }

  // MARK: The language

  @Test func `an import error is printed in the language of the user`() throws {
    let file = sandbox.path("it's.csv")
    try sandbox.write(Array(#"[{"title": "Heat"}, {"title": }]"#.utf8), to: file)
    func said(_ language: String) throws -> String {
      let terminal = try PseudoTerminal(width: 120)
      let words = ["import", "--kind", "movie", "-n", file].map { Array($0.utf8) }
      let launch = try sandbox.launch(words, changing: ["LANG": language], terminal: terminal)
      terminal.readToEnd()
      #expect(launch.wait() == 1)
      return terminal.text
    }
    #expect(try said("ko_KR.UTF-8").contains("파일의 2번째 부분은 읽을 수 있는 JSON이 아닙니다"))
    #expect(try said("C.UTF-8").contains("part 2 of the file is not valid JSON"))
  }

  // MARK: /proc

  /// Tests a system without /proc, such as a chroot or a container.
  @Test(.enabled(if: canHideProc, "a namespace of its own needs more rights"))
  func `commands work the same without a proc file system`() throws {
    try sandbox.makeCatalog()
    // A folder over it, in a namespace that only this run sees.
    let script = "mount -t tmpfs none /proc && exec \"$@\""
    func run(_ words: [String]) throws -> Outcome {
      let command = ["--mount", "--propagation", "private", "sh", "-c", script, "sh", Launch.program] + words
      return try sandbox.launch(command.map { Array($0.utf8) }, program: "/usr/bin/unshare").finish()
    }
    for words in [["list"], ["show", "1"], ["search", "dune", "--offline"], ["genres"], ["--version"]] {
      let (with, without) = (try sandbox.run(words), try run(words))
      #expect(without.status == with.status, "\(words): \(without.errors)")
      #expect(without.output == with.output, "\(words): \(without.errors)")
    }
    #expect(try run(["add", "book", "--title", "소년이 온다"]).output == "added book 2: 소년이 온다\n")
  }

  private static let canHideProc: Bool = {
    let words = ["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", "/proc"]
    let launch = try? Launch(
      words.map { Array($0.utf8) }, environment: ["PATH": "/usr/bin:/bin"], program: "/usr/bin/unshare")
    return launch?.finish().status == 0
  }()
}
