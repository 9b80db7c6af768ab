internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Synchronization

/// Small copies of covers for browsers. Each is made once, by the installed program, and kept in the cache of pictures.
struct Thumbnails: Sendable {
  /// The longer side of a copy in pixels.
  enum Size: Int, Hashable, Sendable {
    /// For a list, also where a screen has two pixels for one.
    case small = 320
    /// For a page of its own.
    case large = 800

    /// A list has many, and shows none of them large.
    fileprivate var quality: Int { self == .small ? 75 : 82 }
    /// The most bytes of a cover that is sent as it is, if it is no larger than the copy.
    fileprivate var mostBytes: Int { self == .small ? 16 << 10 : 160 << 10 }
  }

  private let kept: PictureCache
  private let memory = PictureCache(inMemoryUpTo: 4 << 20)
  /// The value of `PATH` along which the program is looked for.
  private let path: String?
  private let now: @Sendable () -> Date

  init(in context: Context) {
    (kept, path, now) = (context.pictureCache, context.environment["PATH"], context.now)
  }

  /// The copy of the cover with a digest, a JPEG, if it was made.
  func known(_ digest: String, _ size: Size) -> [UInt8]? {
    let name = Self.name(digest, size)
    if let bytes = memory.bytes(for: name, now: now()) { return bytes }
    guard let bytes = kept.bytes(for: name, now: now()) else { return nil }
    memory.keep(bytes, for: name, now: now())
    return bytes
  }

  /// The program that can make a copy of this cover; nil if none can, or if the cover is small itself.
  func scaler(for cover: Cover, _ size: Size) -> PictureScaler? {
    guard let info = ImageInfo(cover.bytes), info.isDrawable else { return nil }
    let isSmall = max(info.width, info.height) <= size.rawValue && cover.bytes.count <= size.mostBytes
    return isSmall ? nil : PictureScaler(along: path)
  }

  /// Makes and keeps a copy. Two are made at a time, and the same one once.
  /// - Returns: nil when the program fails, or made it no smaller.
  /// - Throws: ``Interrupted``.
  func make(of cover: Cover, digest: String, _ size: Size, by scaler: PictureScaler) throws -> [UInt8]? {
    let turn = Self.turns[digest.utf8.first.map { Int($0) % Self.turns.count } ?? 0]
    return try turn.mutex.withLock { _ in
      if let known = known(digest, size) { return known }
      let made = try scaler.scaled(
        cover.bytes, mediaType: cover.mediaType, width: size.rawValue, height: size.rawValue, quality: size.quality)
      guard let made, made.count < cover.bytes.count else { return nil }
      for cache in [memory, kept] { cache.keep(made, for: Self.name(digest, size), now: now()) }
      return made
    }
  }

  private static func name(_ digest: String, _ size: Size) -> String { "cover:\(digest)/\(size.rawValue)" }

  private final class Turn: Sendable { let mutex = Mutex<Void>(()) }

  private static let turns = [Turn(), Turn()]
}

extension ImageInfo {
  /// Whether an installed program gets the picture: 4096 × 4096 pixels take 64 MiB.
  var isDrawable: Bool {
    let most = 1 << 16
    return width <= most && height <= most && width * height <= 4096 * 4096
  }
}
