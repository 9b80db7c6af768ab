import CatalogModel
import Testing

@testable import CatalogStore

struct SnapshotTests {
  private final class Read { var paths: [TreePath] = [] }

  /// A snapshot of as many items as named, and the paths that were read.
  private func snapshot(of count: Int) -> (Snapshot, Read) {
    let read = Read()
    let documents = Dictionary(
      uniqueKeysWithValues: (0..<count).map { (TreePath.item("\($0)"), Document([.init("n", .integer(Int64($0)))])) })
    return (
      Snapshot { paths in
        read.paths += paths
        return paths.map { path in documents[path].map { .success($0) } }
      }, read
    )
  }

  private func numbers(_ documents: [Result<Document, DocumentProblem>?]) throws -> [Int64?] {
    try documents.map { try $0?.get()["n"]?.integer }
  }

  @Test func `a snapshot reads each document once and keeps the order of the paths`() throws {
    let (snapshot, read) = snapshot(of: 5)
    let paths = [3, 1, 9, 0].map { TreePath.item("\($0)") }
    #expect(try numbers(snapshot.documents(paths)) == [3, 1, nil, 0])
    #expect(try numbers(snapshot.documents(paths.reversed() + [.item("4")])) == [0, nil, 1, 3, 4])
    #expect(try snapshot.document(.item("9")) == nil)
    #expect(read.paths == paths + [.item("4")])
  }

  @Test func `a snapshot keeps a bounded number of documents`() throws {
    let count = Snapshot.mostKept * 3
    let (snapshot, read) = snapshot(of: count)
    let paths = (0..<count).map { TreePath.item("\($0)") }
    for start in stride(from: 0, to: count, by: 50) { _ = try snapshot.documents(Array(paths[start..<start + 50])) }
    #expect(read.paths.count == count)
    // The last ones are there, the first ones are read again.
    _ = try snapshot.documents(paths.suffix(50))
    #expect(read.paths.count == count)
    #expect(try numbers(snapshot.documents(paths)) == (0..<Int64(count)).map { $0 })
    #expect(read.paths.count == 2 * count)
  }
}
