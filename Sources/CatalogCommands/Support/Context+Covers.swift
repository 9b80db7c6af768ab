internal import CatalogModel
internal import CommandLineKit
internal import Lookup

extension Context {
  /// The picture of a record, to be kept as its cover. Without one, or when it cannot be fetched, nil: a missing
  /// picture never fails what a command is about.
  func cover(of record: Record) -> Cover? {
    guard let url = record.artworkURL, !globals.isOffline else { return nil }
    let source = record.externalIDs.first?.source ?? "cover"
    do {
      let response = try http.send(Request(source: source, url: url))
      if response.status == 404 { return nil }
      guard response.status == 200, let image = ImageInfo(response.body) else {
        note("catalog: the cover could not be read; the rest is kept")
        return nil
      }
      return Cover(
        bytes: response.body, mediaType: image.mediaType, width: image.width, height: image.height, sourceURL: url,
        etag: response.header("etag"))
    } catch {
      note("catalog: the cover could not be fetched; the rest is kept")
      return nil
    }
  }
}
