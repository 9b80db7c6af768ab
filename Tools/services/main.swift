// Imitates the public services on this computer, well-behaved or not: see CONTRIBUTING.md.
//
//     make services                                     starts it
//     services [--port N] [SERVICE=REFUSAL ...]         the same, with services that refuse: openlibrary=forbidden
//     services --list                                   lists the services and their refusals
//
// While it runs, each line of standard input is such a SERVICE=REFUSAL, too: musicbrainz=hangUp, all=away. `usual` ends
// a refusal. Standard output has a line for each question. It ends with its input.
import Foundation
import TestSupport

/// Writes a line at once, even to a pipe.
@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

func complain(_ text: String) { FileHandle.standardError.write(Data("services: \(text)\n".utf8)) }

func stop(_ text: String) -> Never {
  complain(text)
  exit(2)
}

/// A typed change: the services and their new refusal.
struct Change {
  var services: [Service]
  /// Nil to answer as usual.
  var refusal: Refusal?

  struct Problem: Error { var text: String }

  init(_ text: String) throws(Problem) {
    let sides = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    guard let name = sides.first?.lowercased(), let word = sides.dropFirst().first else {
      throw Problem(text: "'\(text)' is not SERVICE=REFUSAL, such as openlibrary=forbidden")
    }
    let service = Service(rawValue: name)
    guard service != nil || name == "all" else {
      throw Problem(text: "there is no service '\(name)'; --list lists them")
    }
    if word != "usual" {
      guard let refusal = Refusal(word) else {
        throw Problem(text: "there is no refusal '\(word)'; --list lists them")
      }
      self.refusal = refusal
    }
    let refusal = refusal
    services = (service.map { [$0] } ?? Service.allCases).filter { service in
      refusal.map { service.refusals.contains($0.name) } ?? true
    }
    if services.isEmpty { throw Problem(text: "\(name) never refuses with '\(word)'; --list lists how it does") }
  }

  func apply(to services: Services) {
    let wereAway = self.services.map { services.refusal(of: $0) == .away }
    for service in self.services { services.set(service, to: refusal) }
    // Their addresses have changed. When all change, the port itself refuses or answers.
    guard self.services.count < Service.allCases.count else { return }
    for (service, wasAway) in zip(self.services, wereAway) where wasAway != (refusal == .away) {
      printSetting(of: service, in: services)
    }
  }
}

func printSetting(of service: Service, in services: Services) {
  if let setting = service.setting { say("catalog config set \(setting) \(services.url(of: service))") }
}

func printList() {
  say("refusals:")
  for name in Refusal.Name.allCases {
    say("  \(name.rawValue.padding(toLength: 15, withPad: " ", startingAt: 0)) \(name.summary)")
  }
  say("\nservices, and the refusals that not all of them have:")
  let common = Set(Service.allCases.map { Set($0.refusals) }.reduce(Set(Refusal.Name.allCases)) { $0.intersection($1) })
  for service in Service.allCases {
    let own = service.refusals.filter { !common.contains($0) }.map(\.rawValue).joined(separator: " ")
    say("  \(service.rawValue.padding(toLength: 15, withPad: " ", startingAt: 0)) \(own)")
  }
}

/// Prints a line for each request: time, service, request, client, and outcome.
@Sendable func log(_ question: Services.Question) {
  var now = time(nil)
  var parts = tm()
  localtime_r(&now, &parts)
  let numbers = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
  let line = [
    numbers.joined(separator: ":"), question.service?.rawValue ?? "-", question.path, "\"\(question.userAgent)\"",
    question.outcome,
  ].joined(separator: "  ")
  say(line)
}

var words = CommandLine.arguments.dropFirst()
var port = 0
var changes: [Change] = []
while let word = words.popFirst() {
  switch word {
  case "--list":
    printList()
    exit(0)
  case "--port":
    guard let number = words.popFirst().flatMap({ UInt16($0) }) else { stop("--port wants a number up to 65535") }
    port = Int(number)
  default:
    do throws(Change.Problem) { changes.append(try Change(word)) } catch { stop(error.text) }
  }
}

do {
  let services = try Services(port: port, noting: log)
  for change in changes { for service in change.services { services.set(service, to: change.refusal) } }
  say("# To lead the program here, in a shell with a home of its own: export HOME=$(mktemp -d)")
  for service in Service.allCases { printSetting(of: service, in: services) }
  say("# Any key will do: CATALOG_TMDB_TOKEN=x CATALOG_KAKAO_KEY=x CATALOG_DISCOGS_TOKEN=x CATALOG_GOOGLEBOOKS_KEY=x")
  say(
    "# Type SERVICE=REFUSAL, such as openlibrary=forbidden or all=away; SERVICE=usual ends it. Ctrl-D ends the server.")
  while let line = readLine() {
    let text = line.trimmingCharacters(in: .whitespaces)
    if text.isEmpty { continue }
    do throws(Change.Problem) { try Change(text).apply(to: services) } catch { complain(error.text) }
  }
} catch {
  stop("the server does not start: \(error)")
}
