internal import CResources

/// A built-in list of names from Data/: each line has a code, a space, the name and other names, separated by `; `.
/// Lines that begin with `#` are comments.
struct NameList: Sendable {
  let resource: @Sendable () -> catalog_resource

  /// The first name behind a code.
  func name(of code: String) -> String? {
    guard !code.hasPrefix("#") else { return nil }
    // On bytes, which are compared many times faster than characters.
    let (key, end) = (Array((code + " ").utf8), UInt8(ascii: "\n"))
    var rest = bytes[...]
    while !rest.isEmpty, !rest.starts(with: key) {
      guard let lineEnd = rest.firstIndex(of: end) else { return nil }
      rest = rest[(lineEnd + 1)...]
    }
    return rest.isEmpty ? nil : Self.text(rest.dropFirst(key.count).prefix { $0 != UInt8(ascii: ";") && $0 != end })
  }

  /// The codes by all names and by themselves, as ``Folding/nameKey(_:)`` has them, for many lookups.
  var codes: [String: String] {
    var codes: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let code = Self.text(parts[0])
      codes[Folding.nameKey(code)] = code
      for name in parts[1].split(separator: UInt8(ascii: ";")) {
        let name = Folding.nameKey(Self.text(name.first == UInt8(ascii: " ") ? name.dropFirst() : name))
        if codes[name] == nil { codes[name] = code }
      }
    }
    return codes
  }

  private var lines: some Sequence<Slice<UnsafeRawBufferPointer>> {
    bytes.split(separator: UInt8(ascii: "\n")).lazy.filter { $0.first != UInt8(ascii: "#") }
  }

  private var bytes: UnsafeRawBufferPointer { resource().bytes }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String { String(decoding: bytes, as: UTF8.self) }
}
