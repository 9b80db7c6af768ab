internal import CatalogModel
public import CatalogStore
public import CommandLineKit

extension Field: ArgumentValue {
  /// The field with this name, or the only one with this prefix: `orig` is `original_title`.
  public init(argument word: String) throws {
    let key = word.lowercased()
    let starting = Field.all.filter { $0.name.hasPrefix(key) }
    guard let field = Field.named(key) ?? (starting.count == 1 ? starting[0] : nil) else {
      throw UsageError.unknown("field", word, among: Field.all.map(\.name))
    }
    self = field
  }

  public static var valueName: String? { "FIELDS" }
  public static var completion: CompletionKind { .dynamic("columns") }

  /// The default fields of a listing for people.
  static let usual: [Field] = [.id, .kind, .title, .creator, .year, .genres, .rating]

  /// The fields of a full listing for programs.
  /// - Parameters:
  ///   - kind: the kind of all items; fields of other kinds are left out.
  ///   - isRequested: whether a field is listed that costs a subquery for each item.
  static func listed(of kind: Kind?, requested isRequested: (Field) -> Bool = { _ in false }) -> [Field] {
    all.filter { field in
      guard !field.isOnRequest || isRequested(field) else { return false }
      guard let kind, let kinds = field.kinds, kinds.count == 1 else { return true }
      return kinds == [kind]
    }
  }

  /// The fields that `--json=…` names, or the command's default.
  static func selected(by options: TableOptions, or usual: [Field]) throws -> [Field] {
    guard case .only(let keys) = options.fields else {
      // Programs find the number of an item by one name in all documents.
      let isForPrograms = [.json, .jsonLines, .csv].contains(options.format) && !usual.contains(item)
      return isForPrograms ? usual.flatMap { $0 == .id ? [.id, item] : [$0] } : usual
    }
    // A member has the name that was typed.
    return try keys.map { try Field(argument: $0).named($0) }
  }
}
