import CatalogModel
import Foundation
import TestSupport

@testable import Exchange

/// A file that is removed when the value is deallocated.
struct SmallFile {
  let folder: TemporaryFolder
  let path: String

  init(_ bytes: [UInt8], name: String = "file") throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    try Data(bytes).write(to: URL(filePath: path))
  }

  init(_ text: String, name: String = "file") throws { try self.init(Array(text.utf8), name: name) }

  /// An archive of these files.
  init(zip members: [String: String]) throws {
    folder = try TemporaryFolder()
    for (name, text) in members {
      let file = folder.url.appending(path: "in/\(name)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    path = folder.path("archive")
    try ZipFile.write(members.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }, to: path)
  }
}

/// Makes archives without compression, so that no other program is needed.
enum ZipFile {
  static func write(_ members: [(name: String, bytes: [UInt8])], to path: String) throws {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
    for member in members {
      let name = Array(member.name.utf8)
      let common =
        number(20, 2) + number(0x800, 2) + number(0, 2) + number(0, 2) + number(0x21, 2)
        + number(Int(crc(member.bytes)), 4) + number(member.bytes.count, 4) + number(member.bytes.count, 4)
        + number(name.count, 2) + number(0, 2)
      directory +=
        number(0x0201_4B50, 4) + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4)
        + number(file.count, 4) + name
      file += number(0x0403_4B50, 4) + common + name + member.bytes
    }
    let start = file.count
    file += directory
    file +=
      number(0x0605_4B50, 4) + number(0, 4) + number(members.count, 2) + number(members.count, 2)
      + number(directory.count, 4) + number(start, 4) + number(0, 2)
    try Data(file).write(to: URL(filePath: path))
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
  }
}

extension Import {
  /// All rows.
  func all() throws -> [ImportRow] {
    var rows: [ImportRow] = []
    try self.rows {
      rows.append($0)
      return true
    }
    return rows
  }
}

extension ImportRow {
  var entry: Entry? { try? content.get() }
  /// The remarks about the row.
  var remarks: [String] { entry?.remarks.map { $0.message.text(in: nil) } ?? [] }
  var rejection: String? { if case .failure(let why) = content { why.description } else { nil } }
}

/// The rows of a text.
func rows(
  _ text: String, format: String? = nil, mapping: [String: String] = [:], kind: Kind? = nil, name: String = "file"
) throws -> [ImportRow] {
  try opened(text, format: format, mapping: mapping, choices: ImportChoices(kind: kind), name: name) { try $0.all() }
}

/// Opens the import of a text and returns the result of `body`.
func opened<Value>(
  _ text: String, format: String? = nil, mapping: [String: String] = [:], choices: ImportChoices = ImportChoices(),
  name: String = "file", _ body: (Import) throws -> Value
) throws -> Value {
  let file = try SmallFile(text, name: name)
  return try withExtendedLifetime(file) {
    try body(Import(path: file.path, format: format, mapping: mapping, choices: choices))
  }
}

/// The entries of a text, all of whose rows must be valid.
func entries(_ text: String, format: String? = nil, mapping: [String: String] = [:], kind: Kind? = nil) throws
  -> [Entry]
{
  try rows(text, format: format, mapping: mapping, kind: kind).map { try $0.content.get() }
}
