import Foundation
import Processes
import TestSupport
import Testing

@testable import CommandLineKit

struct OutputTests {
  @Test func `output in memory keeps all appended values`() throws {
    let output = Output.memory()
    try output.append("기생충")
    try output.append(bytes: [0x2C])
    try output.append(byte: 0x20)
    for number in [0, -1, 1979, Int64.min, Int64.max] {
      try output.append(number)
      try output.append(" ")
    }
    try output.flush()
    #expect(output.text == "기생충, 0 -1 1979 -9223372036854775808 9223372036854775807 ")
  }

  @Test func `a closed pipe and a full disk are different errors`() throws {
    BrokenPipe.ignoreSignal()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    let output = Output(descriptor: ends[1])
    try output.append("nobody hears")
    #expect(throws: BrokenPipe.self) { try output.flush() }
    close(ends[1])

    let full = open("/dev/full", O_WRONLY)
    guard full >= 0 else { return }
    defer { close(full) }
    let error = #expect(throws: SystemError.self) {
      let output = Output(descriptor: full)
      try output.append("too much")
      try output.flush()
    }
    #expect(error?.code == ENOSPC)
    #expect(error?.description == "cannot write the output: No space left on device")
  }

  @Test func `after a failed write the error is kept and nothing more is written`() throws {
    let full = open("/dev/full", O_WRONLY)
    guard full >= 0 else { return }
    let output = Output(descriptor: full)
    output.flushIgnoringErrors()
    #expect(output.loss == nil)
    try output.append("too much")
    output.flushIgnoringErrors()
    #expect((output.loss as? SystemError)?.code == ENOSPC)
    // Now there is room, but for a whole of which the beginning is missing.
    let folder = try TemporaryFolder()
    let file = try #require(fopen(folder.path("file"), "w"))
    defer { fclose(file) }
    #expect(dup2(fileno(file), full) == full)
    defer { close(full) }
    try output.append("the rest")
    output.flushIgnoringErrors()
    #expect(throws: SystemError.self) { try output.flush() }
    #expect(try Data(contentsOf: URL(filePath: folder.path("file"))).isEmpty)
    // A long listing ends, whatever was lost before.
    #expect(throws: SystemError.self) { for _ in 0..<100_000 { try output.append("line\n") } }
  }

  @Test func `output larger than a pipe arrives complete and in order`() throws {
    let folder = try TemporaryFolder()
    let child = try Spawn.start(["tee", folder.path("copy")], input: .pipe, output: .null)
    let input = try #require(child.input)
    let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let output = Output(descriptor: input)
    try output.append(bytes: sent)
    try output.flush()
    close(input)
    #expect(child.wait() == .exited(0))
    #expect(try Data(contentsOf: URL(filePath: folder.path("copy"))) == Data(sent))
  }

  @Test func `JSON is escaped and separated`() {
    var json = JSONWriter()
    json.object { json in
      json.member("text", "a\"\\\n\t\r\u{1}\u{7F}\u{202E}기😀")
      json.member("none", nil as String?)
      json.member("year", 1979)
      json.member("share", 0.1)
      json.member("wrong", Double.nan)
      json.member("endless", Double.infinity)
      json.member("flag", true)
      json.member("list", ["a", "b"])
      json.key("empty")
      json.array { _ in }
      json.key("object")
      json.object { _ in }
      json.key("bytes")
      Array("기\u{85}".utf8 + [0xFF]).withUnsafeBytes { json.value(utf8: $0) }
    }
    let text = String(decoding: json.take(), as: UTF8.self)
    #expect(
      text == #"{"text":"a\"\\\n\t\r\u0001\u007f\u202e기😀","none":null,"year":1979,"share":0.1,"wrong":null,"#
        + #""endless":null,"flag":true,"list":["a","b"],"empty":[],"object":{},"bytes":"기\u0085�"}"#)
  }

  @Test func `pretty JSON is indented`() {
    var json = JSONWriter(isPretty: true)
    json.array { json in
      json.value(1)
      json.object { json in json.member("a", []) }
    }
    #expect(String(decoding: json.bytes, as: UTF8.self) == "[\n  1,\n  {\n    \"a\": []\n  }\n]")
  }

  @Test func `random text is unchanged by writing and reading JSON`() throws {
    var random = SplitMix(seed: 5)
    for _ in 0..<2_000 {
      let text = random.text()
      var json = JSONWriter(isPretty: Bool.random(using: &random))
      json.array { json in
        json.value(text)
        Array(text.utf8).withUnsafeBytes { json.value(utf8: $0) }
      }
      let read = try JSONDecoder().decode([String].self, from: Data(json.bytes))
      #expect(read.map { Array($0.utf8) } == [Array(text.utf8), Array(text.utf8)])
      let written = String(decoding: json.bytes, as: UTF8.self)
      #expect(written.sanitizedLines == written)
    }
  }

  @Test(arguments: [
    (0.0, ""), (1, "████"), (0.5, "██"), (0.001, "▏"), (0.28, "█▏"), (-3, ""), (7, "████"), (.nan, ""), (.infinity, ""),
  ])
  func `bars grow in eighths`(share: Double, bar: String) {
    #expect(Terminal().bar(share, width: 4) == bar)
  }

  @Test func `bars and shades have an ASCII form`() {
    #expect(Terminal(usesUnicode: false).bar(0.5, width: 4) == "##")
    #expect(Terminal(usesUnicode: false).bar(0.01, width: 4) == "#")
    #expect(String((-1...5).map { HeatMap.shade($0) }) == "  ░▒▓█ ")
    #expect(String((0...4).map { HeatMap.shade($0, usesUnicode: false) }) == " .:*#")
  }
}
