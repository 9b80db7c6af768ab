internal import CommandLineKit

extension Context {
  /// Something to know beside what was shown, in as many lines as it takes.
  /// - Parameter command: the words of a command, which is printed whole, to be copied.
  func note(dim text: String, command: [String] = []) throws {
    let command = command.joined(separator: " ")
    let isShort = text.cellWidth + 1 + command.cellWidth <= terminal.width
    let lines = isShort && !command.isEmpty ? ["\(text) \(command)"] : text.wrapped(to: max(20, terminal.width))
    for line in lines { try print(styled(safe(line), .dim)) }
    if !isShort, !command.isEmpty { try print(styled(safe("  " + command), .dim)) }
  }
}
