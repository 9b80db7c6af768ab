internal import Glibc

/// Standard input, output and error as a program finds them.
public enum StandardStreams {
  /// Opens the standard streams that are closed (`catalog add … >&-`). Must be called at the start.
  ///
  /// The system gives the lowest free descriptor to the next opened file. If a catalog got that of standard output, all
  /// printed text would be written into it. A closed input becomes an empty one; output to a closed stream fails at
  /// once.
  public static func holdClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // A folder that is opened for reading can never be written.
      _ = open(descriptor == STDIN_FILENO ? "/dev/null" : "/", O_RDONLY)
    }
  }
}
