internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Context {
  /// The picture of a record, to be kept as its cover. Without one, or when it cannot be fetched, nil: a missing
  /// picture never fails what a command is about.
  func cover(of record: Record) -> Cover? {
    if let kept = trendingCover(of: record) { return kept }
    guard let url = record.artworkURL, !globals.isOffline else { return nil }
    do {
      // Pictures have hosts of their own, which a source's rate limit does not count.
      let response = try http.send(Request(source: "covers", url: url))
      if response.status == 404 { return nil }
      let etag = response.header("etag")
      guard response.status == 200, let cover = Cover(image: response.body, sourceURL: url, etag: etag) else {
        note("catalog: the cover could not be read; the rest is kept")
        return nil
      }
      return cover
    } catch {
      note("catalog: the cover could not be fetched; the rest is kept")
      return nil
    }
  }

  /// The picture that is kept because the movie is popular, when it is still the one of the record.
  private func trendingCover(of record: Record) -> Cover? {
    guard record.kind == .movie, let url = record.artworkURL, let store = try? reading() else { return nil }
    let covers = record.externalIDs.lazy.compactMap { try? store.trendingCover(of: $0) }
    return covers.first { $0.sourceURL == url }
  }
}
