/// What this program is, for those who ask.
enum Release {
  static let version = "0.1.0"

  /// The `User-Agent` that sources read: the program, and where its person can be reached when that is set. What is no
  /// ``Contact`` is not sent.
  static func identity(contact: String?) -> String {
    let contact = contact.flatMap { try? Contact(argument: $0) }
    return "catalog/\(version)" + (contact.map { " (\($0.text))" } ?? "")
  }
}
