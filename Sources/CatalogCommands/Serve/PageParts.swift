internal import CatalogModel
internal import CommandLineKit

/// A part with others inside it.
protocol PageGroup: PagePart {
  var inner: [any PagePart] { get }
}

/// A link to another page of the same server.
struct PageLink: Hashable {
  var words: Message
  /// The path of the page.
  var address: String
  /// Whether it is the current page.
  var isCurrent: Bool
  /// The number of things behind it; nil if it is not shown.
  var count: Int?

  init(_ words: Message, _ address: String, count: Int? = nil, isCurrent: Bool = false) {
    (self.words, self.address, self.count, self.isCurrent) = (words, address, count, isCurrent)
  }

  static func write(_ links: [PageLink], class name: StaticString? = nil, to page: inout Markup) {
    for link in links {
      var attributes: [Markup.Attribute] = [("href", link.address)]
      if let name { attributes.insert(("class", "\(name)"), at: 0) }
      if link.isCurrent { attributes.append(("aria-current", "page")) }
      page.element("a", attributes) { page in
        page.append(link.words)
        if let count = link.count {
          page.append(literal: " ")
          page.element("small", text: "\(count)")
        }
      }
      page.append(literal: "\n")
    }
  }
}

/// Links to other pages, side by side.
struct PageLinks: PagePart {
  var links: [PageLink]
  /// Their name for a screen reader; nil for plain links.
  var label: Message?

  init(_ links: PageLink...) { self.links = links }

  /// Links that narrow a list, or lead to its other pages.
  init(_ label: Message, _ links: [PageLink]) { (self.label, self.links) = (label, links) }

  func write(to page: inout Markup) {
    guard !links.isEmpty else { return }
    guard let label else {
      return page.element("p", [("class", "act")]) { PageLink.write(links, class: "btn", to: &$0) }
    }
    page.element("nav", [("class", "chips"), ("aria-label", label.text(in: page.translation))]) {
      PageLink.write(links, class: "chip", to: &$0)
    }
  }
}

/// The title of a page with what it shows, and other ways to see it.
struct PageHead: PagePart {
  var title: Message
  var note: Message?
  var links: [PageLink] = []

  func write(to page: inout Markup) {
    page.element("div", [("class", "count")]) { page in
      page.element("h1", title)
      guard note != nil || !links.isEmpty else { return }
      page.element("p") { page in
        if let note { page.append(note) }
        page.element("span", [("class", "go")]) { page in
          for (place, link) in links.enumerated() {
            if note != nil || place > 0 { page.append(literal: " · ") }
            if link.isCurrent {
              page.element("strong", link.words)
            } else {
              page.element("a", [("href", link.address)], link.words)
            }
          }
        }
      }
    }
  }
}

/// A part of a page with a heading of its own.
struct PageSection: PageGroup {
  var heading: Message?
  /// The name by which a link leads to it.
  var name: String?
  var inner: [any PagePart]

  init(_ heading: Message?, name: String? = nil, _ inner: [any PagePart]) {
    (self.heading, self.name, self.inner) = (heading, name, inner)
  }

  func write(to page: inout Markup) {
    var attributes: [Markup.Attribute] = []
    if let name { attributes.append(("id", name)) }
    page.element("section", attributes) { page in
      if let heading { page.element("h2", heading) }
      for part in inner { part.write(to: &page) }
    }
    page.append(literal: "\n")
  }
}

/// Parts on a card, or side by side in a row of buttons.
struct PageBox: PageGroup {
  enum Look: String { case card, act, fields }

  var look: Look
  var inner: [any PagePart]

  init(_ look: Look, _ inner: [any PagePart]) { (self.look, self.inner) = (look, inner) }

  func write(to page: inout Markup) {
    page.element("div", [("class", look.rawValue)]) { page in
      for part in inner { part.write(to: &page) }
    }
    page.append(literal: "\n")
  }
}

/// A link that looks like a button.
struct PageButton: PagePart {
  var link: PageLink

  init(_ words: Message, _ address: String) { link = PageLink(words, address) }

  func write(to page: inout Markup) { PageLink.write([link], class: "btn", to: &page) }
}

/// The result of the user's last action, or its error, one paragraph each, with the button that takes it back.
struct PageNotice: PageGroup {
  var lines: [Message]
  var inner: [any PagePart] = []

  init(_ lines: [Message], _ inner: [any PagePart] = []) { (self.lines, self.inner) = (lines, inner) }

  func write(to page: inout Markup) {
    page.element("div", [("class", "told"), ("role", "status")]) { page in
      for line in lines { page.element("p", line) }
      for part in inner { part.write(to: &page) }
    }
  }
}

/// Text that a user wrote, with its line breaks.
struct PageQuote: PagePart {
  var words: String

  func write(to page: inout Markup) {
    page.element(
      "blockquote", [("class", "say"), ("dir", "auto")] + Markup.language(of: words, in: page.translation),
      lines: words)
  }
}

extension Double {
  /// `4`, `4.5`.
  var formatted: String { self == rounded() ? "\(Int(clamping: self))" : "\(self)" }
}

/// Stars, as text that is read out as a number.
struct PageStars: PagePart {
  var stars: String

  func write(to page: inout Markup) {
    guard !stars.isEmpty else { return }
    let count = Double(stars.count { $0 == "★" }) + (stars.contains("½") ? 0.5 : 0)
    let label: Message = "\(count.formatted) of 5 stars"
    page.element(
      "span", [("class", "st"), ("role", "img"), ("aria-label", label.text(in: page.translation))], text: stars)
  }
}

/// A line of small words.
struct PageLine: PagePart {
  var stars = ""
  var words: Message

  func write(to page: inout Markup) {
    page.element("p") { page in
      PageStars(stars: stars).write(to: &page)
      page.append(literal: " ")
      page.element("small", words)
    }
  }
}
