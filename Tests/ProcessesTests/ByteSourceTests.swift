import Foundation
import TestSupport
import Testing

@testable import Processes

struct ByteSourceTests {
  private func all(_ source: ByteSource) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while case let piece = try source.next(), !piece.isEmpty { bytes += piece }
    return bytes
  }

  @Test func `the beginning of a source is not consumed`() throws {
    let source = ByteSource(bytes: Array("abcdef".utf8))
    #expect(try source.beginning(3) == Array("abc".utf8))
    #expect(try source.beginning(100) == Array("abcdef".utf8))
    #expect(try all(source) == Array("abcdef".utf8))
    #expect(try source.next() == [])
  }

  @Test func `the output of a program is read to its end, and its status is reported once`() throws {
    var statuses: [Processes.ExitStatus?] = []
    let source = try ByteSource(program: ["sh", "-c", "head -c 300000 /dev/zero; exit 3"]) { statuses.append($0) }
    #expect(try all(source).count == 300_000)
    #expect(try source.next() == [])
    #expect(statuses == [.exited(3)])
  }

  @Test func `a program whose output is not read to its end is ended`() throws {
    var source: ByteSource? = try ByteSource(program: ["yes"]) { _ in }
    #expect(try source?.next().isEmpty == false)
    source = nil
  }

  @Test func `a program that is not installed is an error`() {
    #expect(throws: SystemError.self) { try ByteSource(program: ["no-such-program-here"]) { _ in } }
  }

  @Test func `a program reads a descriptor, whose place shows how far it is`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("0123456789", to: "digits")
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let source = try ByteSource(program: ["cat"], input: .descriptor(descriptor)) { _ in }
    #expect(try all(source) == Array("0123456789".utf8))
    #expect(lseek(descriptor, 0, SEEK_CUR) == 10)
  }
}
