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
  func `the first executable file along the path is found`(_ name: String, _ file: String) throws {
    let path = "/nowhere:\(folder.path("first")):\(folder.path("second"))"
    #expect(try Executable.path(of: name, along: path) == folder.path(file))
  }

  @Test(arguments: ["no-such-tool", "folder", ""])
  func `a missing program, a folder and an empty name are not found`(_ name: String) {
    #expect(throws: Executable.NotFound(code: ENOENT)) {
      try Executable.path(of: name, along: folder.path("second"))
    }
  }

  @Test func `a file that may not be executed is reported as such`() {
    #expect(throws: Executable.NotFound(code: EACCES)) {
      try Executable.path(of: "refused", along: folder.path("first"))
    }
  }

  @Test(arguments: ["", ":", "::", ".", "./", "Tests/..", ":no/such", "/nowhere:"])
  func `empty and relative path elements are ignored`(_ path: String) {
    // It stands in the folder in which the tests run, and were it found there, it would be one that may not be run.
    #expect(throws: Executable.NotFound(code: ENOENT)) { try Executable.path(of: "Package.swift", along: path) }
  }

  @Test(arguments: ["./tool", "first/tool", "/no/such/tool"])
  func `a program with a slash in its name is not searched`(_ name: String) throws {
    #expect(try Executable.path(of: name, along: "") == name)
  }

  @Test func `without PATH the usual folders are searched`() throws {
    #expect(["/usr/bin/env", "/bin/env", "/usr/local/bin/env"].contains(try Executable.path(of: "env", along: nil)))
  }
}
