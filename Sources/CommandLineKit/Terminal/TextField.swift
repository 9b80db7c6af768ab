/// A line of text while a person types it, with a cursor between two of its characters.
public struct TextField: Hashable, Sendable {
  private var before: [Character] = []
  private var after: [Character] = []

  /// The most characters of a field, and bytes of a character. What is typed or pasted beyond is not taken.
  static let longest = 500

  /// A field with this text, the cursor at its end.
  public init(_ text: String = "") { before = Array(text) }

  /// The whole text.
  public var text: String { String(before + after) }
  public var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// Handles a key: characters, the keys that delete and move, and Ctrl with a, e, h, k, u and w.
  /// - Returns: whether the key was handled.
  public mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character), .pasted(let character):
      guard before.count + after.count < Self.longest, before.last?.utf8.count ?? 0 < Self.longest else { break }
      // A combining character joins the character before it.
      before += Array((before.popLast().map { String($0) } ?? "") + String(character))
    case .backspace, .control("h"): _ = before.popLast()
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .left: if let character = before.popLast() { after.insert(character, at: 0) }
    case .right: if !after.isEmpty { before.append(after.removeFirst()) }
    case .home, .control("a"): (before, after) = ([], before + after)
    case .end, .control("e"): (before, after) = (before + after, [])
    case .control("u"): before = []
    case .control("k"): after = []
    case .control("w"):
      while before.last == " " { before.removeLast() }
      while let last = before.last, last != " " { before.removeLast() }
    default: return false
    }
    return true
  }

  /// The part of the text around the cursor that fits into `width` cells, safe for a terminal, and the cursor's column.
  public func visible(in width: Int) -> (text: String, cursor: Int) {
    var shown: [String] = []
    var used = 0
    // The cursor may be after the last character, and takes a cell there.
    let room = max(1, width - 1)
    for character in before.reversed() {
      let text = String(character).sanitized
      guard used + text.cellWidth <= room else { break }
      used += text.cellWidth
      shown.append(text)
    }
    var line = shown.reversed().joined()
    let cursor = used
    for character in after {
      let text = String(character).sanitized
      guard used + text.cellWidth <= width else { break }
      used += text.cellWidth
      line += text
    }
    return (line, cursor)
  }
}
