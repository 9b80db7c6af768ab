internal import CatalogModel
internal import Glibc

extension Request {
  /// Returns the error for an address that this request must not use, first or after a redirect; nil when it may.
  ///
  /// A source is asked at its configured address. Addresses in its answers (a picture, a preview, another page) must be
  /// public: servers on this computer or in a private network trust every client there. They are allowed only when the
  /// source is there, too.
  package func refusal(of url: String) -> HTTPError? {
    guard Self.isAllowed(url) else {
      // An address of a file has none.
      let target = Self.host(of: url)
      return .insecure(host: target.isEmpty ? host : target)
    }
    guard Self.isPrivateNetwork(url), !home.contains(where: { Self.isPrivateNetwork($0) }) else { return nil }
    return .privateNetwork(host: Self.host(of: url))
  }

  /// Whether an address, as written, leads to this computer or a private network. Hosts that are not plain names or
  /// numbers count as private, since curl may read them differently: `%31`, `１`, a zone.
  ///
  /// A public name that resolves to a private address is not detected. It cannot be used over plain HTTP, and over
  /// HTTPS only if the server there has a certificate for that name.
  public static func isPrivateNetwork(_ url: String) -> Bool {
    var host = withoutPort(Self.host(of: url).lowercased())
    if host.hasPrefix("["), host.hasSuffix("]") { return isPrivateNetwork(v6: String(host.dropFirst().dropLast())) }
    while host.last == "." { host.removeLast() }
    guard host.utf8.allSatisfy({ $0.isOfIdentifier || $0 == UInt8(ascii: ".") }) else { return true }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = labels.last, !last.isEmpty else { return true }
    if number(last) != nil || last.utf8.allSatisfy(\.isASCIIDigit) {
      // The host is a number; an invalid one counts as private.
      return v4(labels).map { isPrivateNetwork(v4: $0) } ?? true
    }
    return labels.count == 1
      || ["localhost", "localdomain", "local", "internal", "home.arpa"].contains { end in
        host == end || host.hasSuffix("." + end)
      }
  }

  /// Parses an address of up to four decimal, octal or hexadecimal numbers. The last number fills the remaining bytes:
  /// `127.1`, `0x7f000001`. <https://man7.org/linux/man-pages/man3/inet_aton.3.html>
  private static func v4(_ parts: [Substring]) -> UInt32? {
    guard parts.count <= 4, let last = parts.last.flatMap(number), last < 1 << (8 * UInt64(5 - parts.count)) else {
      return nil
    }
    var address = last
    for (index, part) in parts.dropLast().enumerated() {
      guard let byte = number(part), byte < 256 else { return nil }
      address |= byte << UInt64(24 - 8 * index)
    }
    return UInt32(exactly: address)
  }

  private static func number(_ text: Substring) -> UInt64? {
    if text.hasPrefix("0x") { return text.count == 2 ? 0 : UInt64(text.dropFirst(2), radix: 16) }
    guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return text.hasPrefix("0") && text.count > 1 ? UInt64(text, radix: 8) : UInt64(text)
  }

  /// Whether an IPv4 address is not public: <https://www.iana.org/assignments/iana-ipv4-special-registry>.
  private static func isPrivateNetwork(v4 address: UInt32) -> Bool {
    switch (address >> 24, address >> 16 & 255) {
    case (0, _), (10, _), (127, _), (224..., _), (100, 64..<128), (169, 254), (172, 16..<32), (192, 168),
      (198, 18...19):
      true
    default: address >> 8 == 192 << 16
    }
  }

  /// Whether an IPv6 address is not public. Only 2000::/3 is public, and 2002::/16 embeds an IPv4 address.
  private static func isPrivateNetwork(v6 text: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, text, &bytes) == 1, bytes[0] >> 5 == 1 else { return true }
    guard bytes[0] == 0x20, bytes[1] == 0x02 else { return false }
    return isPrivateNetwork(v4: bytes[2..<6].reduce(0) { $0 << 8 | UInt32(truncatingIfNeeded: $1) })
  }
}
