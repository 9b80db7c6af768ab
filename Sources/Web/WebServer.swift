internal import CEvent
internal import Glibc
public import Processes

/// A server for browsers: one thread that handles all connections, on libevent's evhttp.
///
///     let server = try WebServer(address: "127.0.0.1", port: 8750)
///     try server.run { request in .now(page(for: request)) } onTick: {}
///
/// A client that sends much, slowly or nothing does not affect the others: see ``Limits``.
public final class WebServer {
  /// The limits per connection and for all connections together.
  public struct Limits: Sendable {
    /// The maximum size of the lines before the body, in bytes.
    public var head = 16 << 10
    /// The maximum size of a form with its files, in bytes.
    public var body = 16 << 20
    /// The most bytes of all requests of which a part is missing.
    public var arriving = 64 << 20
    /// The time after which an idle connection is closed, in seconds.
    public var idle: Int32 = 20
    /// The time limit for receiving a request; a second more for each 128 KiB that have come.
    public var arrival = Duration.seconds(30)
    /// The number of simultaneous connections. A further one closes the oldest of the network that has the most.
    public var connections = 256
    /// The number of answers in progress; further requests are refused. A browser asks for six pictures at a time.
    public var works = 64
    /// The time that answers in progress have when the server ends.
    public var farewell = Duration.seconds(10)

    public init() {}
  }

  /// The port that the server listens on; the assigned one if port 0 was requested.
  public let port: UInt16
  private let limits: Limits
  private let base: OpaquePointer
  private let http: OpaquePointer
  private let socket: OpaquePointer
  private var answer: (WebRequest) -> WebAnswer = { _ in .now(.refusing(.unavailable)) }
  private var onTick: () -> Void = {}
  private var works: [Work] = []
  private var arrivals: [Int32: Arrival] = [:]
  /// The connections with a request that is not answered to its end, each with its descriptor.
  private var answering: [OpaquePointer: Int32] = [:]
  private var isEnding = false
  /// The connection of each buffer. An entry stays after its buffer is freed, until the address is reused.
  private var bufferevents: [OpaquePointer: OpaquePointer] = [:]
  /// At most as many connections are open.
  private var mostOpen = 0
  /// The known connections by the numbers of their sockets: which came first, and which were shut down.
  private var places: [ino_t: (number: Int, isLeaving: Bool)] = [:]
  private var lastNumber = 0

  /// An answer that is worked on.
  private struct Work {
    var request: OpaquePointer
    var connection: OpaquePointer?
    var event: OpaquePointer
    var descriptor: Int32
    var cancel: () -> Void
    var response: () -> WebResponse?
  }

  /// A request of which not all is there, by the descriptor of its connection.
  private struct Arrival {
    var buffer: OpaquePointer
    /// The number of its socket: another connection may have the descriptor by now.
    var socket: ino_t?
    var began: Duration
    /// The number of bytes that have come.
    var bytes = 0
    var head = RequestHead()
  }

  /// The interval for checking interrupts and slow connections: half a second.
  private static let tick = timeval(tv_sec: 0, tv_usec: 500_000)

  /// Starts to listen.
  /// - Parameter address: a numeric address of IPv4 or IPv6.
  /// - Throws: ``SystemError``: `EINVAL` for an invalid address, `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`.
  public init(address: String, port: UInt16, limits: Limits = Limits()) throws(SystemError) {
    let descriptor = try Self.listen(address, port)
    // Disables libevent's own log messages.
    event_set_log_callback { _, _ in }
    guard let base = event_base_new(), let http = evhttp_new(base),
      let socket = evhttp_accept_socket_with_handle(http, descriptor)
    else {
      close(descriptor)
      throw SystemError(ENOMEM, "listen")
    }
    (self.base, self.http, self.socket, self.limits) = (base, http, socket, limits)
    self.port = Self.port(of: descriptor)
    evhttp_set_max_headers_size(http, limits.head)
    evhttp_set_max_body_size(http, limits.body)
    evhttp_set_timeout(http, limits.idle)
    evhttp_set_allowed_methods(
      http, UInt16(EVHTTP_REQ_GET.rawValue | EVHTTP_REQ_HEAD.rawValue | EVHTTP_REQ_POST.rawValue))
    let this = Unmanaged.passUnretained(self).toOpaque()
    evhttp_set_gencb(http, { request, this in if let request { WebServer.from(this)?.take(request) } }, this)
    evhttp_set_bevcb(http, { _, this in WebServer.from(this)?.connection() }, this)
  }

  deinit {
    // Connections that close now must not be dropped a second time.
    let pending = works
    works = []
    for work in pending { Self.free(work) }
    evhttp_free(http)
    event_base_free(base)
  }

  /// Answers requests until the program should stop (``Interrupt``).
  /// - Parameters:
  ///   - answer: makes an answer. No other request is answered meanwhile.
  ///   - onTick: called twice a second.
  public func run(_ answer: @escaping (WebRequest) -> WebAnswer, onTick: @escaping () -> Void) {
    (self.answer, self.onTick) = (answer, onTick)
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard let timer = event_new(base, -1, Int16(EV_PERSIST), { _, _, this in WebServer.from(this)?.look() }, this)
    else {
      return
    }
    defer { event_free(timer) }
    var tick = Self.tick
    event_add(timer, &tick)
    while !Interrupt.isRequested, event_base_loop(base, EVLOOP_ONCE) == 0 {}
    end()
  }

  /// Answers what is in progress, and nothing else: what was written must not look as if it was not.
  private func end() {
    isEnding = true
    if let listener = evhttp_bound_socket_get_listener(socket) { evconnlistener_disable(listener) }
    for work in works { work.cancel() }
    let end = Uptime.now() + limits.farewell
    while !answering.isEmpty, Uptime.now() < end, event_base_loop(base, EVLOOP_ONCE) == 0 {}
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> WebServer? {
    pointer.map { Unmanaged<WebServer>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Requests

  private func take(_ request: OpaquePointer) {
    guard let connection = evhttp_request_get_connection(request),
      let bufferevent = evhttp_connection_get_bufferevent(connection)
    else { return send(.refusing(.badRequest), to: request, closes: true) }
    let descriptor = bufferevent_getfd(bufferevent)
    let head = arrivals.removeValue(forKey: descriptor)?.head
    // The next request may be there, too.
    if let input = bufferevent_get_input(bufferevent) { came(input, evbuffer_get_length(input)) }
    answering[connection] = descriptor
    let this = Unmanaged.passUnretained(self).toOpaque()
    evhttp_connection_set_closecb(connection, { connection, this in WebServer.from(this)?.forget(connection) }, this)
    evhttp_request_set_on_complete_cb(request, { request, this in WebServer.from(this)?.answered(request) }, this)
    do throws(WebResponse) {
      guard !isEnding else { throw .refusing(.unavailable) }
      guard head?.hasNull != true else { throw .refusing(.badRequest) }
      let read = try Self.read(request, from: ClientNetwork(of: descriptor))
      do throws(WebResponse) {
        switch answer(read) {
        case .now(let response): send(response, to: request)
        case .later(let ready, let cancel, let response):
          try wait(for: ready, cancel, response, request, connection)
        }
      } catch {
        send(error, to: request)
      }
    } catch {
      // The following bytes may be a part of this request.
      send(error, to: request, closes: true)
    }
  }

  /// The answer to a request was sent.
  private func answered(_ request: OpaquePointer?) {
    guard let connection = request.flatMap({ evhttp_request_get_connection($0) }) else { return }
    answering[connection] = nil
    evhttp_connection_set_closecb(connection, nil, nil)
  }

  private static func read(_ request: OpaquePointer, from client: ClientNetwork?) throws(WebResponse) -> WebRequest {
    guard let target = evhttp_request_get_uri(request) else { throw .refusing(.badRequest) }
    var headers: [(name: String, value: String)] = []
    var line = evhttp_request_get_input_headers(request)?.pointee.tqh_first
    while let header = line {
      if let name = header.pointee.key, let value = header.pointee.value {
        headers.append((String(cString: name), String(cString: value)))
      }
      line = header.pointee.next.tqe_next
    }
    var body: [UInt8] = []
    if let buffer = evhttp_request_get_input_buffer(request) {
      let length = evbuffer_get_length(buffer)
      body = [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
        count = max(0, evbuffer_copyout(buffer, bytes.baseAddress, length))
      }
    }
    let isPost = evhttp_request_get_command(request) == EVHTTP_REQ_POST
    return try WebRequest(
      method: isPost ? .post : .get, target: String(cString: target), headers: headers, body: body,
      from: client)
  }

  /// - Parameter closes: whether the connection is closed behind it.
  private func send(_ response: WebResponse, to request: OpaquePointer, closes: Bool = false) {
    let headers = evhttp_request_get_output_headers(request)
    // A line feed in a value is refused there.
    for header in response.headers { evhttp_add_header(headers, header.name, header.value) }
    if closes || isEnding { evhttp_add_header(headers, "Connection", "close") }
    let buffer = evbuffer_new()
    defer { if let buffer { evbuffer_free(buffer) } }
    if response.status != .notModified { evhttp_add_header(headers, "Content-Length", "\(response.body.count)") }
    if evhttp_request_get_command(request) != EVHTTP_REQ_HEAD {
      response.body.withUnsafeBytes { _ = evbuffer_add(buffer, $0.baseAddress, $0.count) }
    }
    evhttp_send_reply(request, Int32(clamping: response.status.rawValue), nil, buffer)
  }

  // MARK: Work

  private func wait(
    for descriptor: Int32, _ cancel: @escaping () -> Void, _ response: @escaping () -> WebResponse?,
    _ request: OpaquePointer, _ connection: OpaquePointer
  ) throws(WebResponse) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard works.count < limits.works,
      let event = event_new(
        base, descriptor, Int16(EV_READ), { descriptor, _, this in WebServer.from(this)?.end(descriptor) }, this)
    else { throw .refusing(.unavailable) }
    event_add(event, nil)
    works.append(
      Work(
        request: request, connection: connection, event: event, descriptor: descriptor, cancel: cancel,
        response: response))
  }

  private func end(_ descriptor: Int32) {
    // Several requests may wait for one work.
    while let place = works.firstIndex(where: { $0.descriptor == descriptor }) {
      let work = works.remove(at: place)
      event_free(work.event)
      send(work.response() ?? .refusing(.failed), to: work.request)
    }
  }

  /// Drops the work for a closed connection.
  private func forget(_ connection: OpaquePointer?) {
    if let connection { answering[connection] = nil }
    while let place = works.firstIndex(where: { $0.connection == connection }) {
      Self.free(works.remove(at: place))
    }
  }

  private static func free(_ work: Work) {
    event_free(work.event)
    // A request that was detached from its connection must be freed here.
    if evhttp_request_get_connection(work.request) == nil { evhttp_request_free(work.request) }
  }

  // MARK: Connections

  /// A connection begins.
  private func connection() -> OpaquePointer? {
    mostOpen += 1
    if mostOpen > limits.connections { makeRoom() }
    guard let bufferevent = bufferevent_socket_new(base, -1, 0), let input = bufferevent_get_input(bufferevent) else {
      return nil
    }
    // The connection previously at this address is closed.
    arrivals = arrivals.filter { $0.value.buffer != input }
    bufferevents[input] = bufferevent
    evbuffer_add_cb(
      input,
      { buffer, info, this in
        guard let info, info.pointee.n_added > 0, let buffer else { return }
        WebServer.from(this)?.came(buffer, Int(clamping: info.pointee.n_added))
      }, Unmanaged.passUnretained(self).toOpaque())
    return bufferevent
  }

  /// Bytes came, the last ones of the buffer.
  private func came(_ buffer: OpaquePointer, _ count: Int) {
    guard count > 0, let descriptor = bufferevents[buffer].map({ bufferevent_getfd($0) }) else { return }
    var arrival: Arrival
    if let known = arrivals[descriptor], known.buffer == buffer {
      arrival = known
    } else {
      arrival = Arrival(buffer: buffer, socket: Self.socket(descriptor), began: Uptime.now())
    }
    if !arrival.head.isWhole {
      var start = evbuffer_ptr()
      evbuffer_ptr_set(buffer, &start, evbuffer_get_length(buffer) - count, EVBUFFER_PTR_SET)
      arrival.head.read(
        [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
          read = max(0, evbuffer_copyout_from(buffer, &start, bytes.baseAddress, count))
        })
    }
    arrival.bytes += count
    arrivals[descriptor] = arrival
    if arrival.bytes > limits.head { limitArrivals() }
  }

  /// Closes the connection that sends most of the network that sends most, while all requests together are too large.
  private func limitArrivals() {
    var bytes = arrivals.values.reduce(0) { $0 + $1.bytes }
    while bytes > limits.arriving {
      let networks = Dictionary(grouping: arrivals) { ClientNetwork(of: $0.key) }
      func size(_ all: [(key: Int32, value: Arrival)]) -> Int { all.reduce(0) { $0 + $1.value.bytes } }
      let heaviest = networks.values.max { size($0) < size($1) }
      guard let (descriptor, arrival) = heaviest?.max(by: { $0.value.bytes < $1.value.bytes }) else { return }
      drop(descriptor, arrival)
      bytes -= arrival.bytes
    }
  }

  /// Ends a connection whose request does not come to its end.
  private func drop(_ descriptor: Int32, _ arrival: Arrival) {
    // It finds its connection at its end, and forgets it.
    if Self.socket(descriptor) == arrival.socket { shutdown(descriptor, Int32(SHUT_RDWR)) }
    arrivals[descriptor] = nil
  }

  /// Twice a second.
  private func look() {
    let now = Uptime.now()
    for (descriptor, arrival) in arrivals
    where now - arrival.began > limits.arrival + .seconds(arrival.bytes >> 17) { drop(descriptor, arrival) }
    if !isEnding { onTick() }
  }

  /// An open connection.
  private struct Place {
    var descriptor: Int32
    /// The number of its socket, which no other one has.
    var socket: ino_t
    var client: ClientNetwork
    /// The order in which they came.
    var number: Int
  }

  /// The most connections of this machine that are left alone while others have any.
  private static let mostOwn = 16

  /// Closes connections beyond the limit, so that no network keeps others out: the oldest idle one of the network that
  /// has the most.
  private func makeRoom() {
    let open = openConnections()
    mostOpen = open.count
    var networks = Dictionary(grouping: open, by: \.client)
    let busy = Set(answering.values)
    while mostOpen > limits.connections {
      let heaviest = networks.max { one, other in
        // The number of its connections, and how long ago the first of them came.
        func weight(_ of: (key: ClientNetwork, value: [Place])) -> (Int, Int) {
          let isSpared = of.key.isLoopback && of.value.count <= Self.mostOwn
          return (isSpared ? 0 : of.value.count, -(of.value.map(\.number).min() ?? .max))
        }
        return weight(one) < weight(other)
      }
      guard let client = heaviest?.key, var all = heaviest?.value, !all.isEmpty else { return }
      func isIdle(_ place: Place) -> Bool { !busy.contains(place.descriptor) }
      let place = all.filter(isIdle).min { $0.number < $1.number } ?? all[0]
      // It finds its connection at its end, and forgets it.
      shutdown(place.descriptor, Int32(SHUT_RDWR))
      places[place.socket]?.isLeaving = true
      all.removeAll { $0.socket == place.socket }
      networks[client] = all
      mostOpen -= 1
    }
  }

  /// The open connections that were not shut down. libevent does not report the end of a connection that never sent a
  /// request.
  private func openConnections() -> [Place] {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var open: [Place] = []
    var known: [ino_t: (number: Int, isLeaving: Bool)] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      // The listening socket has no other end.
      guard let descriptor = Int32(name), Self.port(of: descriptor) == port, let socket = Self.socket(descriptor),
        let client = ClientNetwork(of: descriptor)
      else { continue }
      let place = places[socket] ?? (number: lastNumber + 1, isLeaving: false)
      lastNumber = max(lastNumber, place.number)
      known[socket] = place
      if !place.isLeaving {
        open.append(Place(descriptor: descriptor, socket: socket, client: client, number: place.number))
      }
    }
    places = known
    return open
  }

  /// The number of an open socket, which no other one has.
  private static func socket(_ descriptor: Int32) -> ino_t? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_ino : nil
  }

  // MARK: Listening

  private static func listen(_ address: String, _ port: UInt16) throws(SystemError) -> Int32 {
    let attempt = "listen at \(address), port \(port)"
    var (four, six) = (sockaddr_in(), sockaddr_in6())
    let family: Int32
    if inet_pton(AF_INET, address, &four.sin_addr) == 1 {
      family = AF_INET
      (four.sin_family, four.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    } else if inet_pton(AF_INET6, address, &six.sin6_addr) == 1 {
      family = AF_INET6
      (six.sin6_family, six.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
    } else {
      throw SystemError(EINVAL, attempt)
    }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(family, kind, 0)
    guard descriptor >= 0 else { throw SystemError(errno, attempt) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    // The connections inherit it. libevent writes a long answer in parts, and none waits for the acknowledgement of the
    // last.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    func bound<Address>(_ address: inout Address) -> Int32 {
      withUnsafeBytes(of: &address) { bytes in
        bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
      }
    }
    guard (family == AF_INET ? bound(&four) : bound(&six)) == 0, Glibc.listen(descriptor, 128) == 0 else {
      let code = errno
      close(descriptor)
      throw SystemError(code, attempt)
    }
    return descriptor
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let code = withUnsafeMutableBytes(of: &address) { bytes in
      getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
    }
    // Both families have it at the same place.
    let isOne = code == 0 && [AF_INET, AF_INET6].contains(Int32(clamping: address.sin6_family))
    return isOne ? UInt16(bigEndian: address.sin6_port) : 0
  }
}
