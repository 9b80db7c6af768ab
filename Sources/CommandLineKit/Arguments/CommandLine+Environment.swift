internal import CStart
import Glibc

extension CommandLine {
  /// The variables of the environment that are valid UTF-8, as the program was started with them.
  public static var environment: [String: String] {
    let first = start_environment()
    var count = 0
    while first[count] != nil { count += 1 }
    var variables = [String: String](minimumCapacity: count)
    var pointer = first
    while let entry = pointer.pointee {
      pointer += 1
      guard let equals = strchr(entry, Int32(UInt8(ascii: "="))) else { continue }
      let name = UnsafeRawBufferPointer(start: entry, count: equals - entry)
      if let name = String(validating: name, as: UTF8.self), let value = String(validatingCString: equals + 1),
        variables[name] == nil
      {
        variables[name] = value
      }
    }
    return variables
  }
}
