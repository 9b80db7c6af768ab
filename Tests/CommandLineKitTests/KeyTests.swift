import TestSupport
import Testing

@testable import CommandLineKit

struct KeyTests {
  /// The keys of these bytes, with a long pause after them.
  private func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    var decoder = KeyDecoder()
    for byte in bytes { decoder.append(byte) }
    if decoder.isWaiting { decoder.giveUp() }
    var keys: [Key] = []
    while let key = decoder.next() { keys.append(key) }
    return keys
  }

  @Test(
    arguments: [
      ("a", [.character("a")]), ("기", [.character("기")]), ("\r\n", [.enter, .enter]),
      ("\u{1B}[A", [.up]), ("\u{1B}OD ", [.left, .character(" ")]), ("\u{1B}", [.escape]),
      ("\u{1B}[5~\u{1B}[4~", [.pageUp, .end]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[Z\t", [.backTab, .tab]),
      ("\u{1}\u{7F}\u{3}\u{1A}", [.control("a"), .backspace, .control("c"), .control("z")]),
      ("\u{1B}OP\u{1B}[11~\u{1B}[[A\u{1B}[24~", [.function(1), .function(1), .function(1), .function(12)]),
      // Esc and a letter are two keys, however fast they come.
      ("\u{1B}q", [.escape, .character("q")]), ("\u{1B}\u{1B}[B", [.escape, .down]),
      // Not known, not whole, or broken by another key.
      ("\u{1B}[99~a", [.character("a")]), ("\u{1B}[1;", []), ("\u{1B}[1\ra", [.enter, .character("a")]),
      ("\u{1B}[<0;12;7Ma", [.character("a")]), ("\u{0}\u{1C}a", [.character("a")]), ("\u{85}b", [.character("b")]),
      ("", []),
    ] as [(String, [Key])])
  func `bytes become keys`(bytes: String, keys expected: [Key]) {
    #expect(keys(bytes.utf8) == expected)
  }

  @Test func `invalid UTF-8 is dropped and the keys after it are read`() {
    #expect(keys([0xFF, 0x61]) == [.character("a")])
    #expect(keys([0xEA, 0xB8, 0x61]) == [.character("a")])
    #expect(keys([0xEA, 0xEA, 0xB8, 0xB0]) == [.character("기")])
    #expect(keys([0xEA, 0xB8, 0x1B, 0x5B, 0x41]) == [.up])
    #expect(keys([0xED, 0xA0, 0x80, 0x61]) == [.character("a")])
    #expect(keys([0xEA, 0xB8]) == [])
  }

  @Test func `pasted text gives only text keys`() {
    let paste = "\u{1B}[200~기생충\u{3}\u{1A}\n\u{1B}q\u{1B}[A\t\u{8}x\u{1B}[201~\u{1B}[A"
    let text = "기생충 q x".map { Key.pasted($0) }
    #expect(keys(paste.utf8) == text + [.up])
    // A paste that is cut off leaves no key behind.
    #expect(keys("\u{1B}[200~a\u{1B}".utf8) == [.pasted("a")])
  }

  @Test func `random bytes never crash the key decoder or keep it waiting`() {
    var random = SplitMix(seed: 13)
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      decoder.append(UInt8.random(in: 0...255, using: &random))
      while decoder.next() != nil {}
    }
    if decoder.isWaiting { decoder.giveUp() }
    #expect(!decoder.isWaiting)
  }
}
