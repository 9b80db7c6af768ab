internal import CSQLite

/// Records what a piece of work changes, through SQLite's session extension. <https://sqlite.org/sessionintro.html>
public final class ChangeRecorder {
  private var session: OpaquePointer?
  private let connection: Connection

  /// Starts recording changes to all tables that have a primary key.
  public init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    var session: OpaquePointer?
    var code = sqlite3session_create(connection.handle, "main", &session)
    if code == SQLITE_OK { code = sqlite3session_attach(session, nil) }
    self.session = session
    guard code == SQLITE_OK else { throw SQLiteError(code, on: connection.handle) }
  }

  deinit { if let session { sqlite3session_delete(session) } }

  /// What has changed so far.
  public func changeset() throws(SQLiteError) -> Changeset {
    var count: Int32 = 0
    var start: UnsafeMutableRawPointer?
    let code = sqlite3session_changeset(session, &count, &start)
    defer { sqlite3_free(start) }
    guard code == SQLITE_OK else { throw SQLiteError(code, on: connection.handle) }
    return Changeset(bytes: Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
  }
}

/// Changes to a database, as bytes that can be stored, turned round and applied.
public struct Changeset: Sendable, Hashable {
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }

  public var isEmpty: Bool { bytes.isEmpty }

  /// The changes that undo these.
  public func inverted() throws(SQLiteError) -> Changeset {
    var count: Int32 = 0
    var start: UnsafeMutableRawPointer?
    let code = bytes.withUnsafeBytes { sqlite3changeset_invert(Int32($0.count), $0.baseAddress, &count, &start) }
    defer { sqlite3_free(start) }
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code))) }
    return Changeset(bytes: Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
  }
}

extension Connection {
  /// Makes the changes. Rows that a cascade has already removed are passed over; any other conflict undoes all.
  public func apply(_ changeset: Changeset) throws(SQLiteError) {
    let code = changeset.bytes.withUnsafeBytes { bytes in
      sqlite3changeset_apply(
        handle, Int32(bytes.count), UnsafeMutableRawPointer(mutating: bytes.baseAddress), nil,
        { _, conflict, _ in
          conflict == SQLITE_CHANGESET_NOTFOUND ? SQLITE_CHANGESET_OMIT : SQLITE_CHANGESET_ABORT
        }, nil)
    }
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }
}

@available(*, unavailable) extension ChangeRecorder: Sendable {}
