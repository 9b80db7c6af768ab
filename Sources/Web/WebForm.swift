/// Names with values, as the query of an address and the body of a form have them: `application/x-www-form-urlencoded`
/// of the URL Standard (<https://url.spec.whatwg.org/#application/x-www-form-urlencoded>). A name may come several
/// times.
public struct WebForm: Sendable, Hashable {
  /// In the order they came in.
  public private(set) var fields: [Field] = []
  /// The files that were sent with the fields.
  public internal(set) var files: [File] = []

  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: String
  }

  /// More than any page of ours sends.
  static let most = 100
  /// The most bytes of all fields of a form, and of a field beside files.
  static let mostText = 256 << 10

  public init() {}

  /// Parses a query or a body. Fields that are not UTF-8 are left out, and so are those after the hundredth.
  public init(_ text: some StringProtocol) {
    fields = text.split(separator: "&", maxSplits: Self.most).prefix(Self.most).compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Percent.decoded(parts[0], plusIsBlank: true),
        let value = Percent.decoded(parts.count > 1 ? parts[1] : "", plusIsBlank: true)
      else {
        return nil
      }
      return Field(name: name, value: value)
    }
  }

  /// The first value of this name; nil if it is missing or empty.
  public subscript(name: String) -> String? {
    fields.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// Adds a value. Nil adds nothing.
  public mutating func add(_ name: String, _ value: String?) {
    if let value { fields.append(Field(name: name, value: value)) }
  }

  /// The form encoded as the query of an address.
  public var text: String {
    fields.map { "\(Percent.encoded($0.name))=\(Percent.encoded($0.value))" }.joined(separator: "&")
  }
}
