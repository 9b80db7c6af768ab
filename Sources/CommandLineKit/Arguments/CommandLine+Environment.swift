internal import CStart
import Glibc

extension CommandLine {
  /// The variables of the environment, as the program was started with them, and the names of those whose values are
  /// not valid UTF-8.
  public static var environment: (variables: [String: String], unreadable: [String]) {
    let first = start_environment()
    var count = 0
    while first[count] != nil { count += 1 }
    var (variables, unreadable) = ([String: String](minimumCapacity: count), [String]())
    for place in 0..<count {
      guard let entry = first[place], let equals = strchr(entry, Int32(UInt8(ascii: "="))) else { continue }
      let name = UnsafeRawBufferPointer(start: entry, count: equals - entry)
      guard let name = String(validating: name, as: UTF8.self), variables[name] == nil else { continue }
      if let value = String(validatingCString: equals + 1) { variables[name] = value } else { unreadable.append(name) }
    }
    return (variables, unreadable)
  }
}
