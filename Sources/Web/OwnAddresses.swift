internal import Glibc

/// The numeric addresses at which other devices of the local network reach this machine, the most likely first.
public enum OwnAddresses {
  /// - Parameter routes: the table of `/proc/net/route`.
  public static func all(routes: String = usualRoutes()) -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [(name: String, address: String)] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      let flags = entry.ifa_flags
      guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
        flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
      }
      found.append((String(cString: entry.ifa_name), bytes.map { "\($0)" }.joined(separator: ".")))
    }
    return sorted(found, routes: routes)
  }

  public static func usualRoutes() -> String {
    guard let file = fopen("/proc/net/route", "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// First the addresses of the interface that leads to the internet, last those that no router gave.
  static func sorted(_ found: [(name: String, address: String)], routes: String) -> [String] {
    let columns = routes.split(separator: "\n").map { $0.split(separator: "\t") }
    let leading = columns.first { $0.count > 7 && $0[1] == "00000000" && $0[7] == "00000000" }?[0]
    func rank(_ entry: (name: String, address: String)) -> Int {
      entry.address.hasPrefix("169.254.") ? 2 : leading.map { $0 == entry.name } == true ? 0 : 1
    }
    return found.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(
      \.element.address)
  }
}
