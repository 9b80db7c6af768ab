internal import CommandLineKit
internal import Web

/// The pattern of addresses: `item/:id/card`. A part that begins with `:` stands for any, and `:id` for a number.
struct AddressPattern {
  private let parts: [Substring]

  init(_ text: String) { parts = text.split(separator: "/") }

  /// The values of its named parts; nil where the path is another.
  func values(in path: [String]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      guard part.hasPrefix(":") else {
        if part == text { continue } else { return nil }
      }
      let name = String(part.dropFirst())
      guard name != "id" || Self.isNumber(text) else { return nil }
      values[name] = text
    }
    return values
  }

  static func isNumber(_ text: String) -> Bool { Int64(text).map { $0 > 0 } ?? false }
}

/// A page of the site, and what makes it.
struct PageRoute {
  let pattern: AddressPattern
  let answer: (Site) -> (Site.Visit) throws -> WebAnswer

  init(_ address: String, _ answer: @escaping (Site) -> (Site.Visit) throws -> WebAnswer) {
    (pattern, self.answer) = (AddressPattern(address), answer)
  }

  init(_ address: String, _ page: @escaping (Site) -> (Site.Visit) throws -> HTMLPage) {
    self.init(address) { site in
      { visit in
        .now(site.response(try page(site)(visit), at: "/" + visit.request.path.joined(separator: "/")))
      }
    }
  }
}

/// A form of the site, and the command that it runs.
struct FormRoute {
  /// The written part of a form.
  enum Part {
    /// All filled fields.
    case filled
    /// The fields that differ from the shown ones.
    case changed
    /// The same, each as an operand `name=value`.
    case changedFields
  }

  let pattern: AddressPattern
  /// The words of the command: `card add`.
  let command: [String]
  /// The fields that become options of the same name, or of the one behind `=`: `words=comment`.
  let options: [String]
  /// The operands: words, or `:name` for the value of a part of the address or of a field.
  let operands: [String]
  let part: Part
  /// The field that must have a number.
  let number: String?
  /// The page to show afterwards: the first whose values are all there.
  let places: [String]

  init(
    _ address: String, _ command: String, _ operands: String = "", options: String = "", writing part: Part = .filled,
    needs number: String? = nil, then places: String...
  ) {
    pattern = AddressPattern(address)
    (self.command, self.options) = (Self.words(command), Self.words(options))
    (self.operands, self.part) = (Self.words(operands), part)
    (self.number, self.places) = (number, places)
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// The names of the options of the command, without their fields.
  var optionNames: [String] { options.map { String($0.split(separator: "=").last ?? "") } }

  /// The form of a request, and the values in its address.
  struct Sent {
    var form: WebForm
    var values: [String: String]

    /// The value of a part of the address, or of a field; nil if it is missing or empty.
    /// - Parameter names: `what|kind`: the first that has a value.
    subscript(names: Substring) -> String? {
      names.split(separator: "|").lazy.map(String.init).compactMap { values[$0] ?? form[$0]?.lineFeeds }.first
    }

    /// The value of a field that is written; nil for none.
    func written(_ name: String, _ part: Part) -> String? {
      guard part != .filled else { return self[name[...]] }
      guard let now = form.fields.first(where: { $0.name == name })?.value.lineFeeds else { return nil }
      return now == (form["was-\(name)"]?.lineFeeds ?? "") ? nil : now
    }
  }

  /// The words of the command, and the page to show afterwards.
  /// - Returns: no words when nothing is to be written; nil for a form that is none of the site.
  func command(for sent: Sent) -> (words: [String], place: String)? {
    if let number, !AddressPattern.isNumber(sent[number[...]] ?? "") { return nil }
    guard let place = places.lazy.compactMap({ Self.address($0, sent) }).first else { return nil }
    var written: [String] = []
    for option in options {
      let names = option.split(separator: "=")
      guard let field = names.first, let name = names.last, let value = sent.written(String(field), part) else {
        continue
      }
      written.append("--\(name)=\(value)")
    }
    var operands = operands.map { $0.hasPrefix(":") ? sent[$0.dropFirst()] ?? "" : $0 }
    if part == .changedFields {
      let changes = sent.form.fields.filter { field in sent.form.fields.contains { $0.name == "was-\(field.name)" } }
        .compactMap { field in sent.written(field.name, part).map { "\(field.name)=\($0)" } }
      written += changes
      operands += changes
    }
    guard part == .filled || !written.isEmpty else { return ([], place) }
    let end = operands.isEmpty ? [] : ["--"] + operands
    return (command + (part == .changedFields ? [] : written) + end, place)
  }

  /// An address with its values; nil if one is missing, or is no number where one is needed.
  private static func address(_ pattern: String, _ sent: Sent) -> String? {
    var parts: [String] = []
    for part in pattern.split(separator: "/") {
      guard part.hasPrefix(":") else {
        parts.append(String(part))
        continue
      }
      guard let value = sent[part.dropFirst()], AddressPattern.isNumber(value) else { return nil }
      parts.append(value)
    }
    return "/" + parts.joined(separator: "/")
  }

  /// The words of the command for a form, as ``command(for:)`` has them.
  static func command(_ path: [String], _ form: WebForm) -> (words: [String], place: String)? {
    for route in all {
      guard let values = route.pattern.values(in: path) else { continue }
      if let command = route.command(for: Sent(form: form, values: values)) { return command }
    }
    return nil
  }

  /// All forms that run a command.
  static let all: [FormRoute] = [
    .init("item/:id/card", "card add", ":id", options: "stars seen words=comment", then: "/item/:id"),
    .init("item/:id/log", "log", ":id", options: "on stars words=comment", then: "/item/:id"),
    .init("item/:id/favorite", "favorite", ":id", then: "/item/:id"),
    .init("item/:id/unfavorite", "unfavorite", ":id", then: "/item/:id"),
    .init("item/:id/copy", "copy add", ":id", options: "media sleeve place price from note", then: "/item/:id"),
    .init("item/:id/wish", "wish", ":id", options: "limit=up-to note", then: "/item/:id"),
    .init("item/:id/edit", "edit", ":id", writing: .changedFields, then: "/item/:id"),
    .init("item/:id/remove", "remove --yes", ":id", then: "/"),
    .init(
      "card/:id/edit", "card edit", ":id", options: "stars seen words=comment", writing: .changed, then: "/item/:item"),
    .init("card/:id/remove", "card remove --yes", ":id", then: "/item/:item"),
    .init("copy/:copy/lend", "lend", ":copy to :person", options: "due", then: "/item/:item", "/loans"),
    .init("copy/:copy/return", "return", ":copy", then: "/item/:item", "/loans"),
    .init("wish", "wish", ":what", options: "limit=up-to note", then: "/wishes"),
    .init("wish/:wish/remove", "wishes remove --yes", ":wish", then: "/wishes"),
    .init("add", "add", ":what|kind", options: "as title creator year genre", then: "/"),
    .init("undo", "undo", needs: "operation", then: "/"),
  ]
}

extension String {
  /// The text with a line feed at the end of each line, where a browser sends two characters. A blank is added to a
  /// lone `-`, which would mean standard input.
  fileprivate var lineFeeds: String {
    let lines = replacing("\r\n", with: "\n")
    return lines == "-" ? "- " : lines
  }
}
