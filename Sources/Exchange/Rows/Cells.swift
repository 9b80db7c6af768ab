internal import CatalogModel
internal import Lookup
internal import SQLite

/// A record of any file: names and texts, in order. A name may occur several times.
struct Cells: Sendable {
  /// The line where the record begins, or its number.
  var line: Int
  var list: [(name: String, value: String)] = []

  /// The keys of the names, if many records share them.
  var keys: [String] = []
  /// The remarks on guesses made in reading it.
  var remarks: [Entry.Remark] = []

  /// The text of the first non-empty cell with this name, compared by ``key(_:)``; nil without one.
  func first(_ name: String) -> String? {
    let key = Self.key(name)
    return list.indices.first { isCell($0, of: key) }.map { list[$0].value }
  }

  /// The texts of all non-empty cells with this name.
  func all(_ name: String) -> [String] {
    let key = Self.key(name)
    return list.indices.filter { isCell($0, of: key) }.map { list[$0].value }
  }

  private func isCell(_ index: Int, of key: String) -> Bool {
    !list[index].value.isEmpty && (index < keys.count ? keys[index] : Self.key(list[index].name)) == key
  }

  /// The name of the cell with the record's archive member.
  static let member = "(file)"

  /// Returns the record with the name of its archive member.
  func of(_ member: String) -> Cells {
    var cells = self
    cells.list.append((Self.member, member))
    return cells
  }

  /// Returns the record with a cell for each value of the lists in a table, which listings separate by `; `. JSON has a
  /// cell for each already.
  /// - Parameter isList: whether the column with a key holds lists.
  func split(_ isList: (String) -> Bool) -> Cells {
    guard !keys.isEmpty, list.indices.contains(where: { list[$0].value.contains("; ") && $0 < keys.count }) else {
      return self
    }
    var cells = self
    (cells.list, cells.keys) = ([], [])
    for (place, cell) in list.enumerated() {
      let values = place < keys.count && isList(keys[place]) ? cell.value.split(separator: "; ") : [cell.value[...]]
      cells.list += values.map { (cell.name, String($0).trimmed) }
    }
    return cells
  }

  /// The key of a name, equal for other spellings of it: `Star Rating`, `star_rating`, `starRating`.
  static func key(_ name: String) -> String {
    String(decoding: SearchKeys.letters(ofTitle: name), as: UTF8.self)
  }
}

extension Cells {
  /// - Parameter keys: the keys of the header.
  init(_ row: DelimitedReader.Row, header: [String], keys: [String]) {
    (line, self.keys, remarks) = (row.line, keys, row.remarks)
    list.reserveCapacity(header.count)
    for (name, value) in zip(header, row.cells) { list.append((name, value.trimmed)) }
    // Cells beyond the header have no name.
    for (index, value) in zip(1..., row.cells).dropFirst(header.count) where !value.trimmed.isEmpty {
      list.append(("column \(index)", value.trimmed))
    }
  }

  /// Creates cells from the members of an object, by path: `movie.ids.imdb`. Elements of a list have the name of the
  /// list.
  init(_ element: JSONElements.Element) {
    line = element.number
    if element.isMended { remarks = [.strayBytes] }
    if let name = element.name, let members = element.value.object, members["key"] == nil, !name.isEmpty {
      list.append(("(member)", name))
    }
    add(element.value, "")
  }

  private mutating func add(_ value: JSON, _ path: String) {
    switch value {
    case .null: break
    case .flag(let flag): list.append((path, flag ? "true" : "false"))
    case .integer(let number): list.append((path, "\(number)"))
    case .real(let number):
      list.append((path, Int(exactly: number).map { "\($0)" } ?? "\(number)"))
    case .text(let text): if !text.trimmed.isEmpty { list.append((path, text.trimmed)) }
    case .list(let values): for value in values { add(value, path) }
    case .object(let object):
      // Money: 12.50 EUR.
      if let currency = object["currency"]?.text, object.members.count == 2 {
        switch object["amount"] {
        case .integer(let number): return list.append((path, "\(number) \(currency)"))
        case .real(let number): return list.append((path, "\(number) \(currency)"))
        default: break
        }
      }
      var last: String?
      for member in object.members.sorted(by: { $0.key < $1.key }) {
        // The second value of a repeated key gets a name that no column has.
        let key = member.key == last ? "\(member.key) (2)" : member.key
        last = member.key
        add(member.value, path.isEmpty ? key : "\(path).\(key)")
      }
    }
  }

  /// Creates cells from the texts and attributes of an element, by path: `genres.genre`.
  init(_ element: XMLElement, number: Int) {
    line = number
    if element.isMended { remarks = [.strayBytes] }
    list.append(("(element)", element.name))
    add(element, "")
  }

  private mutating func add(_ element: XMLElement, _ path: String) {
    func name(_ part: String) -> String { path.isEmpty ? part : "\(path).\(part)" }
    for (attribute, value) in element.attributes where !value.trimmed.isEmpty {
      list.append((name(attribute), value.trimmed))
    }
    // An empty text stays, because texts may be paired by position.
    if !path.isEmpty, case let text = element.text.trimmed, !text.isEmpty || element.children.isEmpty {
      list.append((path, text))
    }
    for child in element.children { add(child, name(child.name)) }
  }

  init(_ row: Row, number: Int) {
    line = number
    for (name, value) in zip(row.columns, row.all) {
      let text: String? =
        switch value {
        case .null, .blob: nil
        case .integer(let number): "\(number)"
        case .real(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text.trimmed
        }
      if let text, !text.isEmpty { list.append((name, text)) }
    }
  }
}

extension String {
  /// The text without surrounding blanks and line ends.
  var trimmed: String {
    let trimmed = self[...].trimmed
    return trimmed.utf8.count == utf8.count ? self : String(trimmed)
  }

  /// The text; nil if it is empty.
  var nonEmpty: String? { isEmpty ? nil : self }
}

extension Substring {
  var trimmed: Substring {
    // Most texts have no such blanks.
    guard let first = unicodeScalars.first, let last = unicodeScalars.last else { return self }
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value <= 0x20 || scalar.value == 0xA0 || scalar.value == 0xFEFF || scalar.value == 0x3000
    }
    guard isBlank(first) || isBlank(last) else { return self }
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !isBlank($0) }), let end = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return self[start..<scalars.index(after: end)]
  }
}
