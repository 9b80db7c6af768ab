import CatalogModel
import Testing

/// Tests the search for bytes in a text.
struct ByteSearchTests {
  @Test(arguments: [
    ("Folk, World, & Country", "World", true), ("Folk", "Folk, World", false), ("", "a", false), ("a", "", true),
    ("", "", true), ("aab", "ab", true), ("컴퓨터/모바일", "모바", true), ("컴퓨터", "터컴", false), ("abc", "abc", true),
  ])
  func `a text contains the bytes of a part`(text: String, part: String, isContained: Bool) {
    #expect(text.utf8.contains(part.utf8) == isContained)
  }
}
