/// What a file is, as far as its beginning tells.
public enum Shape: Sendable, Hashable {
  /// Cells between delimiters; the cells of the first line that is no preamble.
  case table(header: [String], delimiter: UInt8)
  /// A list of objects, or objects one after the other; the keys of the first as they stand in the file.
  case objects(keys: [String])
  /// One JSON object of which the members are told by key.
  case object(keys: [String])
  /// The name of its first element, and what that has for attributes.
  case xml(root: String, attributes: [String: String])
  /// The paths of the members, in the order of the archive.
  case zip(members: [String])
  /// The tables of an SQLite file.
  case database(tables: Set<String>)
  /// Lines of text: titles or codes.
  case lines
}
