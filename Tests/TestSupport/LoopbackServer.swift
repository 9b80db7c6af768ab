import Foundation
import Synchronization

/// A web server on 127.0.0.1 that answers as a test demands, also wrongly.
///
///     let server = try LoopbackServer { question in
///       question.path.hasPrefix("/search") ? .answer(body: recorded) : .hang
///     }
///     // … ask server.url …
///     #expect(server.questions.count == 1)
///
/// It runs in threads of its own until it is deallocated.
public final class LoopbackServer: Sendable {
  /// A request of a client.
  public struct Question: Sendable, Hashable {
    public var method: String
    /// The path with the query.
    public var path: String
    /// The headers, with names in lower case.
    public var headers: [String: String]
    /// The body, if the request has a length.
    public var body: [UInt8]
  }

  /// A reply to a request: one of these, or a closure that writes to the connection.
  public struct Reply: Sendable {
    public let write: @Sendable (Connection) -> Void

    public init(_ write: @escaping @Sendable (Connection) -> Void) { self.write = write }

    /// A correct answer.
    public static func answer(
      _ status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []
    ) -> Reply {
      Reply { connection in
        connection.send(head(status, headers.merging(["Content-Length": "\(body.count)"]) { given, _ in given }))
        connection.send(body)
      }
    }

    public static func answer(_ status: Int = 200, headers: [String: String] = [:], text: String) -> Reply {
      answer(status, headers: headers, body: Array(text.utf8))
    }

    public static func redirect(_ status: Int = 302, to url: String) -> Reply {
      answer(status, headers: ["Location": url])
    }

    /// Never answers.
    public static let hang = Reply { $0.waitForEnd() }

    /// Closes the connection without an answer.
    public static let hangUp = Reply { _ in }

    /// Announces more bytes than it sends.
    public static func truncated(_ body: [UInt8], claiming count: Int) -> Reply {
      Reply { connection in
        connection.send(head(200, ["Content-Length": "\(count)"]))
        connection.send(body)
      }
    }

    /// Sends many bytes in chunks, without a length.
    public static func chunked(count: Int) -> Reply {
      Reply { connection in
        connection.send(head(200, ["Transfer-Encoding": "chunked"]))
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x10000) + Array("\r\n".utf8)
        for _ in 0..<count / 0x10000 where connection.isOpen { connection.send(chunk) }
        connection.send(Array("0\r\n\r\n".utf8))
      }
    }

    /// Sends one byte at a time.
    public static func drip(_ body: [UInt8], seconds: Double) -> Reply {
      Reply { connection in
        connection.send(head(200, ["Content-Length": "\(body.count)"]))
        for byte in body where connection.isOpen {
          connection.send([byte])
          Thread.sleep(forTimeInterval: seconds)
        }
      }
    }

    private static func head(_ status: Int, _ headers: [String: String]) -> [UInt8] {
      let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
      return Array("HTTP/1.1 \(status) Whatever\r\nConnection: close\r\n\(lines.joined())\r\n".utf8)
    }
  }

  /// A connection to a client.
  public final class Connection: Sendable {
    private let socket: Int32
    private let open = Atomic(true)
    private let isReset = Atomic(false)

    init(_ socket: Int32) { self.socket = socket }

    /// Whether the client is still connected.
    public var isOpen: Bool { open.load(ordering: .relaxed) }

    public func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty, isOpen {
        let count = rest.withUnsafeBytes {
          Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { rest = rest.dropFirst(count) } else { open.store(false, ordering: .relaxed) }
      }
    }

    /// Waits until the client has disconnected or the server stops.
    public func waitForEnd() { while !read().isEmpty {} }

    /// Waits for the time, or until the client has disconnected or the server stops.
    public func wait(seconds: Double) {
      var change = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      poll(&change, 1, Int32(clamping: Int(seconds * 1000)))
    }

    /// Resets the connection (RST).
    public func reset() {
      var setting = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
      isReset.store(true, ordering: .relaxed)
    }

    func read() -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 8192)
      let count = recv(socket, &buffer, buffer.count, 0)
      return Array(buffer.prefix(max(0, count)))
    }

    func question() -> Question? {
      var bytes: [UInt8] = []
      var end: Range<Int>?
      while end == nil {
        let more = read()
        if more.isEmpty || bytes.count > 1 << 20 { return nil }
        bytes += more
        end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
      }
      guard let end else { return nil }
      var lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
      let words = lines.removeFirst().split(separator: " ")
      guard words.count == 3 else { return nil }
      let headers = lines.compactMap { line -> (String, String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
      }
      var question = Question(
        method: String(words[0]), path: String(words[1]), headers: Dictionary(headers) { $0 + ", " + $1 },
        body: Array(bytes[end.upperBound...]))
      let count = question.headers["content-length"].flatMap { Int($0) } ?? 0
      while question.body.count < count, case let more = read(), !more.isEmpty { question.body += more }
      return question
    }

    /// Ends the connection in order, unless it will be reset when it is closed.
    func end() { if !isReset.load(ordering: .relaxed) { shutDown() } }
    func shutDown() { shutdown(socket, Int32(SHUT_RDWR)) }
    func close() { Foundation.close(socket) }
  }

  public struct Failure: Error {
    var call: String
    var code = errno
  }

  public let port: Int
  public var url: String { "http://127.0.0.1:\(port)" }
  /// All requests so far, in the order of arrival.
  public var questions: [Question] { state.questions.withLock { $0 } }

  /// The number of accepted connections.
  public var connections: Int { state.accepted.load(ordering: .relaxed) }

  private let socket: Int32
  private let state = State()

  private final class State: Sendable {
    let questions = Mutex<[Question]>([])
    let accepted = Atomic(0)
    let connections = Mutex<[ObjectIdentifier: Connection]>([:])
  }

  /// - Parameter port: the port, or 0 for any free one.
  public init(port wanted: Int = 0, _ reply: @escaping @Sendable (Question) -> Reply) throws {
    (socket, port) = try Self.bound(to: wanted, reusing: true)
    guard listen(socket, 64) == 0 else { throw Failure(call: "listen") }
    let (socket, state) = (socket, state)
    Thread.detachNewThread {
      while case let accepted = accept(socket, nil, nil), accepted >= 0 {
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        state.accepted.add(1, ordering: .relaxed)
        let connection = Connection(accepted)
        state.connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        Thread.detachNewThread {
          if let question = connection.question() {
            state.questions.withLock { $0.append(question) }
            reply(question).write(connection)
          }
          connection.end()
          state.connections.withLock { connections in
            connections[ObjectIdentifier(connection)] = nil
            connection.close()
          }
        }
      }
      close(socket)
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    state.connections.withLock { for connection in $0.values { connection.shutDown() } }
  }

  /// A port of 127.0.0.1 without a listener.
  public static func closedPort() throws -> Int {
    let (socket, port) = try bound()
    close(socket)
    return port
  }

  /// A socket at a port of 127.0.0.1, where connections are refused until it listens.
  /// - Parameter isReusing: whether the port may still have old connections in the state TIME_WAIT.
  static func bound(to port: Int = 0, reusing isReusing: Bool = false) throws -> (socket: Int32, port: Int) {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw Failure(call: "socket") }
    if isReusing {
      var setting: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &setting, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(clamping: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(socket, generic, length) == 0 ? getsockname(socket, generic, &length) : -1
      }
    }
    guard code == 0 else {
      close(socket)
      throw Failure(call: "bind")
    }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }
}
