internal import CEvent
internal import Glibc

/// Percent-encoding of addresses (RFC 3986, section 2.1).
enum Percent {
  /// - Parameter plusIsBlank: whether `+` means a space, as in a form.
  /// - Returns: nil if the bytes are not UTF-8 or contain a NUL.
  static func decoded(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String? {
    var count = 0
    guard let bytes = evhttp_uridecode(String(text), plusIsBlank ? 1 : 0, &count) else { return nil }
    defer { free(bytes) }
    let decoded = String(validating: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    return decoded.flatMap { $0.utf8.contains(0) ? nil : $0 }
  }

  static func encoded(_ text: String) -> String {
    guard let bytes = evhttp_encode_uri(text) else { return "" }
    defer { free(bytes) }
    return String(cString: bytes)
  }
}
