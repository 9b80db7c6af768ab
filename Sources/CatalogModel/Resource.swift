public import CResources

extension catalog_resource {
  /// Its bytes, which live as long as the program.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// The lines that are not empty and not comments.
  public var lines: [Substring] { bytes.dataLines }
}

extension UnsafeRawBufferPointer {
  /// The lines that are not empty and not comments, which begin with `#`.
  public var dataLines: [Substring] {
    let text = String(decoding: self, as: UTF8.self)
    return text.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map(Substring.init)
  }
}
