/// The top of a ranking, including those that tie with the last place, so that chance excludes none.
public struct TopList<Element> {
  private let shown: [Element]
  /// The number of further elements that tie with the last one and exceed the limit.
  public let more: Int

  public static var none: Self { Self(shown: [], more: 0) }

  /// The number of elements without ties.
  public static var usual: Int { 5 }
  /// The maximum number of elements with ties.
  public static var most: Int { 10 }

  private init(shown: [Element], more: Int) { (self.shown, self.more) = (shown, more) }

  /// - Parameters:
  ///   - ranking: the elements, the best first.
  ///   - merit: the value by which they are ranked.
  public init(
    of ranking: some Sequence<Element>, usual: Int = Self.usual, most: Int = Self.most,
    by merit: (Element) -> some Equatable
  ) {
    let ranking = Array(ranking)
    guard usual > 0, ranking.count > usual else {
      self.init(shown: ranking, more: 0)
      return
    }
    let last = merit(ranking[usual - 1])
    let tied = ranking.dropFirst(usual).prefix { merit($0) == last }.count
    let count = Swift.min(usual + tied, Swift.max(usual, most))
    self.init(shown: Array(ranking.prefix(count)), more: usual + tied - count)
  }
}

extension TopList: RandomAccessCollection {
  public var startIndex: Int { shown.startIndex }
  public var endIndex: Int { shown.endIndex }
  public subscript(position: Int) -> Element { shown[position] }
}

extension TopList: Sendable where Element: Sendable {}
extension TopList: Equatable where Element: Equatable {}
extension TopList: Hashable where Element: Hashable {}
