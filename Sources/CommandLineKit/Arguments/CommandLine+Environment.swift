import Glibc

extension CommandLine {
  /// The variables of the environment that are valid UTF-8, as the program was started with them.
  ///
  /// They stand behind the arguments, after a null (System V ABI, AMD64 supplement, 3.4.1; the same on every Linux).
  public static var environment: [String: String] {
    let first = unsafeArgv + Int(argc) + 1
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
