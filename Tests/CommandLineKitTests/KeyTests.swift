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
      // With Alt they are no keys.
      ("\u{1B}qa", [.character("a")]), ("\u{1B}b\u{1B}기c", [.character("c")]), ("\u{1B}\u{7F}\u{1B}\r", []),
      ("\u{1B}]", []), ("\u{1B}\u{1B}[B", [.escape, .down]), ("\u{1B}\u{3}", [.control("c")]),
      // Answers of the terminal, whole, broken off and without an end.
      ("\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}a", [.character("a")]), ("\u{1B}]11;rgb:1/2/3\u{1B}\\a", [.character("a")]),
      ("\u{1B}P>|XTerm(388)\u{1B}\\a", [.character("a")]), ("\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[A", [.up]),
      ("\u{1B}[?62;22c\u{1B}[1;1R\u{1B}[?1ua", [.character("a")]), ("\u{1B}]52;c;기\u{1B}[B", [.down]),
      ("\u{1B}]52;c;\u{3}", [.control("c")]), ("\u{1B}]11;rgb:1e1e", []),
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

  @Test func `a paste without an end is over after a while`() {
    var decoder = KeyDecoder()
    for byte in "\u{1B}[200~a\u{3}".utf8 { decoder.append(byte) }
    #expect(decoder.next() == .pasted("a") && decoder.next() == nil)
    decoder.giveUp()
    decoder.append(3)
    #expect(decoder.next() == .control("c"))
  }

  @Test func `random bytes never crash the key decoder or keep it waiting`() {
    var random = SplitMix(seed: 13)
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      decoder.append(UInt8.random(in: 0...255, using: &random))
      while decoder.next() != nil {}
    }
    // A sequence, and then the paste that it belongs to.
    for _ in 0..<2 where decoder.isWaiting { decoder.giveUp() }
    #expect(!decoder.isWaiting)
  }
}
