public import Foundation
import Synchronization

/// A folder that is removed when the value is deallocated.
public final class TemporaryFolder: Sendable {
  public let url: URL
  public var path: String { url.path }

  public enum Place {
    /// The folder that `TMPDIR` names. `Scripts/test` sets it to a folder in memory.
    case usual
    /// In memory, which avoids waits for the disk, if 2 GiB are free there.
    case memory
    /// On a disk, for tests of programs that wait for the disk.
    case disk
  }

  public init(in place: Place = .usual) throws {
    let parent =
      switch place {
      case .memory where Self.hasMemory && !Self.isUsuallyInMemory: Self.memory
      case .disk: URL(filePath: "/var/tmp")
      default: FileManager.default.temporaryDirectory
      }
    url = parent.appending(path: "catalog-test-\(UUID().uuidString.prefix(18))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  private static let memory = URL(filePath: "/dev/shm")
  private static let isUsuallyInMemory = FileManager.default.temporaryDirectory.path.hasPrefix(memory.path + "/")

  private static var hasMemory: Bool {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)
    return (facts?[.systemFreeSize] as? NSNumber)?.uint64Value ?? 0 > 2 << 30
  }

  /// The path of a file with this name.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file, and returns its path.
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return path(name)
  }
}

/// Blocks threads until a number of them have arrived.
public final class Gate: Sendable {
  private let missing: Mutex<Int>
  private let opened = DispatchSemaphore(value: 0)

  public init(for count: Int) { missing = Mutex(count) }

  public func pass() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if !isLast { opened.wait() }
    opened.signal()
  }
}

/// A generator of random numbers that repeats its sequence in every run.
public struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The length of tests with random input: some rounds usually, more with `make test LONG=1`.
public enum Rounds {
  public static func count(_ usual: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment["CATALOG_LONG"] == nil ? usual : long
  }
}

/// A program that runs the shell commands in the variable `STAND_IN` of its environment.
///
/// It is a file of the repository, because one that was just written cannot always be run while other tests start
/// programs (`ETXTBSY`).
public enum StandIn {
  public static let path = program("stand-in")

  /// A program in place of `ssh`: it runs the command here, or fails as ssh does, depending on the name of the host.
  public static let ssh = program("ssh-stand-in")

  private static func program(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/\(name)").path
  }
}
