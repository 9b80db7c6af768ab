internal import Glibc

/// Tells what a person's own browser asks from what a stranger's page makes it ask.
public struct WebGuard: Sendable {
  /// What the server is called, in lower case.
  private let names: Set<String>

  /// - Parameter names: what it may be called beside `localhost` and any address in digits.
  public init(names: [String]) { self.names = Set(names.map { $0.lowercased() } + ["localhost"]) }

  /// Refuses what was meant for another server, and what another's page sends.
  ///
  /// A name that somebody else made lead here is none of ours: so a page under that name, which the browser takes for one of ours, gets
  /// nothing (DNS rebinding). Addresses in digits need no name that could be made to lead anywhere. A form is taken from our own
  /// pages alone, which browsers tell by `Sec-Fetch-Site` (<https://www.w3.org/TR/fetch-metadata/>), older ones by `Origin`.
  public func check(_ request: WebRequest) throws(WebResponse) {
    guard let host = request[header: "host"], isOurs(host) else { throw .refusing(.misdirected) }
    guard request.method == .post else { return }
    switch (request[header: "sec-fetch-site"], request[header: "origin"]) {
    case ("same-origin"?, _): return
    case (nil, let origin?) where origin.lowercased().hasSuffix("://\(host.lowercased())"): return
    default: throw .refusing(.forbidden)
    }
  }

  private func isOurs(_ host: String) -> Bool {
    var name = host.lowercased()[...]
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]") else { return false }
      let port = name[name.index(after: end)...]
      return Self.isPort(port) && Self.isAddress(name[..<end].dropFirst(), AF_INET6)
    }
    if let colon = name.firstIndex(of: ":") {
      guard Self.isPort(name[colon...]) else { return false }
      name = name[..<colon]
    }
    if name.hasSuffix(".") { name = name.dropLast() }
    return names.contains(String(name)) || Self.isAddress(name, AF_INET)
  }

  /// `:8750`, or nothing.
  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
  }

  private static func isAddress(_ text: some StringProtocol, _ family: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { inet_pton(family, String(text), $0.baseAddress) == 1 }
  }
}
