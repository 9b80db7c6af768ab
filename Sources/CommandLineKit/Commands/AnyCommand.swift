/// A command of any type, for the program's list.
///
/// It stores only the type; descriptions and arguments are made when needed. So the start of a program does not become
/// slower with the number of its commands.
public struct AnyCommand<Context>: Sendable {
  private let type: any Command<Context>.Type

  /// A command for the list.
  public init<C: Command>(_ type: C.Type) where C.Context == Context { self.type = type }

  /// Its name and words of help.
  public var description: CommandDescription { type.infoDescription }

  public var arguments: [ArgumentInfo] { type.argumentInfos }

  func command(from matches: [ArgumentMatch]) throws(UsageError) -> any Command<Context> {
    try type.command(from: matches)
  }
}

extension Command {
  fileprivate static var infoDescription: CommandDescription { info.description }

  fileprivate static var argumentInfos: [ArgumentInfo] { arguments.map { $0.info } }

  fileprivate static func command(from matches: [ArgumentMatch]) throws(UsageError) -> any Command<Context> {
    try make(from: matches, arguments)
  }
}
