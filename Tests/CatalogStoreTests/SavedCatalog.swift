import Foundation
import SQLite
import Testing

/// A catalog that an earlier version of the program wrote with `Databases/make`.
struct SavedCatalog: CustomTestStringConvertible, Sendable {
  /// The version of its schema.
  let version: Int
  let path: String
  var testDescription: String { "v\(version)" }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases").path

  /// One file for every version that a program wrote, `v1.db`, `v2.db`, …, the oldest first.
  static let all: [SavedCatalog] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix("v"), name.hasSuffix(".db"), let version = Int(name.dropFirst().dropLast(3)) else {
        return nil
      }
      return SavedCatalog(version: version, path: "\(folder)/\(name)")
    }.sorted { $0.version < $1.version }
  }()

  /// Copies it to `path`.
  func copy(to path: String) throws { try FileManager.default.copyItem(atPath: self.path, toPath: path) }

  /// A connection to the file itself, which stays as it is.
  func open() throws -> Connection { try Connection(.file(path), mode: .readOnly) }
}
