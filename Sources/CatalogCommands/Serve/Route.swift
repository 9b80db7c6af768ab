internal import CatalogModel
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
  /// The page with the forms of this address, where it is made at once.
  let page: ((Site) -> (Site.Visit) throws -> HTMLPage)?

  init(
    _ address: String, _ answer: @escaping (Site) -> (Site.Visit) throws -> WebAnswer,
    forms page: ((Site) -> (Site.Visit) throws -> HTMLPage)? = nil
  ) {
    (pattern, self.answer, self.page) = (AddressPattern(address), answer, page)
  }

  init(_ address: String, _ page: @escaping (Site) -> (Site.Visit) throws -> HTMLPage) {
    self.init(
      address,
      { site in
        { visit in
          .now(site.response(try page(site)(visit), at: "/" + visit.request.path.joined(separator: "/")))
        }
      }, forms: page)
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
  /// The fields that it cannot do without.
  let needed: [String]
  /// The page with the form, if it is not the one afterwards.
  let source: String?
  /// The page to show afterwards: the first whose values are all there.
  let places: [String]

  init(
    _ address: String, _ command: String, _ operands: String = "", options: String = "", writing part: Part = .filled,
    needs needed: String = "", at source: String? = nil, then places: String...
  ) {
    pattern = AddressPattern(address)
    (self.command, self.options) = (Self.words(command), Self.words(options))
    (self.operands, self.part) = (Self.words(operands), part)
    (self.needed, self.source, self.places) = (Self.words(needed), source, places)
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// The names of the options of the command, without their fields.
  var optionNames: [String] { options.map { String($0.split(separator: "=").last ?? "").replacing("*", with: "") } }

  /// The form of a request, and the values in its address.
  struct Sent {
    var form: WebForm
    var values: [String: String]

    /// The value of a part of the address, or of a field; nil if it is missing or empty.
    /// - Parameter names: `what|kind`: the first that has a value.
    subscript(names: Substring) -> String? {
      names.split(separator: "|").lazy.map(String.init).compactMap { values[$0] ?? form[$0]?.lineFeeds }.first
    }

    /// All values of a field, or one that is empty.
    func all(_ names: Substring) -> [String] {
      let all = form.fields.filter { $0.name == names.prefix { $0 != "|" } && !$0.value.isEmpty }.map(\.value.lineFeeds)
      return all.count > 1 ? all : [self[names] ?? ""]
    }

    /// The values of a field that are written.
    /// - Parameter name: `genre*`: a field whose values are separated by semicolons.
    func written(_ name: String, _ part: Part) -> [String] {
      if name.hasSuffix("*") {
        return (self[name.dropLast()] ?? "").split(separator: ";").map { String($0).trimmingBlanks }.filter {
          !$0.isEmpty
        }
      }
      guard part != .filled else { return self[name[...]].map { [$0] } ?? [] }
      guard let now = form.fields.first(where: { $0.name == name })?.value.lineFeeds else { return [] }
      return now == (form["was-\(name)"]?.lineFeeds ?? "") ? [] : [now]
    }
  }

  /// A form as a command, and the pages around it.
  struct Sending {
    /// The words of the command; none when nothing is to be written.
    var words: [String]
    /// The page to show afterwards.
    var place: String
    /// The page with the form.
    var source: String
    /// The needed fields that are empty.
    var missing: [String]
    let route: FormRoute
  }

  /// - Returns: nil for a form that is none of the site.
  func sending(_ sent: Sent) -> Sending? {
    if let operation = sent["operation"], !AddressPattern.isNumber(operation) { return nil }
    guard let place = places.lazy.compactMap({ Self.address($0, sent) }).first else { return nil }
    let source = source.flatMap { Self.address($0, sent) } ?? place
    let missing = needed.filter { sent[$0[...]] == nil }
    var sending = Sending(words: [], place: place, source: source, missing: missing, route: self)
    var operands = operands.flatMap { $0.hasPrefix(":") ? sent.all($0.dropFirst()) : [$0] }
    var written: [String] = []
    if part == .changedFields {
      written = sent.form.fields.filter { field in sent.form.fields.contains { $0.name == "was-\(field.name)" } }
        .flatMap { field in sent.written(field.name, part).map { "\(field.name)=\($0)" } }
      operands += written
    } else {
      for option in options {
        let names = option.split(separator: "=")
        guard let field = names.first, let name = names.last else { continue }
        for value in sent.written(String(field), part) {
          written.append("--\(name.prefix { $0 != "*" })=\(value)")
        }
      }
    }
    guard part == .filled || !written.isEmpty else { return sending }
    let end = operands.isEmpty ? [] : ["--"] + operands
    sending.words = command + (part == .changedFields ? [] : written) + end
    return sending
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

  static func sending(_ path: [String], _ form: WebForm) -> Sending? {
    for route in all {
      guard let values = route.pattern.values(in: path) else { continue }
      if let sending = route.sending(Sent(form: form, values: values)) { return sending }
    }
    return nil
  }

  /// All forms that run a command.
  static let all: [FormRoute] = [
    .init("item/:id/card", "card add", ":id", options: "stars seen words=comment", then: "/item/:id"),
    .init("item/:id/rate", "rate", ":id :stars", then: "/item/:id"),
    .init("item/:id/log", "log", ":id", options: "on stars words=comment", then: "/item/:id"),
    .init("item/:id/favorite", "favorite", ":id", then: "/item/:id"),
    .init("item/:id/unfavorite", "unfavorite", ":id", then: "/item/:id"),
    .init("item/:id/copy", "copy add", ":id", options: copy, then: "/item/:id"),
    .init("item/:id/wish", "wish", ":id", options: "limit=up-to note", then: "/item/:id"),
    .init("item/:id/edit", "edit", ":id", writing: .changedFields, at: "/item/:id/edit", then: "/item/:id"),
    .init("item/:id/cover", "cover set", ":id -", then: "/item/:id"),
    .init("item/:id/remove", "remove --yes", ":id", then: "/"),
    .init(
      "card/:id/edit", "card edit", ":id", options: "stars seen words=comment", writing: .changed, then: "/item/:item"),
    .init("card/:id/remove", "card remove --yes", ":id", then: "/item/:item"),
    .init(
      "entry/:id/edit", "diary edit", ":id", options: "on started stars note", writing: .changed, then: "/item/:item"),
    .init("entry/:id/remove", "diary remove --yes", ":id", then: "/item/:item"),
    .init("copy/:copy/edit", "copy edit", ":copy", options: copy, writing: .changed, then: "/item/:item"),
    .init("copy/:copy/remove", "copy remove --yes", ":copy", then: "/item/:item"),
    .init(
      "copy/:copy/lend", "lend", ":copy to :person", options: "due", needs: "person", then: "/item/:item", "/loans"),
    .init("copy/:copy/return", "return", ":copy", then: "/item/:item", "/loans"),
    .init("wish", "wish --words", ":what", options: "limit=up-to note", needs: "what", then: "/wishes"),
    .init("wish/:wish/edit", "wish", ":wish", options: "limit=up-to note", writing: .changed, then: "/wishes"),
    .init("wish/:wish/remove", "wishes remove --yes", ":wish", then: "/wishes"),
    .init("pile/remove", "pile remove", ":name :item", needs: "name item", then: "/more"),
    .init(
      "add", "add", ":what|kind", options: "as title creator* year genre*", needs: "what|title", at: "/find", then: "/"),
    .init("undo", "undo", needs: "operation", then: "/"),
    .init("history/undo", "undo", needs: "operation", then: "/history"),
  ]

  private static let copy = "media sleeve format place price on from note"
}

extension String {
  /// The text with a line feed at the end of each line, where a browser sends two characters. A blank is added to a
  /// lone `-`, which would mean standard input.
  fileprivate var lineFeeds: String {
    let lines = replacing("\r\n", with: "\n")
    return lines == "-" ? "- " : lines
  }
}
