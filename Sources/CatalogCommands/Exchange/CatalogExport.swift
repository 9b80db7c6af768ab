internal import CatalogModel
internal import CatalogStore
internal import Exchange
internal import Processes

/// A file of `export jsonl` as rows to import into a catalog that has items. An empty catalog is restored from it
/// instead.
struct CatalogExport: RowSource {
  let path: String
  let formatID = "catalog"
  let formatName = "catalog"

  /// Fails for any other file.
  /// - Throws: ``ImportProblem`` when the file cannot be read.
  init?(path: String) throws {
    guard !Import.isFolder(path), DocumentReader.recognizes(try ByteSource(path: path).beginning(64)) else {
      return nil
    }
    self.path = path
  }

  var uses: [ColumnUse] {
    [
      ColumnUse("item", .kept("item, with its cards, diary, copies, wish, tags and piles")),
      ColumnUse("cover", .left("covers are imported only into an empty catalog")),
      ColumnUse("genre", .left("genres chosen by hand are imported only into an empty catalog")),
      ColumnUse("recently_viewed", .left("data without an item is imported only into an empty catalog")),
    ]
  }

  func rows(_ each: (ImportRow) throws -> Bool) throws {
    let room = try ScratchCatalog()
    var reader = try documents()
    while let (line, document) = try reader.next() {
      if document["catalog"] != nil { try document.checkHead(line: line) }
      guard let item = document.rows(of: "item").first, let number = item["id"]?.integer else { continue }
      // Every catalog counts from 1, so the time is a part of the key.
      let origin = ImportRow.Origin(
        number: number, createdAt: item["created_at"]?.text ?? "", uid: item["uid"]?.text)
      let key = "\(number) \(origin.createdAt)"
      let row: ImportRow
      do {
        let entry = try room.entry(of: document)
        let words = entry.record.title + (entry.record.year.map { " (\($0))" } ?? "")
        let work = document.rows(of: "edition_of").first?["work_id"]?.integer ?? number
        row = ImportRow(
          line: line, key: key, words: words, content: .success(entry), isItem: true, work: String(work),
          origin: origin)
      } catch let problem as DocumentProblem {
        row = ImportRow(line: line, key: key, words: "\(number)", content: .failure(.init(problem.message)))
      }
      guard try each(row) else { return }
    }
  }

  /// The documents of the file, from the first one.
  func documents() throws -> DocumentReader {
    let bytes = try ByteSource(path: path)
    return DocumentReader { try bytes.next() }
  }
}
