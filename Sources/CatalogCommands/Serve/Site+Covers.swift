internal import CatalogModel
internal import CatalogStore
internal import Processes
internal import Web

extension Site {
  /// The addresses of the covers of items; items without one are missing. An address changes with its cover, so that
  /// browsers keep a cover and show a new one at once.
  /// - Parameter size: nil for the cover itself.
  func covers(of items: [ItemID], _ size: Thumbnails.Size?) throws -> [ItemID: String] {
    let (digests, computed) = try store().coverDigests(of: items)
    if !computed.isEmpty, let globals = try? servedGlobals {
      chore { [makeContext] in
        try? makeContext(globals, nil, DeferredWarnings()).keeping().keepCoverDigests(of: computed)
      }
    }
    return Dictionary(
      uniqueKeysWithValues: digests.map { item, digest in
        (item, "/cover/\(item)" + (size.map { "/\($0.rawValue)" } ?? "") + Self.query(("v", Self.version(digest))))
      })
  }

  /// The part of a digest that is in an address.
  private static func version(_ digest: String) -> String { String(digest.prefix(16)) }

  /// The picture at `/cover/42`, or a small copy of it at `/cover/42/320`.
  func cover(_ visit: Visit) throws -> WebAnswer {
    let (item, asked) = (visit.id, visit.values["size"])
    let size = asked.flatMap { Int($0) }.flatMap(Thumbnails.Size.init)
    guard let digest = try store().coverDigests(of: [item]).digests[item], asked == nil || size != nil else {
      throw WebResponse.refusing(.notFound)
    }
    let tag = "\"\(digest.prefix(32))\(size.map { "-\($0.rawValue)" } ?? "")\""
    let isVersion = visit.request.query["v"] == Self.version(digest)
    func response(_ bytes: [UInt8], _ mediaType: String) -> WebResponse {
      Self.picture(WebResponse(type: mediaType, bytes), tag, isKept: isVersion)
    }
    if visit.request.has(tag: tag) {
      return .now(Self.picture(.notModified, tag, isKept: isVersion))
    }
    if let size, let known = thumbnails.known(digest, size) { return .now(response(known, "image/jpeg")) }
    guard let cover = try store().cover(of: item),
      // Only pictures that every browser shows are served.
      ["image/jpeg", "image/png", "image/gif", "image/webp"].contains(cover.mediaType)
    else { throw WebResponse.refusing(.notFound) }
    guard let size, let scaler = thumbnails.scaler(for: cover, size) else {
      return .now(response(cover.bytes, cover.mediaType))
    }
    let work = try BackgroundWork { [thumbnails] in
      try thumbnails.make(of: cover, digest: digest, size, by: scaler)
    }
    return .after(work) { result in
      guard case .success(let made?) = result else { return response(cover.bytes, cover.mediaType) }
      return response(made, "image/jpeg")
    }
  }

  /// - Parameter isKept: whether another cover would have another address.
  private static func picture(_ picture: WebResponse, _ tag: String, isKept: Bool) -> WebResponse {
    var response = picture
    response.headers += [
      .init("ETag", tag),
      .init("Cache-Control", isKept ? "private, max-age=31536000, immutable" : "private, no-cache"),
      .init("X-Content-Type-Options", "nosniff"), .init("Cross-Origin-Resource-Policy", "same-origin"),
      .init("Content-Security-Policy", "default-src 'none'"),
    ]
    return response
  }
}
