import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import CatalogCommands

/// Tests that the examples in the help can be pasted into a shell.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct ExampleTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  /// Every example of the program and of every command, each once.
  private static var lines: [String] {
    func below(_ node: CommandNode<Context>) -> [String] {
      node.description.examples.map(\.line) + node.children.flatMap(below)
    }
    var seen = Set<String>()
    return below(CatalogProgram.program.root).filter { seen.insert($0).inserted }
  }

  @Test func `bash runs every example of the help, and only named files are created`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration.merging(["player": "true"]) { $1 })
    try sandbox.makeCatalog()
    try #require(sandbox.run("search", "dune").status == 0)

    // Programs that the examples need: catalog, and a password manager.
    let (programs, desk) = (sandbox.path("programs"), sandbox.path("desk"))
    for folder in [programs, desk] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(atPath: programs + "/catalog", withDestinationPath: Launch.program)
    try sandbox.write(Array("#!/bin/sh\necho key-of-the-examples\n".utf8), to: programs + "/pass")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: programs + "/pass")
    let path = "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"

    let lines = Self.lines
    #expect(lines.count > 100)
    for line in lines {
      let lasts = ["catalog serve", "catalog serve --"].contains {
        line == $0 || $0.hasSuffix("--") && line.hasPrefix($0)
      }
      let launch = try sandbox.launch(
        ["-c", "cd \"$DESK\" && \(lasts ? "exec " : "")\(line)"].map { Array($0.utf8) },
        changing: ["PATH": path, "DESK": desk, "EDITOR": "true", "BROWSER": "true"], program: "/bin/bash")
      // A command that runs until Ctrl-C gets it.
      if lasts, launch.waitForOutput("until Ctrl-C") { kill(launch.pid, SIGINT) }
      let outcome = launch.finish()
      // Not understood (2), by bash either; what only a person at a terminal can do is understood.
      let asks = ["cannot ask without a terminal", "needs a terminal", "another edition is on your shelf"].contains(
        where: outcome.errors.contains)
      #expect(outcome.status < 2 || asks || (3...4).contains(outcome.status), "\(line): \(outcome.errors)")
      #expect(!outcome.errors.contains("bash:"), "\(line): \(outcome.errors)")
      for file in try FileManager.default.contentsOfDirectory(atPath: desk) {
        #expect(line.split(separator: " ").contains(Substring(file)), "\(line) makes \(file)")
        try FileManager.default.removeItem(atPath: "\(desk)/\(file)")
      }
    }
  }
}
