import Foundation
import TestSupport
import Testing

@testable import CatalogCommands

struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }

  @Test func `a private file is readable by its owner only, any other by the umask`() throws {
    try AtomicFile.write(Array("one".utf8), to: folder.path("private"), isPrivate: true)
    #expect(try text("private") == "one")
    #expect(try mode("private") == 0o600)
    try AtomicFile.write([], to: folder.path("public"))
    let mask = umask(0)
    umask(mask)
    #expect(try mode("public") == Int(0o666 & ~mask))
  }

  @Test func `a file that is replaced keeps its mode, a link stays a link`() throws {
    try AtomicFile.write(Array("old".utf8), to: folder.path("file"))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("file"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("file"))
    try AtomicFile.write(Array("new".utf8), to: folder.path("link"))
    #expect(try text("file") == "new")
    #expect(try mode("file") == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == folder.path("file"))
  }

  @Test func `a failed write leaves no file behind`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
    #expect(throws: (any Error).self) { try AtomicFile.write([1], to: folder.path("folder")) }
    #expect(throws: (any Error).self) { try AtomicFile.write([1], to: folder.path("none/file")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["folder"])
  }
}
