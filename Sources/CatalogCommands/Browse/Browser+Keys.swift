internal import CatalogModel
internal import CommandLineKit
internal import Lookup

extension Browser {
  /// Handles a key: letters are typed in the field, and are commands in the list.
  mutating func press(_ key: Key, at now: Duration) -> [Effect] {
    message = nil
    if let effects = pressInHelp(key.command) { return effects }
    if sheet != nil { return pressOverSheet(key.command) }
    switch key {
    case .pasted:
      // Pasted text belongs into the field, even when the list has the focus.
      if focus == .list { leaveList() }
      return pressInField(key, at: now)
    case .tab: return turn(to: 1, at: now)
    case .backTab: return turn(to: -1, at: now)
    case .control("t"): return turnCategory(to: 1, at: now)
    case .control("s"): return turnSeasons(at: now)
    default: return focus == .field ? pressInField(key, at: now) : pressInList(key.command, at: now)
    }
  }

  private mutating func pressInField(_ key: Key, at now: Duration) -> [Effect] {
    let before = query
    switch key {
    case .escape where query?.isSeasonal == true: return turnSeasons(at: now)
    case .escape where field.isEmpty: return [.quit]
    case .escape: field = TextField()
    case .enter:
      enterList()
      due = now
      retry()
      return ask(at: now)
    case .down:
      enterList()
      return ask(at: now)
    case .pageDown:
      enterList()
      move(by: listHeight - 1)
      return ask(at: now)
    default: _ = field.press(key)
    }
    return turn(from: before, pause: Self.pauseAfterTyping, at: now)
  }

  private mutating func pressInList(_ key: Key, at now: Duration) -> [Effect] {
    switch key {
    case .up where isFirst, .character("k") where isFirst, .character("/"), .escape, .backspace: leaveList()
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): moveDown(by: 1, at: now)
    case .pageUp: move(by: 1 - listHeight)
    case .pageDown, .character(" "): moveDown(by: listHeight - 1, at: now)
    case .home, .character("g"): move(by: -rows.count)
    case .end, .character("G"): moveDown(by: rows.count, at: now)
    case .left: return turn(to: -1, at: now)
    case .right: return turn(to: 1, at: now)
    case .character("t"): return turnCategory(to: 1, at: now)
    case .character("T"): return turnCategory(to: -1, at: now)
    case .character("s"): return turnSeasons(at: now)
    case .enter: return selected == nil ? again(at: now) : run(.show)
    default: return pressAnywhere(key)
    }
    return ask(at: now)
  }

  private mutating func pressOverSheet(_ key: Key) -> [Effect] {
    switch key {
    case .up, .character("k"): scrollSheet(by: -1)
    case .down, .character("j"), .enter: scrollSheet(by: 1)
    case .pageUp: scrollSheet(by: 1 - sheetHeight)
    case .pageDown, .character(" "): scrollSheet(by: sheetHeight - 1)
    case .home, .character("g"): scrollSheet(by: -.max / 2)
    case .end, .character("G"): scrollSheet(by: .max / 2)
    case .escape, .character("q"), .left, .backspace:
      sheet = nil
      // The viewed item is a recent one now.
      arrange()
      return actions.contains { $0.verb == .show } ? [.stopAction] : []
    default: return pressAnywhere(key)
    }
    return []
  }

  private mutating func pressAnywhere(_ key: Key) -> [Effect] {
    switch key {
    case .character("a"): return run(.add)
    case .character("f"): return run(.favorite)
    case .character("c"): return run(.card)
    case .character("l"): return run(.log)
    case .character("w"): return run(.wish)
    case .character("p"): return run(.preview)
    case .character("o"): return run(.open)
    case .character("?"): helpScroll = 0
    case .character("q"): return [.quit]
    default: break
    }
    return []
  }

  private mutating func run(_ verb: Action.Verb) -> [Effect] {
    guard let row = selected else { return [] }
    let action = Action(verb: verb, row: row)
    if verb == .show { sheet = Sheet(row: row, lines: [], isLoading: true) }
    actions.append(action)
    return actions.count == 1 ? [.run(action)] : []
  }

  // MARK: Between field and list

  private var isFirst: Bool { selected == nil || selected?.id == rows.first?.id }

  private mutating func enterList() {
    guard query != nil || !rows.isEmpty else { return }
    (focus, chosen) = (.list, nil)
    arrange()
  }

  private mutating func leaveList() {
    (focus, chosen, scroll) = (.field, nil, 0)
    arrange()
  }

  /// Moves down. At the last row, a next page that failed is requested again after a pause.
  private mutating func moveDown(by count: Int, at now: Duration) {
    move(by: count)
    if current?.moreFailure != nil, isLast {
      due = now + Self.pauseAfterTyping
      retry()
    }
  }

  private var isLast: Bool { selected?.id == rows.last?.id }

  /// Enter in an empty list: a failed search is sent again.
  private mutating func again(at now: Duration) -> [Effect] {
    due = now
    retry()
    return ask(at: now)
  }

  // MARK: Kinds

  private mutating func turn(to step: Int, at now: Duration) -> [Effect] {
    guard let place = tabs.firstIndex(of: kind), tabs.count > 1 else { return [] }
    let before = query
    kind = tabs[(place + step + tabs.count) % tabs.count]
    return turn(from: before, pause: Self.pauseAfterTab, at: now)
  }

  // MARK: Categories and seasons

  private mutating func turnCategory(to step: Int, at now: Duration) -> [Effect] {
    let all = choices.categories[kind] ?? []
    guard let place = all.firstIndex(of: category) else {
      say(("There are no categories of \(kind.plurals) here." as Message).text(in: translation))
      return []
    }
    let before = query
    chosenCategories[kind] = all[(place + step + all.count) % all.count]
    return turn(from: before, pause: Self.pauseAfterTab, at: now)
  }

  /// Switches between the four seasons and the recents.
  private mutating func turnSeasons(at now: Duration) -> [Effect] {
    guard choices.seasonal.contains(kind) else {
      say(("The seasons cannot be searched for among \(kind.plurals) here." as Message).text(in: translation))
      return []
    }
    let before = query
    showsSeasons = before?.isSeasonal != true
    field = TextField()
    return turn(from: before, pause: Self.pauseAfterTab, at: now)
  }
}
