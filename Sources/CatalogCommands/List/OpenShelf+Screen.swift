internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// Draws an ``OpenShelf``.
extension OpenShelf {
  /// A cover to draw, with its size in columns and lines.
  struct Picture: Hashable {
    var item: ItemID
    var width: Int
    var height: Int
  }

  /// The layout of the covers. Each place is the same for a page with fewer than nine.
  private struct Layout {
    var across: Int
    /// The size of a frame; nil when there is only space for one line for each cover.
    var frame: Screen.Size?
    /// The size of a drawing, and whether it is above the text or beside it.
    var art: (size: Screen.Size, isAbove: Bool)?
    /// The number of lines of text in a frame.
    var words = 4

    init(in size: Screen.Size, lines: Int, hasCovers: Bool) {
      across = OpenShelf.across(size.columns)
      let rows = (ShelfPage.size + across - 1) / across
      let (width, room) = ((size.columns - (across - 1)) / across, lines / rows - 2)
      guard room >= 1, width >= 12 else { return }
      words = min(words, room)
      frame = Screen.Size(columns: width, lines: words + 2)
      guard hasCovers else { return }
      // A cell is about twice as high as wide.
      let above = min(room - words, (width - 4) / 2, 14)
      if above >= 4 {
        art = (Screen.Size(columns: above * 2, lines: above), true)
        frame?.lines = above + words + 2
      } else {
        let beside = min(room, (width - 4 - 14) / 2, 14)
        guard beside >= 3 else { return }
        art = (Screen.Size(columns: beside * 2, lines: beside), false)
        frame?.lines = max(beside, words) + 2
      }
    }

    /// The upper left corner of the frame at this place.
    func corner(of place: Int, _ frame: Screen.Size) -> Screen.Place {
      Screen.Place(column: place % across * (frame.columns + 1), line: place / across * frame.lines)
    }

    /// The size of an item's drawing. Beside the text there is one only if the item has a cover.
    func art(of item: Item) -> (size: Screen.Size, isAbove: Bool)? {
      art.flatMap { $0.isAbove || item.hasCover ? $0 : nil }
    }
  }

  private var layout: Layout {
    Layout(in: size, lines: height, hasCovers: drawsCovers && page.items.contains(where: \.hasCover))
  }

  /// The first cover of the page that fits and has not been drawn yet.
  var missing: Picture? {
    guard !isTurned, let art = layout.art?.size else { return nil }
    return page.items.lazy.filter(\.hasCover)
      .map { Picture(item: $0.id, width: art.columns, height: art.lines) }.first { drawings[$0] == nil }
  }

  /// The lines of the screen, from the top.
  var lines: [String] {
    guard size.lines > 0 else { return [] }
    let above = (isTurned ? Array(visibleBack) : front).prefix(height).map { $0.fitted(to: size.columns).text }
    return above + Array(repeating: "", count: height - above.count) + [footer]
  }

  /// The pixels that the terminal draws inside the frames.
  var pixels: [Screen.Pixels] {
    let layout = layout
    guard !isTurned, let frame = layout.frame, let art = layout.art else { return [] }
    return page.items.enumerated().compactMap { place, item in
      let picture = Picture(item: item.id, width: art.size.columns, height: art.size.lines)
      guard case .pixels(let bytes) = drawings[picture] else { return nil }
      var corner = layout.corner(of: place, frame)
      corner.line += 1
      corner.column += 2 + (art.isAbove ? (frame.columns - 4 - art.size.columns) / 2 : 0)
      return Screen.Pixels(bytes, at: corner, height: art.size.lines)
    }
  }

  // MARK: The front

  private var front: [String] {
    let layout = layout
    guard !page.items.isEmpty else {
      return ["", styled(("The shelf is empty now." as Message).text(on: terminal), .dim)]
    }
    guard let frame = layout.frame else { return list }
    let frames = page.items.enumerated().map { place, item in
      self.frame(place, item, layout, frame).drawn(width: frame.columns, on: terminal)
    }
    return stride(from: 0, to: frames.count, by: layout.across).flatMap { start in
      let row = frames[start..<min(start + layout.across, frames.count)]
      return (0..<frame.lines).map { line in row.map { line < $0.count ? $0[line] : "" }.joined(separator: " ") }
    }
  }

  private func frame(_ place: Int, _ item: Item, _ layout: Layout, _ size: Screen.Size) -> Frame {
    let art = layout.art(of: item)
    let taken = art.map { $0.isAbove ? 0 : $0.size.columns + 2 } ?? 0
    var frame = Frame(coverOf: item, width: size.columns - 4 - taken, height: layout.words)
    frame.corner = "[\(place + 1)]"
    frame.isChosen = place == chosen
    if let art {
      frame.art = Frame.Art(lines: [], width: art.size.columns, height: art.size.lines, isAbove: art.isAbove)
      let picture = Picture(item: item.id, width: art.size.columns, height: art.size.lines)
      if case .lines(let lines) = drawings[picture] { frame.art?.lines = lines }
    }
    // All frames have the same height.
    frame.lines += Array(repeating: Frame.Line(), count: max(0, size.lines - 2 - frame.height))
    return frame
  }

  /// One line for each cover, for a window that is too small for frames; the chosen one is visible.
  private var list: [String] {
    let start = max(0, min((chosen ?? 0) - height / 2, page.items.count - height))
    return page.items.enumerated().dropFirst(start).map { place, item in
      let sign = place == chosen ? (terminal.usesUnicode ? "▸" : ">") : " "
      let line = "\(sign)\(place + 1) \(item.record.headline.sanitized)".truncated(to: size.columns)
      return place == chosen ? styled(line, Style(.cyan, isBold: true)) : line
    }
  }

  // MARK: The last line

  private var footer: String {
    if let message { return styled(message.sanitized.truncated(to: size.columns), .bold) }
    let keys: Message =
      if isTurned {
        mostHidden > 0
          ? "↑/↓ scroll · ←/→ others · Enter turns back · r random · q quits"
          : "←/→ others · Enter turns back · r random · q quits"
      } else if chosen != nil {
        "arrows move · Enter turns over · Esc back · r random · q quits"
      } else {
        "←/→ pages · 1-9 or ↓ chooses · Enter turns over · r random · q quits"
      }
    let line: Message = "page \(page.number)/\(page.count) · \(keys)"
    return styled(line.text(on: terminal).truncated(to: size.columns), .dim)
  }

  private func styled(_ text: String, _ style: Style) -> String { style(text, on: terminal) }
}
