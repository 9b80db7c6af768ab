extension Program where Globals: OptionGroup {
  /// The pages for man(1), without their section: `catalog`, and `catalog-add` for each command and group.
  public var manualPages: [String] {
    [name] + root.children.map { $0.description }.filter { !$0.isHidden }.map { "\(name)-\($0.name)" }
  }

  /// A manual page in the markup of `man`.
  /// - Parameters:
  ///   - page: one of ``manualPages``, or the name of a command; nil for the page of the whole program.
  ///   - date: the date in the footer: `2026-11-22`.
  ///   - translation: the language of the page; nil is English.
  public func manualPage(
    _ page: String? = nil, date: String = "", in translation: Translation? = nil
  ) throws(UsageError) -> String {
    try manual(page, date: date)(translation)
  }

  /// A manual page for any language.
  func manual(_ page: String?, date: String) throws(UsageError) -> @Sendable (_ translation: Translation?) -> String {
    let asked = page ?? name
    if asked == name { return { overviewPage(date: date, in: $0) } }
    let names = manualPages
    guard let index = names.firstIndex(where: { $0 == asked || $0 == "\(name)-\(asked)" }),
      let node = root.child(called: String(names[index].dropFirst(name.count + 1)))
    else {
      let commands = names.map { String($0.dropFirst(name.count + 1)) }
      throw UsageError("there is no page \(asked.quoted)" + Suggestion.phrase(for: asked, among: commands))
    }
    return { self.page(of: node, date: date, in: $0) }
  }

  /// The program: its options, its commands in a line each, its topics.
  private func overviewPage(date: String, in translation: Translation?) -> String {
    var page = titled(name, summary, date: date, in: translation)
    page.heading("SYNOPSIS")
    page.macro("B", ["\(name) [OPTION…] COMMAND …"])
    if !discussion.isEmpty {
      page.heading("DESCRIPTION")
      page.paragraphs(page.said(discussion))
    }
    page.heading("COMMANDS")
    for section in sections {
      page.macro("SS", [page.said(section.heading)])
      page.entries(
        section.commands.map { $0.description }.filter { !$0.isHidden }
          .map { ("\(name)-\($0.name)(1)", page.said($0.summary)) })
    }
    page.heading("OPTIONS")
    page.entries(globalInfos(atRoot: true).map { page.entry($0) })
    page.examples(examples)
    for topic in topics {
      page.macro("SH", [String(topic.name.uppercased().map { $0 == "-" ? " " : $0 })])
      page.paragraphs(topic.text.text(in: translation))
    }
    return page.text
  }

  /// A command, or all commands of a group.
  private func page(of node: CommandNode<Context>, date: String, in translation: Translation?) -> String {
    var page = titled("\(name)-\(node.description.name)", node.description.summary, date: date, in: translation)
    let path = [name, node.description.name]
    page.heading("SYNOPSIS")
    for (path, node) in commands(of: node, at: path) {
      page.macro("PP")
      page.macro("B", [(path + node.usage).joined(separator: " ")])
    }
    page.heading("DESCRIPTION")
    let discussion = page.said(node.description.discussion).replacing(Self.ownName, with: name)
    page.paragraphs(discussion.isEmpty ? page.said(node.description.summary) : discussion)
    if node.children.isEmpty {
      write(node, to: &page)
    } else {
      page.heading("COMMANDS")
      for (path, node) in commands(of: node, at: path) {
        page.macro("SS", [path.joined(separator: " ")])
        page.words(page.said(node.description.summary))
        page.paragraphs(page.said(node.description.discussion))
        write(node, to: &page)
      }
    }
    page.examples(node.description.examples)
    page.heading("SEE ALSO")
    page.words("\(name)(1), \(name)(5)")
    return page.text
  }

  /// The commands that run: the node itself, or all below it that are not hidden.
  private func commands(
    of node: CommandNode<Context>, at path: [String]
  ) -> [(path: [String], node: CommandNode<Context>)] {
    guard !node.children.isEmpty else { return [(path, node)] }
    return node.children.filter { !$0.description.isHidden }.flatMap {
      commands(of: $0, at: path + [$0.description.name])
    }
  }

  private func titled(
    _ title: String, _ summary: String, date: String, in translation: Translation?
  ) -> ManualPage {
    var page = ManualPage(in: translation)
    page.macro("TH", [title.uppercased(), "1", date, "\(name) \(version)", page.said("User Commands")])
    page.heading("NAME")
    let summary = page.said(summary)
    page.words("\(title) - \(summary.hasSuffix(".") ? String(summary.dropLast()) : summary)")
    return page
  }

  private func write(_ node: CommandNode<Context>, to page: inout ManualPage) {
    let arguments = node.arguments.filter { !$0.isHidden }
    let positions = arguments.filter { $0.kind == .positional }
    let groups = arguments.optionGroups.map { [ArgumentInfo]($0.1) }
    for entries in [positions] + groups where !entries.isEmpty { page.entries(entries.map { page.entry($0) }) }
  }
}

/// A page in troff's man macros.
struct ManualPage {
  private(set) var text = ""
  private let translation: Translation?

  /// An empty page in a language; nil is English.
  init(in translation: Translation? = nil) { self.translation = translation }

  /// The translation of an English text of the program.
  func said(_ words: String) -> String { Message.text(of: words, in: translation) }

  /// The heading of a section.
  mutating func heading(_ words: Message) { macro("SH", [words.text(in: translation)]) }

  /// An argument and its explanation, for ``entries(_:)``.
  func entry(_ argument: ArgumentInfo) -> (name: String, text: String) {
    let name =
      argument.kind == .positional
      ? argument.valueName : (argument.short.map { "-\($0), " } ?? "") + argument.usage
    return (name, argument.helpWithChoices(in: translation))
  }

  /// A line that begins with a dot; arguments are quoted.
  mutating func macro(_ name: String, _ arguments: [String] = []) {
    text += ([".\(name)"] + arguments.map { "\"\(ManualPage.escaped($0, inQuotes: true))\"" }).joined(separator: " ")
    text += "\n"
  }

  /// Words that fill lines.
  mutating func words(_ words: String) { text += ManualPage.escaped(words) + "\n" }

  /// Paragraphs, literal lines kept.
  mutating func paragraphs(_ body: String) {
    for paragraph in Paragraph.all(of: body) {
      macro("PP")
      switch paragraph {
      case .flowing(let words): self.words(words)
      case .literal(let lines):
        macro("nf")
        for line in lines { self.words(line) }
        macro("fi")
      }
    }
  }

  /// Names with an indented explanation each.
  mutating func entries(_ entries: [(name: String, text: String)]) {
    for (name, text) in entries {
      macro("TP")
      macro("B", [name])
      words(text)
    }
  }

  /// Writes example lines with their explanations.
  mutating func examples(_ examples: [Example]) {
    if !examples.isEmpty { heading("EXAMPLES") }
    for example in examples {
      macro("PP")
      macro("B", [example.line])
      macro("br")
      words(said(example.explanation))
    }
  }

  /// Text without meaning to troff, in ASCII.
  static func escaped(_ text: String, inQuotes: Bool = false) -> String {
    var escaped = ""
    if let first = text.first, first == "." || first == "'" { escaped = "\\&" }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "\"": escaped += inQuotes ? "\\(dq" : "\""
      case " "..."~": escaped.unicodeScalars.append(scalar)
      case "…": escaped += "..."
      default:
        if scalar.value < 0x80 { continue }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return escaped
  }
}
