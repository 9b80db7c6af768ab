import CatalogModel
import Testing

struct ComposedTests {
  @Test(arguments: [
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1161}\u{11BC}", "\u{D55C}\u{AC15}"), ("Bjo\u{308}rk", "Bj\u{F6}rk"),
    ("\u{304B}\u{3099}", "\u{304C}"), ("dune", "dune"), ("\u{D55C}\u{AC15}", "\u{D55C}\u{AC15}"), ("", ""),
  ])
  func `letters with separate marks are composed`(text: String, composed: String) {
    #expect(Array(Folding.composed(text).utf8) == Array(composed.utf8))
  }
}
