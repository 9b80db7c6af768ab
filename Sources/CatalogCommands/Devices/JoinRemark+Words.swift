internal import CatalogStore
internal import CommandLineKit

extension JoinRemark {
  /// The longest that a value is in a line, in characters.
  private static let longestValue = 40

  /// The conflict and its resolution, in a line.
  /// - Parameter device: the name of the other device, if known.
  func words(device: String?, in context: Context) -> Message {
    let title = Message(verbatim: context.safe(title))
    let there: Message = device.map { "on \(context.safe($0))" } ?? "on another device"
    func shown(_ value: DocumentValue?) -> Message {
      guard let value else { return "nothing" }
      let text = value.shown
      return Message(
        verbatim: context.safe(text.count > Self.longestValue ? text.prefix(Self.longestValue - 1) + "…" : text))
    }
    switch (row, part) {
    case ("", "uid"): return "\(title) was added here and \(there): merged into one item"
    case ("", "") where here == nil: return "\(title) was removed here and changed \(there): it stays"
    case ("", ""): return "\(title) was changed here and removed \(there): it stays"
    case (_, "") where here == nil && kept == .theirs:
      return "\(thing) of \(title) was removed here and changed \(there): it stays"
    case (_, "") where self.there == nil && kept == .mine:
      return "\(thing) of \(title) was changed here and removed \(there): it stays"
    default:
      let kept: Message =
        switch self.kept {
        case .mine: "kept \(shown(here))"
        case .theirs: "kept \(shown(self.there))"
        case .both: "kept both"
        }
      return "\(partWord) of \(title): \(shown(here)) here, \(shown(self.there)) \(there): \(kept)"
    }
  }

  /// The table of the row.
  private var thing: Message { Message(verbatim: String(row.split(separator: " ").first ?? "")) }

  /// `year`, or `card comment`.
  private var partWord: Message {
    let table = row.split(separator: " ").first.map(String.init) ?? ""
    let isOwn = ["", "item", "movie", "book", "vinyl"].contains(table)
    return Message(verbatim: isOwn ? part : part.isEmpty ? table : "\(table) \(part)")
  }
}

extension DocumentValue {
  /// The value as words of a line.
  var shown: String {
    switch self {
    case .list(let values): values.map(\.shown).joined(separator: ", ")
    case .object(let row):
      row.members.filter { !["uid", "position", "created_at", "updated_at"].contains($0.key) }.map(\.value.shown)
        .joined(separator: " ")
    default: word
    }
  }
}
