extension HTMLPage {
  /// A form that is sent to the same server.
  public struct Form: Hashable, Sendable {
    /// The path that the form is sent to.
    public var action: String
    /// Whether the form changes data (POST), rather than only reads it (GET).
    public var changes: Bool
    public var fields: [Field]
    public var button: Message
    /// The label of the closed `<details>` element around the form; nil shows the form at once.
    public var summary: Message?

    public init(_ button: Message, to action: String, changes: Bool = true, summary: Message? = nil, _ fields: [Field])
    {
      (self.button, self.action, self.changes) = (button, action, changes)
      (self.summary, self.fields) = (summary, fields)
    }

    public struct Field: Hashable, Sendable {
      public enum Kind: Hashable, Sendable {
        case line
        /// A line that is long.
        case words
        /// Several lines.
        case text
        case search
        case day
        /// A file with a picture.
        /// - isTaken: whether a telephone takes it now.
        case picture(isTaken: Bool)
        /// One of these choices, each with the value to send.
        case choice([Choice])
        /// Sent as it is, and not shown.
        case hidden
      }

      /// One that can be chosen.
      public struct Choice: Hashable, Sendable {
        public var value: String
        public var words: Message

        public init(_ value: String, _ words: Message) { (self.value, self.words) = (value, words) }
      }

      public var name: String
      public var label: Message
      public var kind: Kind
      public var value: String

      public init(_ name: String, _ label: Message, _ kind: Kind = .line, value: String = "") {
        (self.name, self.label, self.kind, self.value) = (name, label, kind, value)
      }

      public static func hidden(_ name: String, _ value: String) -> Field { Field(name, "", .hidden, value: value) }
    }
  }
}

extension HTMLPage {
  /// Changes each form of the page that changes data.
  public mutating func changeForms(_ change: (inout Form) -> Void) {
    for place in blocks.indices {
      switch blocks[place] {
      case .form(var form) where form.changes:
        change(&form)
        blocks[place] = .form(form)
      case .things(var things):
        for number in things.indices {
          if var form = things[number].form, form.changes {
            change(&form)
            things[number].form = form
          }
        }
        blocks[place] = .things(things)
      default: break
      }
    }
  }
}

extension HTMLPage.Form {
  func write(to page: inout Markup, in translation: Translation?) {
    guard let summary else { return writeForm(to: &page, in: translation) }
    page.element("details") { page in
      page.element("summary") { $0.append(summary, in: translation) }
      writeForm(to: &page, in: translation)
    }
  }

  private func writeForm(to page: inout Markup, in translation: Translation?) {
    let hasFile = fields.contains { if case .picture = $0.kind { true } else { false } }
    let type: [Markup.Attribute] = hasFile ? [("enctype", "multipart/form-data")] : []
    page.element("form", [("action", action), ("method", changes ? "post" : "get")] + type) { page in
      for field in fields { field.write(to: &page, in: translation) }
      page.element("button") { $0.append(button, in: translation) }
    }
  }
}

extension HTMLPage.Form.Field {
  fileprivate func write(to page: inout Markup, in translation: Translation?) {
    if kind == .hidden { return page.element("input", [("type", "hidden"), ("name", name), ("value", value)]) }
    let isLong = [.words, .text, .search].contains(kind)
    page.element("label", isLong ? [("class", "long")] : []) { page in
      page.append(label, in: translation)
      switch kind {
      case .choice(let choices):
        page.element("select", [("name", name)]) { page in
          for choice in choices {
            let chosen: [Markup.Attribute] = choice.value == value ? [("selected", "selected")] : []
            page.element("option", [("value", choice.value)] + chosen, text: choice.words.text(in: translation))
          }
        }
      // The first line feed is the element's own.
      case .picture(let isTaken):
        let attributes: [Markup.Attribute] = [
          ("type", "file"), ("name", name), ("accept", "image/*"), ("required", ""),
        ]
        page.element("input", attributes + (isTaken ? [("capture", "environment")] : []))
      case .text: page.element("textarea", [("name", name)], lines: "\n" + value)
      default:
        let type = kind == .search ? "search" : kind == .day ? "date" : "text"
        page.element("input", [("type", type), ("name", name), ("value", value)])
      }
    }
  }
}
