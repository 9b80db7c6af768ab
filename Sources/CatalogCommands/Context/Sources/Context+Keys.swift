internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import Processes

/// The origin of the key of a source. The environment wins over the configuration, and there a stored key over a
/// program that prints one.
enum KeyOrigin: Equatable {
  case environment(variable: String)
  case configuration
  case command(String)
}

extension Context {
  /// The reason why a source failed. For a key that the source rejects, it names the key's origin. With `--offline` no
  /// source is asked, and so none lacks a key.
  func failure(_ error: SourceError, of source: Source) -> Failure {
    Failure(
      globals.isOffline && error.isOfKey ? .network(.offline(host: "")) : error, source: source,
      keyOrigin: (try? keyOrigin(of: source)) ?? nil, hasContact: (try? !lacksContact()) ?? true)
  }

  /// The origin of a source's key, without starting a program; nil when there is no key.
  func keyOrigin(of source: Source) throws -> KeyOrigin? {
    guard let need = source.key else { return nil }
    if environment[need.variable]?.isEmpty == false { return .environment(variable: need.variable) }
    let configuration = try configuration()
    if configuration.key(of: source) != nil { return .configuration }
    return configuration.keyCommand(of: source).map { .command($0) }
  }

  /// The key of a source; nil when it needs none or there is none.
  /// - Throws: ``Failure`` when the stored text is not a key; the error does not show it.
  func key(of source: Source) throws -> String? {
    switch try keyOrigin(of: source) {
    case nil: return nil
    case .environment(let variable):
      guard let key = KeyRequirement.key(in: environment[variable] ?? "") else {
        throw Failure(
          "\(variable) does not hold a key", hint: "a key is one word of visible characters", status: .keyNeeded)
      }
      return key
    case .configuration:
      guard let key = KeyRequirement.key(in: try configuration().key(of: source) ?? "") else {
        throw Failure(
          "the stored key of \(source.name) is not valid", hint: "set it again: catalog source key \(source.id)",
          status: .keyNeeded)
      }
      return key
    case .command(let command):
      if let key = state.keys[command] { return key }
      let key = try self.key(printedBy: command, for: source)
      state.keys[command] = key
      return key
    }
  }

  /// The key that a program prints on its first line. The program may ask for a password on the terminal; it never
  /// reads piped input of `catalog`.
  func key(printedBy command: String, for source: Source) throws -> String {
    let words = Spawn.words(of: command)
    let program = words.first ?? ""
    let hint: Message = "try it yourself: \(command)"
    let printed: Spawn.Captured
    output.flushIgnoringErrors()
    do throws(SystemError) {
      printed = try Spawn.capture(words, input: terminal.isInputTerminal ? .inherit : .null, limit: 64 << 10)
    } catch {
      throw Failure(
        "the key of \(source.name) could not be asked for: \(error.description)", hint: hint, status: .keyNeeded)
    }
    try Interrupt.check()
    guard printed.status?.isSuccess == true else {
      throw Failure("\(program.quoted), which prints the key of \(source.name), failed", hint: hint, status: .keyNeeded)
    }
    guard let key = KeyRequirement.key(in: String(decoding: printed.output, as: UTF8.self)) else {
      throw Failure("\(program.quoted) printed no key of \(source.name)", hint: hint, status: .keyNeeded)
    }
    return key
  }
}
