internal import CommandLineKit

/// A link to another page of the same server.
struct PageLink: Hashable {
  var words: Message
  /// The path of the page.
  var address: String
  /// Whether it is the current page.
  var isCurrent: Bool

  init(_ words: Message, _ address: String, isCurrent: Bool = false) {
    (self.words, self.address, self.isCurrent) = (words, address, isCurrent)
  }

  static func write(_ links: [PageLink], to page: inout Markup) {
    for link in links {
      page.element(
        "a", [("href", link.address)] + (link.isCurrent ? [("aria-current", "page")] : []), link.words)
      page.append(literal: "\n")
    }
  }
}

/// Links to other pages, side by side.
struct PageLinks: PagePart {
  var links: [PageLink]

  init(_ links: PageLink...) { self.links = links }

  init(_ links: [PageLink]) { self.links = links }

  func write(to page: inout Markup) { page.element("p", [("class", "links")]) { PageLink.write(links, to: &$0) } }
}

/// Links to items, one below the other.
struct PageList: PagePart {
  var rows: [Row]
  /// The words in place of an empty list.
  var empty: Message

  init(_ rows: [Row], orElse empty: Message = "") { (self.rows, self.empty) = (rows, empty) }

  struct Row {
    var title: Message
    /// Text beside or below the title.
    var note: Message?
    /// The path of its page; nil without one.
    var address: String?
    /// The path of its picture.
    var picture: String?
    /// A form for an action on the item.
    var form: PageForm?

    init(
      _ title: Message, note: Message? = nil, address: String? = nil, picture: String? = nil, form: PageForm? = nil
    ) {
      (self.title, self.note, self.address) = (title, note, address)
      (self.picture, self.form) = (picture, form)
    }
  }

  func write(to page: inout Markup) {
    guard !rows.isEmpty else { return page.element("p", empty) }
    page.element("ul", [("class", "things")]) { page in
      for row in rows {
        page.element("li") { Self.write(row, to: &$0) }
        page.append(literal: "\n")
      }
    }
  }

  private static func write(_ row: Row, to page: inout Markup) {
    if let picture = row.picture { page.element("img", [("src", picture), ("alt", ""), ("loading", "lazy")]) }
    page.element("div") { page in
      if let address = row.address {
        page.element("a", [("href", address)], row.title)
      } else {
        page.element("strong", row.title)
      }
      if let note = row.note { page.element("p", [("class", "faint")], note) }
    }
    row.form?.write(to: &page)
  }
}

/// The result of the user's last action, or its error, one paragraph each.
struct PageNotice: PagePart {
  var lines: [Message]

  init(_ lines: [Message]) { self.lines = lines }

  func write(to page: inout Markup) {
    page.element("div", [("class", "told"), ("role", "status")]) { page in
      for line in lines { page.element("p", line) }
    }
  }
}

/// Text that a user wrote, with its line breaks.
struct PageQuote: PagePart {
  var words: String

  func write(to page: inout Markup) { page.element("blockquote", [("dir", "auto")], lines: words) }
}

/// The cover of an item.
struct PageCover: PagePart {
  var address: String
  var title: String

  func write(to page: inout Markup) {
    page.element("img", [("class", "cover"), ("src", address), ("alt", title)])
  }
}

/// The surroundings of each page of the site.
enum SiteFrame {
  /// A page in its frame, with the style and the script of the site.
  static func text(of page: HTMLPage, _ navigation: [PageLink]) -> String {
    HTMLPage.document(page.title.text(in: page.translation), in: page.translation, head: { $0.append(style: style) }) {
      $0.element("nav") { PageLink.write(navigation, to: &$0) }
      $0.element("main", body: page.writeContents)
      if page.hasTable { $0.append(script: HTMLPage.script) }
    }
  }

  /// The Content-Security-Policy of a page: its own style and script, identified by their hashes, and resources of the
  /// same server (<https://www.w3.org/TR/CSP3/>).
  /// - Parameter hash: SHA-256 of a text, in base64.
  static func policy(hash: (String) -> String) -> String {
    let (style, script) = (hash("\n" + style), hash("\n\(HTMLPage.script)"))
    return "default-src 'none'; style-src 'sha256-\(style)'; script-src 'sha256-\(script)'; img-src 'self'; "
      + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }

  /// The style sheet of every page.
  static let style =
    HTMLPage.reportStyle
      + """
      a{color:var(--bar)}a:hover{text-decoration:none}
      nav{display:flex;flex-wrap:wrap;gap:4px 18px;max-width:848px;margin:0 auto;padding:14px 16px 0;font-size:15px}
      .links{display:flex;flex-wrap:wrap;gap:6px 16px}a[aria-current]{color:inherit;font-weight:600;text-decoration:none}
      ul.things{list-style:none;padding:0}.things li{display:flex;gap:12px;align-items:center;padding:8px 0;
      border-bottom:1px solid var(--rule)}.things li>div{flex:1;min-width:0}.things p{margin:0}
      .things img{width:44px;height:60px;object-fit:contain}.things form{margin:0}
      form{display:flex;flex-wrap:wrap;gap:10px;align-items:end;margin:12px 0}
      label{display:flex;flex-direction:column;font-size:14px;color:var(--faint);gap:2px}label.long{flex:1 1 240px}
      label.check{flex-direction:row;align-items:center;gap:6px}
      input,select,textarea,button{font:inherit;font-size:16px;color:var(--ink);background:var(--paper);
      border:1px solid var(--faint);border-radius:6px;padding:7px 10px;max-width:100%}
      form>button,.things button{background:var(--bar);border-color:var(--bar);color:var(--paper);cursor:pointer}
      textarea{min-height:84px;width:100%}input:focus-visible,select:focus-visible,textarea:focus-visible,
      form>button:focus-visible{outline:2px solid var(--bar);outline-offset:2px}
      .told{border:1px solid var(--rule);border-left:4px solid var(--bar);border-radius:6px;padding:8px 12px;margin:12px 0}
      blockquote{margin:8px 0;padding-left:14px;border-left:3px solid var(--rule);white-space:pre-line}
      img.cover{float:right;max-width:38%;max-height:280px;margin:0 0 12px 16px;border-radius:4px}
      details{margin:10px 0}summary{cursor:pointer}

      """
}
