import Foundation
import TestSupport
import Testing

@testable import Processes

struct ExecutableTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["first", "second", "second/folder"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try write("first/tool", mode: 0o755)
    try write("second/tool", mode: 0o755)
    try write("second/other", mode: 0o755)
    try write("first/plain", mode: 0o644)
    try write("second/plain", mode: 0o755)
    try write("first/refused", mode: 0o644)
  }

  private func write(_ name: String, mode: Int) throws {
    try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(name))
  }

  @Test(arguments: [("tool", "first/tool"), ("other", "second/other"), ("plain", "second/plain")])
  func `the first that may be run is taken`(_ name: String, _ file: String) throws {
    let path = "/nowhere:\(folder.path("first")):\(folder.path("second"))"
    #expect(try Executable.path(of: name, along: path) == folder.path(file))
  }

  @Test(arguments: ["no-such-tool", "folder", ""]) func `what is none is not found`(_ name: String) {
    #expect(throws: Executable.NotFound(code: ENOENT)) {
      try Executable.path(of: name, along: folder.path("second"))
    }
  }

  @Test func `a file that may not be run is said to be one`() {
    #expect(throws: Executable.NotFound(code: EACCES)) {
      try Executable.path(of: "refused", along: folder.path("first"))
    }
  }

  @Test(arguments: ["", ":", "::", ".", "./", "Tests/..", ":no/such", "/nowhere:"])
  func `an empty or relative element is no place to look`(_ path: String) {
    // It stands in the folder in which the tests run, and were it found there, it would be one that may not be run.
    #expect(throws: Executable.NotFound(code: ENOENT)) { try Executable.path(of: "Package.swift", along: path) }
  }

  @Test(arguments: ["./tool", "first/tool", "/no/such/tool"]) func `a path stays as it is`(_ name: String) throws {
    #expect(try Executable.path(of: name, along: "") == name)
  }

  @Test func `without a PATH the usual places are looked in`() throws {
    #expect(["/usr/bin/env", "/bin/env", "/usr/local/bin/env"].contains(try Executable.path(of: "env", along: nil)))
  }
}
