import Testing

@testable import Exchange

struct ShapeTests {
  @Test func `shapes are told apart`() { #expect(Shape.lines != .zip(members: [])) }
}
