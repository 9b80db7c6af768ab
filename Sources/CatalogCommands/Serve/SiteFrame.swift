internal import CatalogModel
internal import CommandLineKit
internal import Processes
internal import Web

/// The surroundings of each page of the site: the bar with the search, the tabs of a phone, style sheet and script.
enum SiteFrame {
  /// A page in its frame.
  /// - Parameters:
  ///   - place: the path of the page.
  ///   - words: the words in the search field.
  ///   - isOpen: whether the browser is paired; else the frame has neither links nor search.
  static func text(of page: HTMLPage, at place: String, searching words: String = "", isOpen: Bool) -> String {
    let title = page.title.text(in: page.translation)
    return HTMLPage.document(
      "\(title) · \(Message("Shelf").text(in: page.translation))", in: page.translation, address: Site.address(of:)
    ) {
      writeHead(to: &$0)
    } body: { markup in
      if isOpen { writeBar(to: &markup, place, words) }
      let isNarrow = page.layout == .narrow
      markup.element("main", [("id", "main")] + (isNarrow ? [("class", "thin")] : []), body: page.writeContents)
      if isOpen {
        markup.element("nav", [("class", "tabs"), ("aria-label", Message("Tabs").text(in: page.translation))]) {
          PageLink.write(links(tabs, at: place), to: &$0)
        }
      }
    }
  }

  private static func writeHead(to head: inout Markup) {
    head.element("link", [("rel", "stylesheet"), ("href", style.address)])
    head.element("link", [("rel", "icon"), ("href", icon.address), ("type", icon.type)])
    head.element("link", [("rel", "manifest"), ("href", manifest.address)])
    head.element("meta", [("name", "theme-color"), ("content", "#a4401f")])
    head.element("script", [("src", script.address), ("defer", "defer")], text: "")
  }

  private static func writeBar(to page: inout Markup, _ place: String, _ words: String) {
    page.element("a", [("class", "skip"), ("href", "#main")], "To the contents")
    page.element("header", [("class", "bar")]) { page in
      page.element("div") { page in
        page.element("a", [("class", "brand serif"), ("href", "/")], "Shelf")
        page.element("nav", [("aria-label", Message("Navigation").text(in: page.translation))]) {
          PageLink.write(links(navigation, at: place), to: &$0)
        }
        page.element("form", [("role", "search"), ("action", "/")]) { page in
          page.element(
            "input",
            [
              ("type", "search"), ("name", "q"), ("value", words), ("autocapitalize", "off"), ("autocomplete", "off"),
              ("aria-label", Message("Search the shelf").text(in: page.translation)),
              ("placeholder", Message("Search the shelf, or genre:jazz").text(in: page.translation)),
            ])
        }
      }
    }
  }

  private static let navigation = [
    PageLink("Shelf", "/"), PageLink("Diary", "/diary"), PageLink("Wishes", "/wishes"), PageLink("Loans", "/loans"),
    PageLink("Stats", "/stats"), PageLink("Add", "/find"), PageLink("More", "/more"),
  ]

  private static let tabs = navigation.filter { !["/wishes", "/loans"].contains($0.address) }

  private static func links(_ links: [PageLink], at place: String) -> [PageLink] {
    links.map { PageLink($0.words, $0.address, isCurrent: $0.address == place) }
  }

  // MARK: What pages load

  /// Something that pages load, the same for everybody. Its address changes with its content.
  struct Asset {
    let address: String
    let type: String
    let body: [UInt8]

    init(_ name: String, _ type: String, _ text: String) {
      (self.type, body) = (type, Array(text.utf8))
      address = "/asset/\(String(FNV1a(text).value, radix: 36))/\(name)"
    }

    var response: WebResponse {
      var response = WebResponse(type: type, body)
      response.headers += [
        .init("Cache-Control", "public, max-age=31536000, immutable"), .init("X-Content-Type-Options", "nosniff"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
      ]
      return response
    }
  }

  private static let style = Asset("style.css", "text/css; charset=utf-8", Palette.chartStyle + "\(SiteStyle.sheet)")
  private static let script = Asset(
    "script.js", "text/javascript; charset=utf-8", "\(SiteScript.text)\n{\n\(HTMLPage.script)}\n")
  private static let icon = Asset("icon.svg", "image/svg+xml", "\(SiteScript.icon)")
  private static let manifest = Asset(
    "app.webmanifest", "application/manifest+json",
    """
    {"name":"Shelf","short_name":"Shelf","start_url":"/","display":"standalone","background_color":"#faf8f4",
    "theme_color":"#a4401f","icons":[{"src":"\(icon.address)","sizes":"any","type":"image/svg+xml"}]}

    """)

  /// The asset at a path; nil for none.
  static func asset(at path: [String]) -> WebResponse? {
    guard path.first == "asset" else { return nil }
    let address = "/" + path.joined(separator: "/")
    return [style, script, icon, manifest].first { $0.address == address }?.response
  }

  /// The Content-Security-Policy of a page (<https://www.w3.org/TR/CSP3/>): nothing but what this server has.
  static let policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; manifest-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
