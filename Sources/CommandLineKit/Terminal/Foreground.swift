public import Processes

/// Running a program in the foreground that has the terminal to itself: a player, for example.
public enum Foreground {
  /// Runs the program until it ends, or ends it on an interrupt. The terminal is restored afterwards.
  /// - Returns: nil when the program was ended.
  /// - Throws: ``SystemError`` when it cannot be started.
  public static func run(_ words: [String], on terminal: Terminal) throws(SystemError) -> ExitStatus? {
    do {
      return try TerminalMode.lent {
        let status = try Spawn.start(words).waitOrEnd()
        // A program ended in the middle may have hidden the cursor.
        if status == nil, terminal.isOutputTerminal {
          try? FileDescriptor.write(Array("\u{1B}[0m\u{1B}[?25h".utf8), to: 1)
        }
        return status
      }
    } catch let error as SystemError {
      throw error
    } catch {
      throw SystemError(0, "start \((words.first ?? "").quoted)")
    }
  }
}
