import Testing

struct PlaceholderTests {
  @Test func `the target builds`() {}
}
