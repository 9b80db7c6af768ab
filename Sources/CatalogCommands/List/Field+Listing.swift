internal import CatalogModel
public import CatalogStore
public import CommandLineKit

extension Field: ArgumentValue {
  /// The field of this name, or the only one whose name starts so: `orig` is `original_title`.
  public init(argument word: String) throws {
    let key = word.lowercased()
    let starting = Field.all.filter { $0.key.hasPrefix(key) }
    guard let field = Field.named(key) ?? (starting.count == 1 ? starting[0] : nil) else {
      throw UsageError.unknown("field", word, among: Field.all.map(\.key))
    }
    self = field
  }

  public static var valueName: String? { "FIELDS" }
  public static var completion: CompletionKind { .dynamic("columns") }

  /// What people see in a listing who ask for nothing else.
  static let usual: [Field] = [.id, .kind, .title, .creator, .year, .genres, .rating]

  /// The fields of a listing of everything for programs.
  /// - Parameter kind: the kind that all of it is of; what only another kind has is left out then.
  static func listed(of kind: Kind?) -> [Field] {
    all.filter { field in
      guard !field.isOnRequest else { return false }
      guard let kind, let kinds = field.kinds, kinds.count == 1 else { return true }
      return kinds == [kind]
    }
  }

  /// The fields that `--json=…` names, or else those of the command's own listing.
  static func selected(by options: TableOptions, or usual: [Field]) throws -> [Field] {
    guard case .only(let keys) = options.fields else { return usual }
    return try keys.map { try Field(argument: $0) }
  }
}

extension TableOptions {
  /// The options of a listing of items, whose fields `--json=` completes.
  static var ofFields: [Argument<TableOptions>] {
    arguments.map { argument in
      var argument = argument
      if argument.info.name == "json" { argument.info.completion = .dynamic("columns") }
      return argument
    }
  }
}
