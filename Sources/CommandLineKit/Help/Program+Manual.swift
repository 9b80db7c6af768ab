extension Program where Globals: OptionGroup {
  /// The pages for man(1), without their section: `catalog`, and `catalog-add` for each command and group.
  public var manualPages: [String] {
    [name] + root.children.map { $0.description }.filter { !$0.isHidden }.map { "\(name)-\($0.name)" }
  }

  /// A manual page in the language of `man`.
  /// - Parameters:
  ///   - page: one of ``manualPages``, or the name of a command; nil for the page of the whole program.
  ///   - date: the date in the footer: `2026-11-22`.
  public func manualPage(_ page: String? = nil, date: String = "") throws(UsageError) -> String {
    let asked = page ?? name
    if asked == name { return overviewPage(date: date) }
    let names = manualPages
    guard let index = names.firstIndex(where: { $0 == asked || $0 == "\(name)-\(asked)" }),
      let node = root.child(called: String(names[index].dropFirst(name.count + 1)))
    else {
      let commands = names.map { String($0.dropFirst(name.count + 1)) }
      throw UsageError("there is no page \(asked.quoted)" + Suggestion.phrase(for: asked, among: commands))
    }
    return self.page(of: node, date: date)
  }

  /// The program: its options, its commands in a line each, its topics.
  private func overviewPage(date: String) -> String {
    var page = titled(name, summary, date: date)
    page.macro("SH", ["SYNOPSIS"])
    page.macro("B", ["\(name) [OPTION…] COMMAND …"])
    if !discussion.isEmpty {
      page.macro("SH", ["DESCRIPTION"])
      page.paragraphs(discussion)
    }
    page.macro("SH", ["COMMANDS"])
    for section in sections {
      page.macro("SS", [section.heading])
      page.entries(
        section.commands.map { $0.description }.filter { !$0.isHidden }.map { ("\(name)-\($0.name)(1)", $0.summary) })
    }
    page.macro("SH", ["OPTIONS"])
    page.entries(globalInfos(atRoot: true).map(\.manualEntry))
    page.examples(examples, heading: "EXAMPLES")
    for topic in topics {
      page.macro("SH", [String(topic.name.uppercased().map { $0 == "-" ? " " : $0 })])
      page.paragraphs(topic.text)
    }
    return page.text
  }

  /// A command, or all commands of a group.
  private func page(of node: CommandNode<Context>, date: String) -> String {
    var page = titled("\(name)-\(node.description.name)", node.description.summary, date: date)
    let path = [name, node.description.name]
    page.macro("SH", ["SYNOPSIS"])
    for (path, node) in commands(of: node, at: path) {
      page.macro("PP")
      page.macro("B", [(path + node.usage).joined(separator: " ")])
    }
    page.macro("SH", ["DESCRIPTION"])
    let discussion = node.description.discussion.replacing(Self.ownName, with: name)
    page.paragraphs(discussion.isEmpty ? node.description.summary : discussion)
    if node.children.isEmpty {
      write(node, to: &page)
    } else {
      page.macro("SH", ["COMMANDS"])
      for (path, node) in commands(of: node, at: path) {
        page.macro("SS", [path.joined(separator: " ")])
        page.words(node.description.summary)
        page.paragraphs(node.description.discussion)
        write(node, to: &page)
      }
    }
    page.examples(node.description.examples, heading: "EXAMPLES")
    page.macro("SH", ["SEE ALSO"])
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

  private func titled(_ title: String, _ summary: String, date: String) -> ManualPage {
    var page = ManualPage()
    page.macro("TH", [title.uppercased(), "1", date, "\(name) \(version)", "User Commands"])
    page.macro("SH", ["NAME"])
    page.words("\(title) - \(summary.hasSuffix(".") ? String(summary.dropLast()) : summary)")
    return page
  }

  private func write(_ node: CommandNode<Context>, to page: inout ManualPage) {
    let arguments = node.arguments.filter { !$0.isHidden }
    let positions = arguments.filter { $0.kind == .positional }
    let groups = arguments.optionGroups.map { [ArgumentInfo]($0.1) }
    for entries in [positions] + groups where !entries.isEmpty { page.entries(entries.map(\.manualEntry)) }
  }
}

extension ArgumentInfo {
  fileprivate var manualEntry: (name: String, text: String) {
    let name = kind == .positional ? valueName : (short.map { "-\($0), " } ?? "") + usage
    return (name, helpWithChoices(in: nil))
  }
}

/// A page in the language of troff's man macros.
struct ManualPage {
  private(set) var text = ""

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
  mutating func examples(_ examples: [Example], heading: String? = nil) {
    if let heading, !examples.isEmpty { macro("SH", [heading]) }
    for example in examples {
      macro("PP")
      macro("B", [example.line])
      macro("br")
      words(example.explanation)
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
