internal import Glibc

/// The network that a request comes from, which may hold so many connections and try so many codes: an address of IPv4,
/// also where it is written as one of IPv6, or the first half of one of IPv6. A device has all addresses of the second
/// half.
public struct ClientNetwork: Hashable, Sendable {
  private let bytes: [UInt8]
  /// Whether it is this machine.
  public let isLoopback: Bool

  /// - Returns: nil for text that is no numeric address.
  public init?(_ address: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 {
      self.init(bytes: bytes.prefix(4))
    } else if inet_pton(AF_INET6, address, &bytes) == 1 {
      self.init(bytes: bytes[...])
    } else {
      return nil
    }
  }

  /// The network at the other end of a connection; nil for a socket without one.
  init?(of descriptor: Int32) {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let bytes: ArraySlice<UInt8>? = withUnsafeMutableBytes(of: &address) { raw in
      guard getpeername(descriptor, raw.assumingMemoryBound(to: sockaddr.self).baseAddress, &size) == 0 else {
        return nil
      }
      switch Int32(clamping: raw.load(as: sockaddr.self).sa_family) {
      case AF_INET: return withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0)[...] }
      case AF_INET6: return withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0)[...] }
      default: return nil
      }
    }
    guard let bytes else { return nil }
    self.init(bytes: bytes)
  }

  /// - Parameter bytes: 4 or 16 of them.
  private init(bytes: ArraySlice<UInt8>) {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    let isMapped = bytes.count == 16 && bytes.starts(with: mapped)
    let isOfIPv4 = bytes.count == 4 || isMapped
    isLoopback = isOfIPv4 ? bytes.suffix(4).first == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    self.bytes = Array(isOfIPv4 ? bytes.suffix(4) : bytes.prefix(8))
  }
}
