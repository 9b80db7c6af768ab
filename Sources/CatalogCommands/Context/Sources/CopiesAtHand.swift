internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import SQLite
internal import SourceCopies

/// The copies of sources on this computer, each opened when it is first asked, for a command that asks them many times.
final class CopiesAtHand {
  private let context: Context
  private var opened: [String: SourceCopy?] = [:]

  /// A record of a copy, and the source that the copy is of.
  typealias Found = (source: Source, record: Record)

  init(in context: Context) { self.context = context }

  /// The copies that know a kind. One that cannot be read is warned of once, and left out.
  /// - Parameter areFirst: whether only those are returned that are asked before the network.
  func copies(for kind: Kind, areFirst: Bool = false) throws -> [(source: Source, copy: SourceCopy)] {
    try context.copies(for: kind).compactMap { source, path in
      guard try !areFirst || context.asksCopyFirst(of: source.id) else { return nil }
      return try copy(of: source, at: path).map { (source, $0) }
    }
  }

  private func copy(of source: Source, at path: String) throws -> SourceCopy? {
    if let known = opened[source.id] { return known }
    var copy: SourceCopy?
    do { copy = try SourceCopy(path: path) } catch let problem as DumpProblem {
      context.note(Failure(.badCopy(problem.message), named: source.name))
    }
    opened[source.id] = .some(copy)
    return copy
  }

  /// The record of the first copy that certainly has this work: by an id, by its ISBN or barcode, or by its title, year and
  /// creator.
  func record(certainly record: Record, areFirst: Bool = false) throws -> Found? {
    for (source, copy) in try copies(for: record.kind, areFirst: areFirst) {
      do {
        if let found = try self.record(certainly: record, in: copy, of: source) { return (source, found) }
      } catch let error as SQLiteError where !error.isInterrupted {
        // What asks, such as an import, goes on without it.
        context.note(Failure(.badCopy(Message(verbatim: "\(error)")), named: source.name))
        opened[source.id] = .some(nil)
      }
    }
    return nil
  }

  private func record(certainly record: Record, in copy: SourceCopy, of source: Source) throws -> Record? {
    for id in record.externalIDs where id.source == source.id {
      if let found = try copy.record(id, as: record.kind) { return found }
    }
    if let code = record.code {
      let found = try copy.lookUp(code, as: record.kind)
      if let first = found.first?.record { return found.count > 1 ? first.withoutPressing : first }
    }
    guard record.canBeFound else { return nil }
    let alike = try copy.like(record).filter { $0.isCertainly(record) }
    // With too few facts to tell two works apart, only a single match counts.
    guard alike.count == 1 || record.isWhole else { return nil }
    return alike.first.map { $0.kind == .vinyl ? $0.withoutPressing : $0 }
  }
}
