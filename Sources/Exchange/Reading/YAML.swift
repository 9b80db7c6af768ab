internal import CYAML
internal import CatalogModel
internal import Lookup

/// Reads YAML with libyaml. Every scalar is a text: the zeros at the beginning of a code stay, and `no` is a word.
struct YAML {
  private static let deepest = 20
  private static let mostNodes = 1_000_000
  /// The number of nodes that aliases may repeat: a few bytes could become a gigabyte.
  private static let mostRepeated = 10_000

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private var nodes = 0
  private var repeated = 0
  private var anchors: [String: (value: JSON, nodes: Int)] = [:]

  fileprivate enum Event {
    case scalar(String?)
    case alias(String)
    case list, map, end, document, streamEnd, other
  }

  /// - Throws: ``ImportProblem`` with the line that cannot be read.
  static func documents(in bytes: [UInt8]) throws -> [JSON] {
    let bytes = Array(String(forgiving: bytes).utf8)
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      throw ImportProblem.damaged("there is not enough memory to read YAML")
    }
    defer { yaml_parser_delete(parser) }
    return try bytes.withUnsafeBufferPointer { text in
      yaml_parser_set_input_string(parser, text.baseAddress, text.count)
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      var reader = YAML(parser: parser)
      return try reader.documents()
    }
  }

  private init(parser: UnsafeMutablePointer<yaml_parser_t>) { self.parser = parser }

  private mutating func documents() throws -> [JSON] {
    var documents: [JSON] = []
    while true {
      let (event, anchor) = try next()
      switch event {
      case .streamEnd: return documents
      case .scalar, .alias, .list, .map: documents.append(try value(event, anchor, depth: 1))
      case .document, .end, .other: anchors = [:]
      }
    }
  }

  private mutating func value(_ event: Event, _ anchor: String?, depth: Int) throws -> JSON {
    guard depth <= Self.deepest else { throw ImportProblem.tooMuch("the YAML is nested too deeply") }
    nodes += 1
    guard nodes <= Self.mostNodes else { throw ImportProblem.tooMuch("the YAML has too many values") }
    let before = nodes
    let value: JSON
    switch event {
    case .scalar(let text): value = text.map(JSON.text) ?? .null
    case .alias(let name):
      guard let (same, count) = anchors[name] else { return .null }
      repeated += count
      guard repeated <= Self.mostRepeated else {
        throw ImportProblem.tooMuch("the aliases of the YAML repeat too much")
      }
      return same
    case .list:
      var list: [JSON] = []
      while case let (event, anchor) = try next(), !event.isEnd {
        list.append(try self.value(event, anchor, depth: depth + 1))
      }
      value = .list(list)
    case .map:
      var members: [JSON.Member] = []
      while case let (event, anchor) = try next(), !event.isEnd {
        let key = try self.value(event, anchor, depth: depth + 1).text ?? ""
        let (content, name) = try next()
        let member = try self.value(content, name, depth: depth + 1)
        if key == "<<", let merged = member.object {
          members += merged.members
        } else {
          members.append(JSON.Member(key, member))
        }
      }
      value = .object(JSON.Object(members))
    case .end, .document, .streamEnd, .other: value = .null
    }
    if let anchor { anchors[anchor] = (value, nodes - before + 1) }
    return value
  }

  /// The next event, and the anchor of its value.
  private mutating func next() throws -> (event: Event, anchor: String?) {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
    defer { yaml_event_delete(&event) }
    func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
      bytes.map { String(cString: UnsafePointer($0)) }
    }
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let words = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
      let value = String(decoding: words, as: UTF8.self)
      let isNull = scalar.style == YAML_PLAIN_SCALAR_STYLE && ["", "~", "null", "Null", "NULL"].contains(value)
      return (.scalar(isNull ? nil : value), text(scalar.anchor))
    case YAML_SEQUENCE_START_EVENT: return (.list, text(event.data.sequence_start.anchor))
    case YAML_MAPPING_START_EVENT: return (.map, text(event.data.mapping_start.anchor))
    case YAML_ALIAS_EVENT: return (.alias(text(event.data.alias.anchor) ?? ""), nil)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return (.end, nil)
    case YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: return (.document, nil)
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return (.streamEnd, nil)
    default: return (.other, nil)
    }
  }

  private var problem: ImportProblem {
    let words = parser.pointee.problem.map { String(cString: $0) } ?? "it is not YAML"
    let line = Int(parser.pointee.problem_mark.line) + 1
    let isColon = words.hasPrefix("mapping values")
    return ImportProblem(
      .damaged, "the YAML is broken at line \(line): \(words)",
      hint: isColon ? "put a text with a colon in it in quotation marks" : nil)
  }
}

extension YAML.Event {
  /// Whether a list or map ends; the end of the file ends all of them.
  fileprivate var isEnd: Bool {
    switch self {
    case .end, .streamEnd: true
    default: false
    }
  }
}

// MARK: - Records

extension YAML {
  /// The records in documents of any form: lists of maps or of titles, maps of them by title, year or kind.
  static func records(of documents: [JSON]) -> [Cells] {
    var records: [Cells] = []
    func add(_ value: JSON, _ name: String?) {
      var cells = Cells(JSONElements.Element(number: records.count + 1, name: name, value: value))
      if let name, name.count == 4, name.allSatisfy({ $0.isASCII && $0.isNumber }) { cells.list.append(("list", name)) }
      if cells.list.contains(where: { $0.name != "(member)" }) { records.append(cells) }
    }
    func collect(_ value: JSON, _ name: String?) {
      switch value {
      case .list(let values): for value in values { collect(value, name) }
      case .text: add(.object(JSON.Object([JSON.Member("title", value)])), name)
      case .object(let object):
        let parts = object.members.filter { member in
          member.value.object != nil || member.value.list?.contains { $0.object != nil } ?? false
        }
        if isTitled(object), !parts.contains(where: { holdsTitles($0.value) }) { return add(value, name) }
        let lists = parts.isEmpty ? object.members.filter { $0.value.list != nil } : parts
        guard !lists.isEmpty, lists.count == object.members.count || !parts.isEmpty else { return add(value, name) }
        // One key over a map is its title: `Dune: {author: Frank Herbert}`.
        for member in lists {
          if let inner = member.value.object, !isTitled(inner), !holdsTitles(member.value), !inner.members.isEmpty {
            add(.object(JSON.Object([JSON.Member("title", .text(member.key))] + inner.members)), name)
          } else {
            collect(member.value, member.key)
          }
        }
      case .null, .flag, .integer, .real: break
      }
    }
    for document in documents { collect(document, nil) }
    return records
  }

  private static func isTitled(_ object: JSON.Object) -> Bool {
    object.members.contains { ["title", "original-title"].contains(Heading.named(Cells.key($0.key))?.meaning?.id) }
  }

  /// Whether a value has records in it, at any depth.
  private static func holdsTitles(_ value: JSON) -> Bool {
    switch value {
    case .list(let values): values.contains { $0.object.map { isTitled($0) || holdsTitles(.object($0)) } ?? false }
    case .object(let object):
      object.members.contains { holdsTitles($0.value) || $0.value.object.map(isTitled) ?? false }
    default: false
    }
  }
}
