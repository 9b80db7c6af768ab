import CatalogModel
import Testing

@testable import CatalogStore

/// Tests the checks of files of the tree, for every reader.
struct TreePathCheckingTests {
  private static let uid = "01a20484-5498-701f-a34d-ec2ccf3049c5"
  private static let item = #"{"item":{"uid":"\#(uid)","kind":"movie","title":"Heat"},"movie":{}}"#

  /// A file and a text that it may have.
  private static let good: [(path: String, text: String)] = [
    ("items/c5/\(uid).json", item),
    ("items/c5/\(uid).json", #"{"removed":"2026-01-01T00:00:00Z","title":"Heat"}"#),
    ("items/c5/\(uid).json", #"{"same":"01a20484-5498-701f-a34d-ec2ccf3049c6"}"#),
    ("items/c5/\(uid).json", item.replacing("\"movie\":", with: #""aura":[1],"mood":"calm","movie":"#)),
    ("piles/nachste.json", #"{"pile":{"name":"Nächste"},"items":[]}"#),
    ("piles/nachste.json", #"{"removed":"2026-01-01T00:00:00Z"}"#),
    ("catalog.json", #"{"catalog":1}"#), ("tags.json", #"{"tag":[]}"#), ("tags.json", #"{"tag":[{"name":"a"}]}"#),
    ("genres.json", #"{"genre":[{"name":"a"}],"genre_label":[]}"#), ("queries.json", #"{"saved_query":[]}"#),
    ("wishes.json", #"{"wish":[],"hope":5}"#),
  ]

  @Test(arguments: good) func `a file of the tree is taken`(path: String, text: String) throws {
    let path = try #require(TreePath(path))
    #expect(throws: Never.self) { try path.check(Array(text.utf8)) }
  }

  /// The possible states of a file.
  private static let damages: [@Sendable (String) -> [UInt8]] = [
    { Array($0.utf8.prefix($0.utf8.count / 2)) }, { _ in [] }, { _ in [0xFF, 0xFE, 0, 1] }, { _ in Array("{}".utf8) },
    { _ in Array("[1]".utf8) }, { _ in Array("null".utf8) }, { Array(($0 + $0).utf8) },
    { Array("<<<<<<< ours\n\($0)\n=======\n\($0)\n>>>>>>> theirs\n".utf8) },
    { _ in Array(#"{"item":4,"pile":[5],"tag":"x","genre":{"a":1},"saved_query":[1],"wish":7,"catalog":"x"}"#.utf8) },
    { _ in Array(#"{"item":{"uid":"x","kind":"movie","title":"x"},"movie":{}}"#.utf8) },
    { _ in Array(#"{"pile":{"name":"other"},"items":[]}"#.utf8) },
  ]

  @Test(arguments: good.indices, damages.indices) func `a damaged file is not`(place: Int, damage: Int) throws {
    let (path, text) = Self.good[place]
    let treePath = try #require(TreePath(path))
    #expect(throws: DocumentProblem.self) { try treePath.check(Self.damages[damage](text)) }
  }

  @Test(arguments: [
    ("items/c5/\(uid).json", item.replacing("movie", with: "film")),
    ("items/c5/\(uid).json", item.replacing("\"movie\":{}", with: #""movie":{},"card":[{"uid":"none"}]"#)),
    ("items/c5/\(uid).json", item.replacing("\"movie\":{}", with: #""movie":{},"card":5"#)),
    ("items/c5/\(uid).json", item.replacing("\"movie\":{}", with: #""movie":{},"item_tag":["a"]"#)),
    ("piles/next.json", #"{"pile":{"name":"next"},"items":"a"}"#), ("piles/next.json", #"{"pile":{"name":" "}}"#),
    ("catalog.json", #"{"catalog":1,"representative":5}"#), ("tags.json", #"{"tag":[{"key":"a"}]}"#),
    ("tags.json", #"{"tag":[],"catalog":1}"#), ("queries.json", #"{"saved_query":[{"name":""}]}"#),
    ("wishes.json", #"{"wish":[{"words":"x"}]}"#), ("genres.json", #"{"removed":"2026-01-01T00:00:00Z"}"#),
  ]) func `what no catalog writes into a file is not taken`(path: String, text: String) throws {
    let treePath = try #require(TreePath(path))
    #expect(throws: DocumentProblem.self) { try treePath.check(Array(text.utf8)) }
  }

  @Test func `a picture is called by its bytes`() throws {
    let path = TreePath.cover(SHA256.hexadecimal(of: [1, 2, 3]), ending: "jpg")
    #expect(throws: Never.self) { try path.check([1, 2, 3]) }
    for bytes in [[1, 2], [], [1, 2, 3, 4]] as [[UInt8]] {
      #expect(throws: DocumentProblem.self) { try path.check(bytes) }
    }
  }

  @Test func `a pile has one file, whichever form its letters have`() {
    #expect(TreePath("piles/카드.json") != nil)
    #expect(TreePath("piles/\u{110F}\u{1161}\u{1103}\u{1173}.json") == nil)
  }

  @Test(arguments: [
    (#"{"catalog":1}"#, false), (#"{"catalog":2}"#, true), (#"{"catalog":1.0}"#, false), (#"{"catalog":2.5}"#, true),
    (#"{"catalog":"x"}"#, false), ("{}", false), ("", false), (#"{ "catalog" : 7,"#, true), (#"{"catalog":1"#, false),
    ("<<<<<<<\n{\"catalog\": 1}\n=======\n{\"catalog\": 2}\n>>>>>>>\n", true),
    (#"{"catalog":99999999999999999999"#, true), (#"{"catalog":"#, false),
  ]) func `a newer format is known by its number, also in a damaged file`(text: String, isNewer: Bool) {
    #expect(Document.isOfNewerFormat(Array(text.utf8)) == isNewer)
  }
}
