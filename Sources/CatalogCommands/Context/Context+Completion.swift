internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Context {
  /// Answers a shell that completes a word. A catalog that cannot be read has nothing to offer, and no word of it.
  func answer(_ completion: Completion) throws {
    let found = completion.wanted.flatMap { try? candidates($0, for: completion) } ?? []
    try output.append(completion.text(adding: found))
  }

  private func candidates(_ name: String, for completion: Completion) throws -> [Completion.Candidate] {
    let prefix = completion.prefix
    func starting(_ names: [String]) -> [Completion.Candidate] {
      let folded = Folding.fold(prefix)
      return names.filter { Folding.fold($0).hasPrefix(folded) }.map { .init($0) }
    }
    switch name {
    case "items":
      let store = try openStore(.reading)
      let ids = prefix.isEmpty ? try store.ids(Query(), limit: 50) : try store.search(prefix, limit: 50)
      return try ids.map { id in
        let item = try store.item(id)
        // A number types faster than a title; a title that was begun is finished.
        return prefix.isEmpty
          ? .init("\(id)", item.record.headline) : .init(item.record.title, "\(item.record.kind.rawValue) \(id)")
      }
    case "results":
      return zip(1..., results.load()).map { .init("r\($0)", $1.record.headline) }.filter { $0.word.hasPrefix(prefix) }
    case "genres":
      let store = try openStore(.reading)
      let used = try store.usedGenres()
      return starting(used.isEmpty ? try store.genreNames() : used)
    case "sources": return starting(sourceNames)
    case "attributes":
      let kinds = (completion.given["kind"] ?? []).flatMap { $0.split(separator: ",") }.compactMap {
        Kind(word: String($0))
      }
      return sources.flatMap { source in
        source.kindsWithAttributes.filter { kinds.isEmpty || kinds.contains($0) }.flatMap(source.attributes)
      }
      .withoutRepeats(by: \.word).filter { $0.word.hasPrefix(prefix.lowercased()) }.map { .init($0.word, $0.help) }
    case "keyed-sources": return starting(sources.filter { $0.key != nil }.map(\.id))
    case "settings": return starting(Configuration.settings.map(\.name))
    case "query": return starting(Query.fields.map { $0 + ":" })
    default: return []
    }
  }
}
