internal import Glibc

/// Distinguishes requests from the server's own pages from those that a foreign page makes the browser send.
public struct WebGuard: Sendable {
  /// The names of the server, in lower case.
  private let names: Set<String>

  /// - Parameter names: the names of the server besides `localhost` and all numeric addresses.
  public init(names: [String]) { self.names = Set(names.map { $0.lowercased() } + ["localhost"]) }

  /// Refuses requests for another server, and forms from foreign pages.
  ///
  /// A foreign name may resolve to this server (DNS rebinding). A page under that name gets no answer, because the name
  /// is not one of ours; numeric addresses cannot be rebound. A form must come from our own pages. Browsers report this
  /// in `Sec-Fetch-Site` (<https://www.w3.org/TR/fetch-metadata/>), older ones in `Origin`.
  /// - Throws: the refusal as a ``WebResponse``.
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
