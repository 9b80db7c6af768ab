/// A picture to share: covers, a few sentences, a small chart, and a quote of the user. It has the same parts in every
/// shape; all parts except the title are optional.
///
/// All text fits the width: lines are broken by the maximum width of letters. Text that does not fit is left out, the
/// last sentences first.
public struct Poster: Sendable {
  public enum Shape: String, CaseIterable, Sendable, ArgumentValue {
    case portrait, square

    /// In pixels: 3:4, as phones take pictures, and 1:1.
    var size: (width: Double, height: Double) {
      switch self {
      case .portrait: (1080, 1440)
      case .square: (1080, 1080)
      }
    }

    /// The maximum number of covers.
    public var mostCovers: Int {
      switch self {
      case .portrait: 8
      case .square: 6
      }
    }
  }

  public static let mostSentences = 5

  /// A quote of the user, and its subject.
  public struct Quote: Hashable, Sendable {
    public var words: String
    public var about: String

    public init(_ words: String, about: String) { (self.words, self.about) = (words, about) }
  }

  public var shape: Shape
  public var title: String
  /// The subject of the poster, above the title.
  public var topic: String
  public var covers: [Picture]
  /// The sentences, most important first. Those after ``mostSentences`` are dropped.
  public var sentences: [String]
  public var chart: (any Chart)?
  public var quote: Quote?
  /// The origin of the poster, at the bottom.
  public var footer: String
  /// The language of the poster; nil is English.
  public var translation: Translation?

  public init(
    _ title: String, topic: String, shape: Shape = .portrait, covers: [Picture] = [], sentences: [String] = [],
    chart: (any Chart)? = nil, quote: Quote? = nil, footer: String, in translation: Translation? = nil
  ) {
    (self.title, self.topic, self.shape) = (title, topic, shape)
    (self.covers, self.sentences, self.chart) = (
      Array(covers.prefix(shape.mostCovers)), Array(sentences.prefix(Self.mostSentences)), chart
    )
    (self.quote, self.footer, self.translation) = (quote, footer, translation)
  }

  /// The poster as a standalone SVG file. It adapts to a dark color scheme.
  public var svg: String {
    var file = Markup()
    file.append(literal: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    write(to: &file, isFile: true)
    return file.text
  }

  /// The poster as a page: as large as the window lets it be, and whole on one sheet of paper.
  public var html: String {
    let ratio = "\(Int(shape.size.width)) / \(Int(shape.size.height))"
    let style = """
      :root{color-scheme:light dark}body{margin:0;background:#e3e6ea}
      @media screen and (prefers-color-scheme:dark){body{background:#000}}
      svg.poster{display:block;width:min(100vw,100vh * \(ratio));height:auto;margin:0 auto}
      @media print{@page{margin:10mm}body{background:none}svg.poster{width:auto;max-width:100%;max-height:96vh}}

      """
    return HTMLPage.document(title, style: style + Palette.posterStyle, in: translation) {
      write(to: &$0, isFile: false)
    }
  }

  private func write(to markup: inout Markup, isFile: Bool) {
    let size = shape.size
    var attributes: [Markup.Attribute] = [
      ("class", "poster"), ("width", Drawing.number(size.width)), ("height", Drawing.number(size.height)),
      ("viewBox", "0 0 \(Drawing.number(size.width)) \(Drawing.number(size.height))"), ("role", "img"),
    ]
    if isFile { attributes.insert(("xmlns", "http://www.w3.org/2000/svg"), at: 0) }
    markup.element("svg", attributes) { markup in
      markup.append(literal: "\n")
      markup.element("title", text: title)
      markup.element("desc", text: (sentences + (quote.map { [$0.words] } ?? [])).joined(separator: " "))
      markup.append(literal: "\n")
      if isFile {
        markup.append(style: Palette.posterStyle)
        markup.append(literal: "\n")
      }
      PosterLayout(self).draw(in: &markup)
    }
    markup.append(literal: "\n")
  }
}
