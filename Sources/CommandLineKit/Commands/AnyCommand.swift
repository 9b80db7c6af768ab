/// A command of whatever type, for the program's list.
public struct AnyCommand<Context>: Sendable {
  /// Its name and words of help.
  public let description: CommandDescription
  private let argumentInfos: @Sendable () -> [ArgumentInfo]
  private let make: @Sendable ([ArgumentMatch]) throws(UsageError) -> any Command<Context>

  /// A command for the list.
  public init<C: Command>(_ type: C.Type) where C.Context == Context {
    description = C.info.description
    argumentInfos = { C.info.arguments.map(\.info) }
    make = { matches throws(UsageError) in try C.make(from: matches, C.info.arguments) }
  }

  /// What it accepts.
  public var arguments: [ArgumentInfo] { argumentInfos() }

  func command(from matches: [ArgumentMatch]) throws(UsageError) -> any Command<Context> { try make(matches) }
}
