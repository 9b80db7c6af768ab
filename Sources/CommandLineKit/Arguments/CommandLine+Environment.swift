internal import CStart
import Glibc

extension CommandLine {
  /// The variables of the environment that are valid UTF-8, as the program was started with them.
  public static var environment: [String: String] {
    var variables: [String: String] = [:]
    forEachVariable { name, value in
      if variables[name] == nil, let value = String(validatingCString: value) { variables[name] = value }
    }
    return variables
  }

  /// Makes sure that the program's own variables can be read: one that cannot is not as one that is not set.
  /// - Parameter isOurs: whether a variable of this name is one of them.
  public static func requireReadable(_ isOurs: (String) -> Bool) throws(UsageError) {
    var broken: String?
    forEachVariable { name, value in
      if broken == nil, isOurs(name), String(validatingCString: value) == nil { broken = name }
    }
    if let broken { throw UsageError("the value of \(broken) is not valid UTF-8") }
  }

  private static func forEachVariable(_ body: (_ name: String, _ value: UnsafePointer<CChar>) -> Void) {
    var pointer = start_environment()
    while let entry = pointer.pointee {
      pointer += 1
      guard let equals = strchr(entry, Int32(UInt8(ascii: "="))) else { continue }
      let name = UnsafeRawBufferPointer(start: entry, count: equals - entry)
      if let name = String(validating: name, as: UTF8.self) { body(name, equals + 1) }
    }
  }
}
