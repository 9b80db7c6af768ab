import Glibc
import Processes
import Synchronization
import TestSupport
import Testing

@testable import Web

/// Tests the server with a real socket, in a thread of its own.
struct WebServerTests {
  /// A server that runs until it is deallocated.
  private final class Running {
    let port: UInt16
    private let work: BackgroundWork<Void>

    init(_ limits: WebServer.Limits = .init(), _ answer: @escaping @Sendable (WebRequest) -> WebAnswer) throws {
      let port = Mutex<UInt16?>(nil)
      let shared = Shared(port)
      work = try BackgroundWork {
        let server = try WebServer(address: "127.0.0.1", port: 0, limits: limits)
        shared.port.withLock { $0 = server.port }
        server.run(answer, onTick: {})
      }
      while shared.port.withLock({ $0 }) == nil, work.result == nil { usleep(1_000) }
      self.port = try #require(shared.port.withLock { $0 })
    }

    deinit {
      work.cancel()
      work.wait(atMost: Patience.time)
    }

    private final class Shared: Sendable {
      let port: Mutex<UInt16?>
      init(_ port: consuming sending Mutex<UInt16?>) { self.port = port }
    }
  }

  /// A client connection that can send any bytes.
  private final class Connection {
    let descriptor: Int32

    /// - Parameter source: the address that the connection comes from.
    init(to port: UInt16, from source: String = "127.0.0.1") throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      inet_pton(AF_INET, source, &own.sin_addr)
      let bound = withUnsafeBytes(of: &own) {
        bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
      }
      try #require(bound == 0)
      var address = sockaddr_in()
      (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
      inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
      let code = withUnsafeBytes(of: &address) {
        connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
      }
      try #require(code == 0)
      // Nothing here takes as long; who waits for ever is told so.
      var patience = timeval(tv_sec: Patience.minutes * 60, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func say(_ text: String) { _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// Reads until the other side closes the connection, or sends nothing more.
    func rest() -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
    }
  }

  private func answer(_ text: String, of server: Running) throws -> String {
    let connection = try Connection(to: server.port)
    connection.say(text)
    return connection.rest()
  }

  private static func echo(_ request: WebRequest) -> WebAnswer {
    .now(WebResponse(type: "text/plain", Array("\(request.path) \(request.form["a"] ?? "-")".utf8)))
  }

  private static func get(_ path: String, _ lines: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  @Test func `the server answers GET, HEAD and POST requests`() throws {
    let server = try Running(.init(), Self.echo)
    let text = try answer(Self.get("/a/b"), of: server)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.contains("Content-Type: text/plain\r\n"))
    #expect(text.hasSuffix("\r\n\r\n[\"a\", \"b\"] -"))
    let head = try answer(Self.get("/a/b").replacing("GET", with: "HEAD"), of: server)
    #expect(head.contains("Content-Length: 12\r\n"))
    #expect(head.hasSuffix("\r\n\r\n"), "there is no body")
    let posted = try answer(
      "POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 5\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\n\r\na=%31", of: server)
    #expect(posted.hasSuffix("[\"x\"] 1"))
  }

  @Test func `a not modified answer has no body and no length`() throws {
    let server = try Running(.init()) { _ in .now(.notModified) }
    let text = try answer(Self.get("/"), of: server)
    #expect(text.hasPrefix("HTTP/1.1 304"))
    #expect(!text.contains("Content-Length"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test func `a connection can send several requests`() throws {
    let server = try Running(.init(), Self.echo)
    let connection = try Connection(to: server.port)
    connection.say("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.get("/2"))
    let text = connection.rest()
    #expect(text.contains("[\"1\"] -HTTP/1.1 200 OK"))
    #expect(text.hasSuffix("[\"2\"] -"))
  }

  @Test func `a malformed request is refused and the next one answered`() throws {
    var limits = WebServer.Limits()
    (limits.head, limits.body) = (2_000, 1_000)
    let server = try Running(limits, Self.echo)
    let host = "Host: localhost\r\nConnection: close\r\n"
    for (sent, status) in [
      ("GET http://evil.example/ HTTP/1.1\r\n\(host)\r\n", "400"), ("DELETE / HTTP/1.1\r\n\(host)\r\n", "501"),
      ("GET / HTTP/1.1\r\n\(host)Host: other\r\n\r\n", "400"),
      ("POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"),
      ("POST / HTTP/1.1\r\n\(host)Content-Length: 5000\r\n\r\n", "413"),
      ("GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 4_000))\r\n\r\n", "40"),
      ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n", ""), ("GET / HTTP/1.1\r\nno header\r\n\r\n", "400"),
      ("POST / HTTP/1.1\r\n\(host)Content-Length: -5\r\n\r\n", "40"),
    ] {
      let text = try answer(sent, of: server)
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 \(status)"), "\(sent.prefix(60)): \(text.prefix(40))")
      #expect(try answer(Self.get("/"), of: server).hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func `a large file comes whole, and a form above the limit is refused`() throws {
    var limits = WebServer.Limits()
    limits.body = 1 << 20
    let server = try Running(limits) { request in
      .now(WebResponse(type: "text/plain", Array("\(request.form.files.map(\.bytes.count))".utf8)))
    }
    for (size, status) in [(900_000, "200"), (1 << 20, "413")] {
      let head = "--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n"
      let body = "\(head)\(String(repeating: "a", count: size))\r\n--x--"
      let text = try answer(
        "POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
          + "Content-Type: multipart/form-data; boundary=x\r\n\r\n\(body)", of: server)
      #expect(text.hasPrefix("HTTP/1.1 \(status)"))
      if status == "200" { #expect(text.hasSuffix("[\(size)]")) }
    }
  }

  @Test func `unfinished requests of one network that are too large together do not keep out another`() throws {
    var limits = WebServer.Limits()
    limits.arriving = 400_000
    let server = try Running(limits, Self.echo)
    func begin(from source: String, _ size: Int) throws -> Connection {
      let connection = try Connection(to: server.port, from: source)
      connection.say(
        "POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 150000\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\n\r\n" + String(repeating: "a", count: size))
      return connection
    }
    let mine = try begin(from: "127.0.0.1", 120_000)
    let others = try (0..<4).map { _ in try begin(from: "127.0.0.2", 100_000) }
    // One of them is closed without an answer, and mine goes on.
    var ready = others.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    #expect(poll(&ready, nfds_t(ready.count), Patience.milliseconds) >= 1)
    mine.say(String(repeating: "a", count: 30_000))
    #expect(mine.rest().hasPrefix("HTTP/1.1 200"))
  }

  @Test func `a slow answer does not delay other requests`() throws {
    let mayEnd = Mutex(false)
    let gate = Gate(mayEnd)
    let server = try Running { request in
      guard request.path == ["slow"] else { return Self.echo(request) }
      do {
        let work = try BackgroundWork {
          while !gate.isOpen.withLock({ $0 }) { usleep(1_000) }
          return 7
        }
        return .after(work) { result in WebResponse(type: "text/plain", Array("\((try? result.get()) ?? 0)".utf8)) }
      } catch {
        return .now(.refusing(.failed))
      }
    }
    let slow = try Connection(to: server.port)
    slow.say(Self.get("/slow"))
    // A client that leaves early does no harm.
    try Connection(to: server.port).say(Self.get("/slow"))
    #expect(try answer(Self.get("/fast"), of: server).hasPrefix("HTTP/1.1 200"))
    gate.isOpen.withLock { $0 = true }
    #expect(slow.rest().hasSuffix("\r\n\r\n7"))
    #expect(try answer(Self.get("/fast"), of: server).hasPrefix("HTTP/1.1 200"))
  }

  @Test func `several requests can wait for one work`() throws {
    let gate = Gate(Mutex(false))
    let shared = Waiting()
    let server = try Running { request in
      shared.count.withLock { $0 += 1 }
      do {
        let work = try shared.work.withLock { known in
          let work = try known ?? BackgroundWork { while !gate.isOpen.withLock({ $0 }) { usleep(1_000) } }
          known = work
          return work
        }
        return .after(work) { _ in .redirect(to: "/done") }
      } catch {
        return .now(.refusing(.failed))
      }
    }
    let connections = try (0..<3).map { _ in try Connection(to: server.port) }
    for connection in connections { connection.say(Self.get("/")) }
    while shared.count.withLock({ $0 }) < 3 { usleep(1_000) }
    gate.isOpen.withLock { $0 = true }
    for connection in connections { #expect(connection.rest().contains("Location: /done")) }
  }

  private final class Waiting: Sendable {
    let work = Mutex<BackgroundWork<Void>?>(nil)
    let count = Mutex(0)
  }

  @Test func `a server that stops answers what is in progress`() throws {
    for _ in 0..<20 {
      let hasBegun = Gate(Mutex(false))
      var server: Running? = try Running { _ in
        do {
          let work = try BackgroundWork {
            hasBegun.isOpen.withLock { $0 = true }
            while !Interrupt.isRequested { usleep(1_000) }
          }
          return .after(work) { _ in .redirect(to: "/done") }
        } catch {
          return .now(.refusing(.failed))
        }
      }
      let waiting = try Connection(to: try #require(server).port)
      waiting.say(Self.get("/"))
      while !hasBegun.isOpen.withLock({ $0 }) { usleep(1_000) }
      server = nil
      #expect(waiting.rest().contains("Location: /done\r\n"))
    }
  }

  @Test func `a server that stops waits only so long for an answer`() throws {
    var limits = WebServer.Limits()
    limits.farewell = .milliseconds(50)
    let (hasBegun, mayEnd) = (Gate(Mutex(false)), Gate(Mutex(false)))
    var server: Running? = try Running(limits) { _ in
      do {
        let work = try BackgroundWork {
          hasBegun.isOpen.withLock { $0 = true }
          while !mayEnd.isOpen.withLock({ $0 }) { usleep(1_000) }
        }
        return .after(work) { _ in .redirect(to: "/done") }
      } catch {
        return .now(.refusing(.failed))
      }
    }
    let waiting = try Connection(to: try #require(server).port)
    waiting.say(Self.get("/"))
    while !hasBegun.isOpen.withLock({ $0 }) { usleep(1_000) }
    server = nil
    #expect(waiting.rest() == "")
    mayEnd.isOpen.withLock { $0 = true }
  }

  @Test(arguments: [
    "Content-Length: 0\r\nContent-Length: %", "Content-Length: %\r\nTransfer-Encoding: chunked", "Content-Length: +0",
    "Content-Length : %", "Content-Length: 0\r\nX-Other: a\0b", "Transfer-Encoding: identity",
  ])
  func `behind a request with an odd end nothing is read`(_ lines: String) throws {
    let server = try Running(.init(), Self.echo)
    let hidden = Self.get("/hidden")
    for method in ["POST", "GET"] {
      let text = try answer(
        "\(method) / HTTP/1.1\r\nHost: localhost\r\n\(lines.replacing("%", with: "\(hidden.utf8.count)"))\r\n\r\n\(hidden)",
        of: server)
      #expect(!text.contains("hidden"), "\(method)")
      #expect(!text.contains("200 OK"), "\(method)")
    }
    #expect(try answer(Self.get("/"), of: server).hasPrefix("HTTP/1.1 200"))
  }

  @Test func `a connection does not wait for acknowledgements`() throws {
    let server = try Running(.init(), Self.echo)
    let connection = try Connection(to: server.port)
    connection.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    var ready = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 20_000) == 1)
    var isSet: Int32 = 0
    for descriptor in 0..<Int32(1_024) {
      var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
      let code = withUnsafeMutableBytes(of: &address) {
        getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
      }
      guard code == 0, UInt16(bigEndian: address.sin_port) == server.port, ClientNetwork(of: descriptor) != nil else {
        continue
      }
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isSet, &length)
    }
    #expect(isSet != 0)
  }

  private final class Gate: Sendable {
    let isOpen: Mutex<Bool>
    init(_ isOpen: consuming sending Mutex<Bool>) { self.isOpen = isOpen }
  }

  @Test func `requests beyond the limit of unfinished answers are refused`() throws {
    var limits = WebServer.Limits()
    limits.works = 1
    let mayEnd = Mutex(false)
    let gate = Gate(mayEnd)
    let server = try Running(limits) { _ in
      do {
        let work = try BackgroundWork { while !gate.isOpen.withLock({ $0 }), !Interrupt.isRequested { usleep(1_000) } }
        return .after(work) { _ in .redirect(to: "/done") }
      } catch {
        return .now(.refusing(.failed))
      }
    }
    let first = try Connection(to: server.port)
    first.say(Self.get("/"))
    var refused = ""
    // Whichever of the two comes first is worked on.
    let second = try Connection(to: server.port)
    second.say(Self.get("/"))
    var ready = [
      pollfd(fd: first.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: second.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    #expect(poll(&ready, 2, Patience.milliseconds) == 1)
    refused = (ready[0].revents != 0 ? first : second).rest()
    #expect(refused.hasPrefix("HTTP/1.1 503"))
    gate.isOpen.withLock { $0 = true }
    #expect((ready[0].revents != 0 ? second : first).rest().contains("Location: /done"))
  }

  @Test func `a request that arrives too slowly is cut off`() throws {
    var limits = WebServer.Limits()
    limits.arrival = .milliseconds(100)
    let server = try Running(limits, Self.echo)
    // One that is whole in time stays, and may ask again later than that.
    let patient = try Connection(to: server.port)
    patient.say("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    var ready = pollfd(fd: patient.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, Patience.milliseconds) == 1)
    let slow = try Connection(to: server.port)
    slow.say("GET / HTTP/1.1\r\nHost: loc")
    #expect(!slow.rest().contains("200"))
    patient.say(Self.get("/2"))
    #expect(patient.rest().hasSuffix("[\"2\"] -"))
  }

  @Test func `no network keeps others out by its connections`() throws {
    var limits = WebServer.Limits()
    limits.connections = 40
    let server = try Running(limits, Self.echo)
    let owner = try Connection(to: server.port)
    owner.say("GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n")
    var ready = pollfd(fd: owner.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 20_000) == 1)
    var idle: [Connection] = []
    for number in 0..<100 {
      let connection = try Connection(to: server.port, from: "127.0.0.2")
      connection.say(number.isMultiple(of: 2) ? "GET / HTTP/1.1\r\n" : "")
      idle.append(connection)
    }
    let other = try Connection(to: server.port, from: "127.0.0.3")
    other.say(Self.get("/other"))
    #expect(other.rest().hasSuffix("[\"other\"] -"))
    // A connection that was there before stays, and the newest of the network, too.
    owner.say(Self.get("/second"))
    #expect(owner.rest().hasSuffix("[\"second\"] -"))
    idle[99].say(Self.get("/newest"))
    #expect(idle[99].rest().hasSuffix("[\"newest\"] -"))
    #expect(idle[0].rest() == "")
  }

  @Test func `the reason for a failed listen is reported`() throws {
    let server = try Running(.init(), Self.echo)
    let taken = #expect(throws: SystemError.self) { try WebServer(address: "127.0.0.1", port: server.port) }
    #expect(taken?.code == EADDRINUSE)
    for address in ["localhost", "", "1.2.3", "::g"] {
      let error = #expect(throws: SystemError.self) { try WebServer(address: address, port: 0) }
      #expect(error?.code == EINVAL)
    }
    let elsewhere = #expect(throws: SystemError.self) { try WebServer(address: "192.0.2.1", port: 0) }
    #expect(elsewhere?.code == EADDRNOTAVAIL)
  }
}
