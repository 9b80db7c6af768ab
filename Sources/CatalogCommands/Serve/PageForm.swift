internal import CommandLineKit

/// A form that is sent to the same server.
struct PageForm: Hashable, PagePart {
  /// The path that the form is sent to.
  var action: String
  /// Whether the form changes data (POST), rather than only reads it (GET).
  var changes = true
  var fields: [Field]
  var button: Message
  /// The name of the button with its thing, for a screen reader.
  var label: Message?
  /// Whether it is the main act of its page.
  var isMain = false
  /// The label of the closed `<details>` element around the form; nil shows the form at once.
  var summary: Message?
  /// Whether it sends a file.
  var sendsFile: Bool { fields.contains(where: \.isFile) }

  init(
    _ button: Message, to action: String, _ fields: [Field] = [], label: Message? = nil, isMain: Bool = false,
    summary: Message? = nil
  ) {
    (self.button, self.action, self.fields) = (button, action, fields)
    (self.label, self.isMain, self.summary) = (label, isMain, summary)
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
      case number
      /// A code in letters and digits.
      case code
      /// A file with a picture.
      /// - isTaken: whether a telephone takes it now.
      case picture(isTaken: Bool)
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
    /// Whether the form cannot do without it.
    var isRequired: Bool
    /// The form of its value.
    var hint: Message?
    /// The mistake in its value.
    var problem: Message?

    init(
      _ name: String, _ label: Message, _ kind: Kind = .line, value: String = "", isRequired: Bool = false,
      hint: Message? = nil
    ) {
      (self.name, self.label, self.kind, self.value) = (name, label, kind, value)
      (self.isRequired, self.hint) = (isRequired, hint)
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
    page.element("details", fields.contains { $0.problem != nil } ? [("open", "open")] : []) { page in
      page.element("summary", summary)
      writeForm(to: &page)
    }
  }

  static func writeToken(to page: inout Markup) {
    Field.hidden(token, String(UInt64.random(in: 0...UInt64.max), radix: 36)).write(to: &page)
  }

  private func writeForm(to page: inout Markup) {
    var attributes: [Markup.Attribute] = [("action", action), ("method", changes ? "post" : "get")]
    if sendsFile { attributes.append(("enctype", "multipart/form-data")) }
    page.element("form", attributes) { page in
      if changes { Self.writeToken(to: &page) }
      for field in fields where field.kind == .hidden { field.write(to: &page) }
      let shown = fields.filter { $0.kind != .hidden }
      if !shown.isEmpty {
        page.element("div", [("class", "fields")]) { page in
          for field in shown { field.write(to: &page) }
        }
      }
      var attributes: [Markup.Attribute] = [("class", isMain ? "btn main" : "btn")]
      if let label { attributes.append(("aria-label", label.text(in: page.translation))) }
      page.element("button", attributes, button)
    }
  }
}

extension PageForm.Field {
  fileprivate var isFile: Bool { if case .picture = kind { true } else { false } }

  fileprivate func write(to page: inout Markup) {
    if kind == .hidden { return page.element("input", [("type", "hidden"), ("name", name), ("value", value)]) }
    let isLong = [.words, .text, .search].contains(kind) || isFile
    page.element("label", isLong ? [("class", "long")] : []) { page in
      page.append(label)
      writeControl(to: &page)
      if let problem {
        page.element("span", [("class", "err"), ("id", "\(name)-problem")], problem)
      } else if let hint {
        page.element("small", hint)
      }
    }
  }

  private func writeControl(to page: inout Markup) {
    var attributes: [Markup.Attribute] = [("name", name)]
    if isRequired { attributes.append(("required", "required")) }
    if problem != nil { attributes += [("aria-invalid", "true"), ("aria-describedby", "\(name)-problem")] }
    switch kind {
    case .choice(let choices):
      page.element("select", attributes) { page in
        for choice in choices {
          let chosen: [Markup.Attribute] = choice.value == value ? [("selected", "selected")] : []
          page.element("option", [("value", choice.value)] + chosen, text: choice.words.text(in: page.translation))
        }
      }
    // The first line feed is the element's own.
    case .text: page.element("textarea", attributes + [("rows", "3")], lines: "\n" + value)
    case .picture(let isTaken):
      page.element(
        "input",
        attributes + [("type", "file"), ("accept", "image/*")] + (isTaken ? [("capture", "environment")] : []))
    default:
      let type = kind == .search ? "search" : kind == .day ? "date" : "text"
      switch kind {
      case .number: attributes.append(("inputmode", "numeric"))
      case .code: attributes += [("autocapitalize", "characters"), ("autocomplete", "off"), ("spellcheck", "false")]
      case .search: attributes += [("autocapitalize", "off"), ("autocomplete", "off"), ("enterkeyhint", "search")]
      default: break
      }
      page.element("input", attributes + [("type", type), ("value", value)])
    }
  }
}
