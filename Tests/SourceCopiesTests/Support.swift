import CatalogModel
import Foundation
import Lookup
import TestSupport

@testable import SourceCopies

/// Dumps written by hand, and the copies built of them.
struct MadeDump {
  let folder: TemporaryFolder
  let dump: Dump

  init(_ dump: Dump, _ files: [String: String]) throws {
    (folder, self.dump) = (try TemporaryFolder(in: .memory), dump)
    try FileManager.default.createDirectory(atPath: folder.path("dump"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path("copies"), withIntermediateDirectories: true)
    for (name, text) in files { _ = try folder.write(text, to: "dump/\(name)") }
  }

  func build(_ options: SourceCopyOptions = SourceCopyOptions(), into name: String = "copies") throws -> CopyBuild {
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    return try CopyBuild(dump, files: [folder.path("dump")], folder: folder.path(name), options: options)
  }

  func copy(_ options: SourceCopyOptions = SourceCopyOptions()) throws -> SourceCopy {
    try SourceCopy(path: try build(options).run().path)
  }
}

/// The folder of recorded lines of dumps, which are other people's data.
enum RecordedDumps {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"]

  static func path(_ name: String) -> String { "\(folder ?? "")/\(name)" }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(name))))
  }
}

extension Page {
  var titles: [String] { candidates.map(\.record.title) }
}

/// Rows between tabs.
func table(_ rows: [[String]]) -> String { rows.map { $0.joined(separator: "\t") + "\n" }.joined() }
