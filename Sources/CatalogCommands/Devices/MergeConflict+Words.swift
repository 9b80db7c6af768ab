internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension MergeConflict {
  /// The longest that a value is in a line, in characters.
  private static let longestValue = 40

  /// The conflict and its resolution, in a line.
  /// - Parameter device: the name of the other device, if known.
  func words(device: String?, in context: Context) -> Message {
    let title = Message(verbatim: context.safe(title))
    let otherDevice: Message = device.map { "on \(context.safe($0))" } ?? "on another device"
    func shown(_ value: JSON?) -> Message {
      guard let value else { return "nothing" }
      let text = value.shown
      return Message(
        verbatim: context.safe(text.count > Self.longestValue ? text.prefix(Self.longestValue - 1) + "…" : text))
    }
    switch (row, part) {
    case ("", "uid"): return "\(title) was added here and \(otherDevice): merged into one item"
    case ("", "") where ours == nil: return "\(title) was removed here and changed \(otherDevice): it stays"
    case ("", ""): return "\(title) was changed here and removed \(otherDevice): it stays"
    case (_, "") where ours == nil && resolution == .theirs:
      return "\(thing) of \(title) was removed here and changed \(otherDevice): it stays"
    case (_, "") where theirs == nil && resolution == .ours:
      return "\(thing) of \(title) was changed here and removed \(otherDevice): it stays"
    default:
      let resolution: Message =
        switch self.resolution {
        case .ours: "kept \(shown(ours))"
        case .theirs: "kept \(shown(theirs))"
        case .both: "kept both"
        }
      return "\(partWord) of \(title): \(shown(ours)) here, \(shown(theirs)) \(otherDevice): \(resolution)"
    }
  }

  /// The table of the row.
  private var table: String { row.split(separator: " ").first.map(String.init) ?? "" }
  private var thing: Message { Message(table: table) }

  /// `item year`, `card comment`, as programs read it.
  var partName: String { [table, part].filter { !$0.isEmpty }.joined(separator: " ") }

  /// `year`, or `card comment`.
  var partWord: Message { Message(part: partName) }
}

extension MergeConflict.Resolution {
  /// The side that is kept.
  var words: Message {
    switch self {
    case .ours: "mine"
    case .theirs: "theirs"
    case .both: "both"
    }
  }
}

extension JSON {
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
