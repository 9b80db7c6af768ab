internal import CatalogModel
internal import CatalogStore
internal import Exchange

/// What `export jsonl` wrote, as rows: for a catalog that has something already. An empty one is restored instead.
struct CatalogExport: RowSource {
  let path: String
  let formatID = "catalog"
  let formatName = "catalog"

  /// Nil for a file that is something else.
  /// - Throws: ``ImportProblem`` when it cannot be read.
  init?(path: String) throws {
    guard !Import.isFolder(path), DocumentReader.recognizes(try ByteSource(path: path).beginning(64)) else { return nil }
    self.path = path
  }

  var uses: [ColumnUse] {
    [
      ColumnUse("item", .kept("item, with its cards, diary, copies, wish, tags and piles")),
      ColumnUse("cover", .left("only an empty catalog takes covers along")),
      ColumnUse("genre", .left("only an empty catalog takes genres along that were chosen by hand")),
      ColumnUse("recently_viewed", .left("only an empty catalog takes what hangs on no item along")),
    ]
  }

  func rows(_ each: (ImportRow) throws -> Bool) throws {
    let room = try ReadingRoom()
    var reader = try documents()
    while let (line, document) = try reader.next() {
      guard let item = document.rows(of: "item").first, let number = item["id"]?.integer else { continue }
      // Every catalog counts from 1.
      let key = "\(number) \(item["created_at"]?.text ?? "")"
      let row: ImportRow
      do {
        let entry = try room.read(document).entry
        let words = entry.record.title + (entry.record.year.map { " (\($0))" } ?? "")
        row = ImportRow(line: line, key: key, words: words, content: .success(entry))
      } catch let problem as DocumentProblem {
        row = ImportRow(line: line, key: key, words: "\(number)", content: .failure(.init(problem.words)))
      }
      guard try each(row) else { return }
    }
  }

  /// Its documents from the first on.
  func documents() throws -> DocumentReader {
    let bytes = try ByteSource(path: path)
    return DocumentReader { try bytes.next() }
  }
}
