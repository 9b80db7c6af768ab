import CatalogModel
import Lookup
import Testing

struct SearchWordsTests {
  /// 한강 and é in the letters and marks of which they are composed, as some systems type them.
  static let decomposed = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1161}\u{11BC} e\u{301}"
  static let composed = "\u{D55C}\u{AC15} \u{E9}"

  @Test(arguments: Source.all) func `decomposed words are sent in composed form`(source: Source) {
    for kind in source.kinds {
      for field in [nil] + source.fields(kind) {
        #expect(
          source.url(Self.decomposed, kind, field: field) == source.url(Self.composed, kind, field: field))
      }
    }
    #expect(source.url(Self.decomposed, source.kinds[0]).contains("%ED%95%9C%EA%B0%95"))
  }
}
