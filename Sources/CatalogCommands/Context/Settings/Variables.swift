internal import CommandLineKit
internal import Lookup

/// The time to wait while another program writes to the catalog: `CATALOG_BUSY_TIMEOUT` seconds, by default 10. It is
/// no setting, since every command would have to read the file then.
struct BusyTimeout {
  var milliseconds = 10_000
  /// The longest time of one transaction of an import, since other writers wait meanwhile.
  static let longestTransaction = Duration.seconds(3)

  private static let variable = "CATALOG_BUSY_TIMEOUT"

  /// - Throws: ``UsageError`` for a value that is no time.
  init(_ environment: [String: String]) throws(UsageError) {
    guard let value = environment[Self.variable], !value.isEmpty else { return }
    guard let seconds = Double(value), (0...3600).contains(seconds) else {
      throw UsageError(
        "\(Self.variable): invalid time \(value.quoted)", hint: "give seconds from 0 to 3600, for example 30")
    }
    milliseconds = Int(seconds * 1000)
  }
}

extension Context {
  /// Checks the program's own variables of the environment, of which an empty one is as none. Those that name a catalog
  /// are checked when it is opened.
  /// - Throws: ``UsageError`` as for an option with a wrong value. A key that is none is only told: most commands need
  ///   no key.
  func checkVariables() throws(UsageError) {
    _ = try BusyTimeout(environment)
    let wrong = environment.filter { name, value in
      name.hasPrefix("CATALOG_") && !value.isEmpty && KeyRequirement.key(in: value) == nil
    }
    // The sources are made for a wrong one only, since every command comes by here.
    for name in wrong.keys.sorted() where sources.contains(where: { $0.key?.variable == name }) {
      warn("\(name) does not hold a key")
    }
  }
}
