import Foundation
import Synchronization

/// A server on 127.0.0.1 that imitates the public services as they behave in autumn 2026, each under a path of its own.
///
///     let services = try Services()
///     services.set(.openLibrary, to: .forbidden)
///     services.set(.googleBooks, to: .flickering(count: 3))
///     try sandbox.configure(services.configuration())
///     // … run the program …
///     #expect(services.questions(to: .openLibrary).count == 1)
///
/// Without a refusal, a service behaves as the real one does: Open Library, MusicBrainz, Wikidata and Inventaire answer
/// only programs that name a contact; TMDB, Kakao and Discogs want a key; Google Books answers 429 without one. Any key
/// will do. All services know the same few works: ``Catalogue``.
public final class Services: Sendable {
  /// A request that arrived.
  public struct Question: Sendable, Hashable {
    /// Nil when no service has this path.
    public var service: Service?
    public var method: String
    /// The path after the service's name, with the query: `/search.json?q=dune`.
    public var path: String
    public var userAgent: String
    /// The headers, with names in lower case.
    public var headers: [String: String]
    /// The outcome: `200`, `403`, `hung up`, `200 after 2.0 s`.
    public var outcome: String
  }

  public let port: Int
  public var url: String { "http://127.0.0.1:\(port)" }
  /// The requests so far, in the order of arrival.
  public var questions: [Question] { state.questions.withLock { $0 } }

  private let state: State
  /// Nil while all services are away.
  private let server: Mutex<LoopbackServer?>

  /// - Parameters:
  ///   - port: the port, or 0 for any free one.
  ///   - noting: called with each request before it is answered, on any thread.
  public init(port: Int = 0, noting: @escaping @Sendable (Question) -> Void = { _ in }) throws {
    let state = try State(noting: noting)
    let server = try LoopbackServer(port: port) { state.reply(to: $0) }
    (self.state, self.port) = (state, server.port)
    self.server = Mutex(server)
    let url = self.url
    state.url.withLock { $0 = url }
  }

  /// The base address of a service. For one that is away, connections are refused there.
  public func url(of service: Service) -> String { state.url(of: service) }

  /// Makes a service refuse from now on; nil restores its usual answers.
  ///
  /// For a service that is `away`, ``url(of:)`` and ``configuration(of:)`` return an address where connections are
  /// refused. At its usual address, connections are reset; once all services are away, they are refused there, too.
  ///
  /// - Precondition: the service supports this refusal: ``Service/refusals``.
  public func set(_ service: Service, to refusal: Refusal?) {
    precondition(
      refusal.map { service.refusals.contains($0.name) } ?? true,
      "\(service.rawValue) has no refusal \(refusal?.name.rawValue ?? "")")
    state.moods.withLock { $0[service] = refusal.map { (refusal: $0, times: 0) } }
    server.withLock { server in
      if state.isDeserted { server = nil } else if server == nil { server = reopened() }
    }
  }

  /// Makes all services that support this refusal refuse from now on; nil restores their usual answers.
  public func setAll(to refusal: Refusal?) {
    for service in Service.allCases where refusal.map({ service.refusals.contains($0.name) }) ?? true {
      set(service, to: refusal)
    }
  }

  /// The current refusal of a service; nil when it answers.
  public func refusal(of service: Service) -> Refusal? { state.moods.withLock { $0[service]?.refusal } }

  /// The requests to one service, in the order of arrival.
  public func questions(to service: Service) -> [Question] { questions.filter { $0.service == service } }

  /// The settings that direct the program to these services.
  public func configuration(of services: [Service] = Service.allCases) -> [String: String] {
    services.reduce(into: [:]) { settings, service in
      if let setting = service.setting { settings[setting] = url(of: service) }
    }
  }

  /// A server at the former port, which the system may hold for a moment.
  private func reopened() -> LoopbackServer? {
    let state = state
    let end = Date(timeIntervalSinceNow: Patience.seconds)
    while Date() < end {
      if let server = try? LoopbackServer(port: port, { state.reply(to: $0) }) { return server }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return nil
  }
}

/// The state that all connections share.
private final class State: Sendable {
  let moods = Mutex<[Service: (refusal: Refusal, times: Int)]>([:])
  let questions = Mutex<[Services.Question]>([])
  let url = Mutex("")
  private let noting: @Sendable (Services.Question) -> Void
  /// A socket that never listens: it keeps its port from other programs.
  private let closed: (socket: Int32, port: Int)

  init(noting: @escaping @Sendable (Services.Question) -> Void) throws {
    self.noting = noting
    closed = try LoopbackServer.bound()
  }

  deinit { close(closed.socket) }

  /// Whether all services are away.
  var isDeserted: Bool {
    moods.withLock { moods in Service.allCases.allSatisfy { moods[$0]?.refusal == .away } }
  }

  func url(of service: Service) -> String {
    let isAway = moods.withLock { $0[service]?.refusal == .away }
    return (isAway ? "http://127.0.0.1:\(closed.port)" : url.withLock { $0 }) + "/\(service.rawValue)"
  }

  func reply(to question: LoopbackServer.Question) -> LoopbackServer.Reply {
    let (path, query) = Ask.parts(of: question.path)
    let service = path.first.flatMap { Service(rawValue: $0) }
    let answer =
      service.map { service in
        let url: @Sendable (Service) -> String = { self.url(of: $0) }
        return self.answer(
          to: Ask(
            service: service, path: Array(path.dropFirst()), query: query, headers: question.headers, url: url))
      } ?? Answer.text("There is no such service here.\n", status: 404)
    let noted = Services.Question(
      service: service, method: question.method,
      path: service.map { String(question.path.dropFirst($0.rawValue.utf8.count + 1)) } ?? question.path,
      userAgent: question.headers["user-agent"] ?? "", headers: question.headers, outcome: answer.outcome)
    questions.withLock { $0.append(noted) }
    noting(noted)
    return answer.reply
  }

  private func answer(to ask: Ask) -> Answer {
    let usual = ask.service.manner.answer(ask)
    let mood = moods.withLock { moods in
      moods[ask.service]?.times += 1
      return moods[ask.service]
    }
    guard let (refusal, times) = mood, let form = ask.service.manner.form(of: refusal.name) else { return usual }
    return form(Refusal.Situation(refusal: refusal, ask: ask, usual: usual, times: times))
  }
}
