internal import Glibc

/// Standard input, output and error as a program finds them.
public enum StandardStreams {
  /// Takes the places of the standard streams that are closed (`catalog add … >&-`). Call it first thing.
  ///
  /// The system gives the lowest number that is free to the next file that is opened, and a catalog or a configuration that
  /// got the number of standard output would be written into with all that is printed. A closed input is an empty one; a
  /// closed output fails as soon as something is to be printed.
  public static func holdClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // A folder that is opened for reading can never be written.
      _ = open(descriptor == STDIN_FILENO ? "/dev/null" : "/", O_RDONLY)
    }
  }
}
