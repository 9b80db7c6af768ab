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
  private var thing: Message { Message(verbatim: String(row.split(separator: " ").first ?? "")) }

  /// `year`, or `card comment`.
  private var partWord: Message {
    let table = row.split(separator: " ").first.map(String.init) ?? ""
    let isOwn = ["", "item", "movie", "book", "vinyl"].contains(table)
    return Message(verbatim: isOwn ? part : part.isEmpty ? table : "\(table) \(part)")
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
