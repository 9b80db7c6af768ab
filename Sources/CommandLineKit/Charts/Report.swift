/// A report for a person: a title and blocks, which a terminal and an ``HTMLPage`` show, each in its way.
///
///     var report = Report("Genres")
///     report.add(.heading("All genres"))
///     report.add(.table(table, caption: "Every genre that has items", notes: [Footnote("Shares add up to more.")]))
///     try report.write(to: output, terminal: terminal)
///     try output.append(HTMLPage(report, in: translation).text)
public struct Report: Sendable {
  public var title: Message
  /// The subject of the report.
  public var subtitle: Message?
  /// The origin of the report, at the end of a page. A terminal does not show it.
  public var footer: Message?
  public private(set) var blocks: [Block] = []

  public init(_ title: Message, subtitle: Message? = nil, footer: Message? = nil) {
    (self.title, self.subtitle, self.footer) = (title, subtitle, footer)
  }

  /// A part of a report.
  public enum Block: Sendable {
    /// Begins a section.
    case heading(Message)
    case paragraph(Message)
    /// An introduction, larger than a paragraph.
    case lead(Message)
    /// A less important remark.
    case note(Footnote)
    case list([Footnote])
    /// A few figures in large type, each with its name.
    case facts([Fact])
    /// Names, each with a description.
    case entries([Fact])
    /// A chart with its title and notes, and more notes below it.
    case figure(any Chart, notes: [Footnote] = [])
    /// A table with notes below it. A terminal shows no caption: the heading above says the same.
    ///
    /// In a page, a click on a heading sorts by the values of the cells, numbers numerically. On a phone, the least
    /// important columns that do not fit are left out, as on a terminal.
    case table(Table, caption: Message, notes: [Footnote] = [])

    /// A remark without a command.
    public static func note(_ words: Message) -> Block { .note(Footnote(words)) }
  }

  /// A name with its figure or description. The note and its command continue the text.
  public struct Fact: Sendable {
    public var name: Message
    public var text: Message
    public var note: Message?
    public var command: String?
    /// The address of a page elsewhere that the text is about.
    public var address: String?

    public init(_ name: Message, _ text: Message, note: Message? = nil, command: String? = nil) {
      (self.name, self.text, self.note, self.command) = (name, text, note, command)
    }
  }

  public mutating func add(_ block: Block) { blocks.append(block) }
}
