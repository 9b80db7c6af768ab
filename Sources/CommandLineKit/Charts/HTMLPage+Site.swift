extension HTMLPage {
  /// A link to another page of the same server.
  public struct Link: Hashable, Sendable {
    public var words: Message
    /// The path of the page.
    public var address: String
    /// Whether it is the current page.
    public var isCurrent: Bool

    public init(_ words: Message, _ address: String, isCurrent: Bool = false) {
      (self.words, self.address, self.isCurrent) = (words, address, isCurrent)
    }
  }

  /// An item in a list of links.
  public struct Thing: Hashable, Sendable {
    public var title: Message
    /// Text beside or below the title.
    public var note: Message?
    /// The path of its page; nil without one.
    public var address: String?
    /// The path of its picture.
    public var picture: String?
    /// A form for an action on the item.
    public var form: Form?

    public init(
      _ title: Message, note: Message? = nil, address: String? = nil, picture: String? = nil, form: Form? = nil
    ) {
      (self.title, self.note, self.address) = (title, note, address)
      (self.picture, self.form) = (picture, form)
    }
  }

  func write(_ links: [Link], to page: inout Markup) {
    for link in links {
      page.element("a", [("href", link.address)] + (link.isCurrent ? [("aria-current", "page")] : [])) {
        $0.append(link.words, in: translation)
      }
      page.append(literal: "\n")
    }
  }

  func write(_ things: [Thing], to page: inout Markup) {
    for thing in things {
      page.element("li") { page in
        if let picture = thing.picture {
          page.element("img", [("src", picture), ("alt", ""), ("loading", "lazy")])
        }
        page.element("div") { page in
          if let address = thing.address {
            page.element("a", [("href", address)]) { $0.append(thing.title, in: translation) }
          } else {
            page.element("strong") { $0.append(thing.title, in: translation) }
          }
          if let note = thing.note {
            page.element("p", [("class", "faint")]) { $0.append(note, in: translation) }
          }
        }
        thing.form?.write(to: &page, in: translation)
      }
      page.append(literal: "\n")
    }
  }

  // MARK: Around a page of a server

  /// The Content-Security-Policy of a page with ``navigation``: its own style and script, identified by their hashes,
  /// and resources of the same server (<https://www.w3.org/TR/CSP3/>).
  /// - Parameter hash: SHA-256 of a text, in base64.
  public static func sitePolicy(hash: (String) -> String) -> String {
    let (style, script) = (hash("\n" + siteStyle), hash("\n\(Self.script)"))
    return "default-src 'none'; style-src 'sha256-\(style)'; script-src 'sha256-\(script)'; img-src 'self'; "
      + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }

  static let siteStyle =
    style + Palette.chartStyle
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
