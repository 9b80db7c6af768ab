internal import CommandLineKit

/// A form that is sent to the same server.
struct PageForm: Hashable, PagePart {
  /// The path that the form is sent to.
  var action: String
  /// Whether the form changes data (POST), rather than only reads it (GET).
  var changes: Bool
  var fields: [Field]
  var button: Message
  /// The label of the closed `<details>` element around the form; nil shows the form at once.
  var summary: Message?

  init(_ button: Message, to action: String, changes: Bool = true, summary: Message? = nil, _ fields: [Field]) {
    (self.button, self.action, self.changes) = (button, action, changes)
    (self.summary, self.fields) = (summary, fields)
  }

  struct Field: Hashable {
    enum Kind: Hashable {
      case line
      /// A line that is long.
      case words
      /// Several lines.
      case text
      case search
      case day
      /// One of these choices, each with the value to send.
      case choice([Choice])
      /// Sent as it is, and not shown.
      case hidden
    }

    /// One that can be chosen.
    struct Choice: Hashable {
      var value: String
      var words: Message

      init(_ value: String, _ words: Message) { (self.value, self.words) = (value, words) }
    }

    var name: String
    var label: Message
    var kind: Kind
    var value: String

    init(_ name: String, _ label: Message, _ kind: Kind = .line, value: String = "") {
      (self.name, self.label, self.kind, self.value) = (name, label, kind, value)
    }

    static func hidden(_ name: String, _ value: String) -> Field { Field(name, "", .hidden, value: value) }

    /// The shown values: only fields that differ from them are changed, and only while they are still the current ones.
    static func was(_ shown: [String: String]) -> [Field] {
      shown.sorted { $0.key < $1.key }.map { .hidden("was-\($0.key)", $0.value) }
    }
  }

  /// The name of the field by which a form that is sent twice is known: each form has a value of its own.
  static let token = "once"

  func write(to page: inout Markup) {
    guard let summary else { return writeForm(to: &page) }
    page.element("details") { page in
      page.element("summary", summary)
      writeForm(to: &page)
    }
  }

  private func writeForm(to page: inout Markup) {
    page.element("form", [("action", action), ("method", changes ? "post" : "get")]) { page in
      if changes, !fields.contains(where: { $0.name == Self.token }) {
        Field.hidden(Self.token, String(UInt64.random(in: 0...UInt64.max), radix: 36)).write(to: &page)
      }
      for field in fields { field.write(to: &page) }
      page.element("button", button)
    }
  }
}

extension PageForm.Field {
  fileprivate func write(to page: inout Markup) {
    if kind == .hidden { return page.element("input", [("type", "hidden"), ("name", name), ("value", value)]) }
    let isLong = [.words, .text, .search].contains(kind)
    page.element("label", isLong ? [("class", "long")] : []) { page in
      page.append(label)
      switch kind {
      case .choice(let choices):
        page.element("select", [("name", name)]) { page in
          for choice in choices {
            let chosen: [Markup.Attribute] = choice.value == value ? [("selected", "selected")] : []
            page.element(
              "option", [("value", choice.value)] + chosen, text: choice.words.text(in: page.translation))
          }
        }
      // The first line feed is the element's own.
      case .text: page.element("textarea", [("name", name)], lines: "\n" + value)
      default:
        let type = kind == .search ? "search" : kind == .day ? "date" : "text"
        page.element("input", [("type", type), ("name", name), ("value", value)])
      }
    }
  }
}
