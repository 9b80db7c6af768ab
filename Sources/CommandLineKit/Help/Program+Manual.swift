extension Program where Globals: OptionGroup {
  /// The manual page in the language of `man`: every command, option and topic.
  public func manualPage() -> String {
    var page = ManualPage()
    page.macro("TH", [name.uppercased(), "1", "", "\(name) \(version)"])
    page.macro("SH", ["NAME"])
    page.words("\(name) - \(summary)")
    page.macro("SH", ["SYNOPSIS"])
    page.macro("B", ["\(name) [OPTION…] COMMAND …"])
    if !discussion.isEmpty {
      page.macro("SH", ["DESCRIPTION"])
      page.paragraphs(discussion)
    }
    page.macro("SH", ["OPTIONS"])
    page.entries(globalInfos(atRoot: true).map(\.manualEntry))
    page.macro("SH", ["COMMANDS"])
    for section in sections {
      page.macro("SS", [section.heading])
      for node in section.commands where !node.description.isHidden { write(node, at: [], to: &page) }
    }
    page.examples(examples, heading: "EXAMPLES")
    for topic in topics {
      page.macro("SH", [String(topic.name.uppercased().map { $0 == "-" ? " " : $0 })])
      page.paragraphs(topic.text)
    }
    return page.text
  }

  private func write(_ node: CommandNode<Context>, at path: [String], to page: inout ManualPage) {
    let path = path + [node.description.name]
    if node.children.isEmpty {
      page.macro("PP")
      page.macro("B", [([name] + path + node.usage).joined(separator: " ")])
      page.macro("RS", ["4"])
      page.words(node.description.summary)
      page.paragraphs(node.description.discussion)
      let arguments = node.arguments.filter { !$0.isHidden }
      page.entries(arguments.filter { $0.kind == .positional }.map(\.manualEntry))
      for (_, options) in arguments.optionGroups { page.entries(options.map(\.manualEntry)) }
      page.examples(node.description.examples)
      page.macro("RE")
    }
    for child in node.children where !child.description.isHidden { write(child, at: path, to: &page) }
  }
}

extension ArgumentInfo {
  fileprivate var manualEntry: (name: String, text: String) {
    guard kind != .positional else { return helpEntry }
    return ((short.map { "-\($0), " } ?? "") + usage, helpWithChoices)
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

  /// Example lines and what they do.
  mutating func examples(_ examples: [Example], heading: String? = nil) {
    if let heading, !examples.isEmpty { macro("SH", [heading]) }
    for example in examples {
      macro("PP")
      words("Example: ")
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
