internal import CatalogModel
internal import CommandLineKit
internal import Lookup

extension Context {
  /// The picture of a record, to be kept as its cover. Without one, or when it cannot be fetched, nil: a missing
  /// picture never fails what a command is about.
  func cover(of record: Record) -> Cover? {
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
}
