internal import CResources
internal import Lookup

/// The version and identity of the program.
enum Release {
  static let version = "0.1.0"

  /// The page of the program, if this release was built with one: `make release HOMEPAGE=https://…`.
  static var homepage: String? {
    let page = String(cString: catalog_homepage())
    return (try? Contact(argument: page))?.text
  }

  /// The content of the `User-Agent`. Text that is not a ``Contact`` is not sent.
  static func identity(contact: String?) -> Identity {
    Identity(
      program: "catalog/\(version)", page: homepage,
      contact: contact.flatMap { try? Contact(argument: $0) }?.text)
  }
}
