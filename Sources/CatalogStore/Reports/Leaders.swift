/// The first of a ranking. Those that tie with the last of them are among them too, so that nobody is left out by chance.
public struct Leaders<Element> {
  private let shown: [Element]
  /// How many more tie with the last one: nothing but the bound keeps them out.
  public let more: Int

  public static var none: Self { Self(shown: [], more: 0) }

  /// So many are there when nobody ties…
  public static var usual: Int { 5 }
  /// …and with ties so many at most.
  public static var most: Int { 10 }

  private init(shown: [Element], more: Int) { (self.shown, self.more) = (shown, more) }

  /// - Parameters:
  ///   - ranking: the best first.
  ///   - merit: what they are ranked by.
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

extension Leaders: RandomAccessCollection {
  public var startIndex: Int { shown.startIndex }
  public var endIndex: Int { shown.endIndex }
  public subscript(position: Int) -> Element { shown[position] }
}

extension Leaders: Sendable where Element: Sendable {}
extension Leaders: Equatable where Element: Equatable {}
extension Leaders: Hashable where Element: Hashable {}
