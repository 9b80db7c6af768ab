/// A part of a page: a ``Report/Block``, or what a server has besides, such as a form.
public protocol PagePart {
  func write(to page: inout Markup)
}

/// A page of text, charts and sortable tables.
///
/// Its words are messages, translated when the page is written. Values in them are escaped, and right-to-left text in a
/// name does not affect its surroundings. The page adapts to the color scheme, fits a phone, prints, and is readable
/// without the script. It is also well-formed XML.
///
///     var page = HTMLPage("Genres")
///     page.add(.paragraph("Most of all \(name): \(code: "catalog list genre:jazz")"))
///     try output.append(page.text)
public struct HTMLPage {
  public var title: Message
  /// The subject of the page, below the title.
  public var subtitle: Message?
  /// The origin of the page, at its end.
  public var footer: Message?
  /// The language of the page; nil is English.
  public var translation: Translation?
  public var parts: [any PagePart] = []
  public var layout = Layout.headed

  /// The way in which a page stands in its frame.
  public enum Layout: Sendable {
    /// The title is above the parts.
    case headed
    /// The same in a column of the width of text.
    case narrow
    /// A part has the title.
    case own
  }

  public init(
    _ title: Message, subtitle: Message? = nil, footer: Message? = nil, in translation: Translation? = nil
  ) {
    (self.title, self.subtitle, self.footer, self.translation) = (title, subtitle, footer, translation)
  }

  public init(_ report: Report, in translation: Translation? = nil) {
    self.init(report.title, subtitle: report.subtitle, footer: report.footer, in: translation)
    parts = report.blocks
  }

  public mutating func add(_ block: Report.Block) { parts.append(block) }

  public mutating func add(_ part: some PagePart) { parts.append(part) }

  /// The page as a file: style, script and pictures are inside it, and its security policy forbids all requests.
  public var text: String {
    Self.document(title.text(in: translation), style: Self.style + Palette.chartStyle, in: translation) { page in
      page.element("main", body: writeContents)
      if hasTable { page.append(script: Self.script) }
    }
  }

  /// Whether it has a table, which the script sorts.
  private var hasTable: Bool {
    parts.contains { if case Report.Block.table? = $0 as? Report.Block { true } else { false } }
  }

  /// A page with the contents that `body` writes, without permission for requests.
  static func document(
    _ title: String, style: String, in translation: Translation?, body: (inout Markup) -> Void
  ) -> String {
    document(
      title, in: translation,
      head: { page in
        page.element("meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)])
        page.append(literal: "\n")
        page.append(style: style)
      }, body: body)
  }

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    + "form-action 'none'"

  /// A document with what `head` and `body` write.
  /// - Parameter address: the address of the items that a query selects; nil where no server answers it.
  public static func document(
    _ title: String, in translation: Translation?, address: ((String) -> String)? = nil, head: (inout Markup) -> Void,
    body: (inout Markup) -> Void
  ) -> String {
    var page = Markup(in: translation, address: address)
    page.append(literal: "<!DOCTYPE html>\n")
    page.element("html", [("lang", translation.language)]) { page in
      page.append(literal: "\n")
      page.element("head") { page in
        page.append(literal: "\n")
        page.element("meta", [("charset", "utf-8")])
        page.append(literal: "\n")
        page.element("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
        page.append(literal: "\n")
        page.element("meta", [("name", "color-scheme"), ("content", "light dark")])
        page.append(literal: "\n")
        page.element("title", text: title)
        page.append(literal: "\n")
        head(&page)
        page.append(literal: "\n")
      }
      page.append(literal: "\n")
      page.element("body") { page in
        page.append(literal: "\n")
        body(&page)
      }
    }
    page.append(literal: "\n")
    return page.text
  }

  /// Writes title, parts and footer.
  public func writeContents(to page: inout Markup) {
    page.append(literal: "\n")
    if layout != .own {
      page.element("header") { page in
        page.element("h1", title)
        if let subtitle { page.element("p", [("class", "faint")], subtitle) }
      }
      page.append(literal: "\n")
    }
    for part in parts {
      part.write(to: &page)
      page.append(literal: "\n")
    }
    if let footer {
      page.element("footer") { $0.element("p", footer) }
      page.append(literal: "\n")
    }
  }
}

/// Pictures side by side, all of the same height.
public struct PictureRow: PagePart {
  public var pictures: [Picture]

  public init(_ pictures: [Picture]) { self.pictures = pictures }

  public func write(to page: inout Markup) {
    page.element("div", [("class", "pictures")]) { page in
      for picture in pictures {
        page.element(
          "img",
          [
            ("src", picture.address), ("alt", picture.label.sanitized), ("width", String(picture.width)),
            ("height", String(picture.height)),
          ])
      }
    }
  }
}
