internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import SQLite
internal import SourceCopies

/// The copies of sources on this computer, each opened when it is first asked. One that cannot be read is warned of
/// once, and not asked again: what asks goes on without it.
final class CopiesAtHand {
  private let context: Context
  private var opened: [String: SourceCopy?] = [:]
  private var known: [Kind: [Source]] = [:]

  init(in context: Context) { self.context = context }

  /// Returns the answers of the copies that know a kind.
  func ask<T>(for kind: Kind, _ body: (Source, SourceCopy) throws -> T?) throws -> [T] {
    try copied(kind).compactMap { source in try ask(source) { try body(source, $0) } }
  }

  /// Returns the answer of the first of these copies that has one; web sources among them are passed over.
  func first<T>(of sources: some Sequence<Source>, _ body: (Source, SourceCopy) throws -> T?) throws -> T? {
    for source in sources where source.isBuiltIn {
      if let answer = try ask(source, { try body(source, $0) }) { return answer }
    }
    return nil
  }

  /// Returns the answer of the copy of one source; nil when there is no copy, too.
  func ask<T>(_ source: Source, _ body: (SourceCopy) throws -> T?) throws -> T? {
    do {
      return try copy(of: source).flatMap(body)
    } catch let problem as DumpProblem {
      context.note(Failure(.badCopy(problem.message), named: source.words))
    } catch let error as SQLiteError where !error.isInterrupted {
      context.note(Failure(.badCopy(Message(verbatim: "\(error)")), named: source.words))
    }
    opened[source.id] = .some(nil)
    return nil
  }

  private func copy(of source: Source) throws -> SourceCopy? {
    if let copy = opened[source.id] { return copy }
    let copy = try context.copyPath(of: source.id).map { try SourceCopy(path: $0) }
    opened[source.id] = .some(copy)
    return copy
  }

  private func copied(_ kind: Kind) throws -> [Source] {
    let all = try known[kind] ?? context.order(for: kind)
    known[kind] = all
    return all
  }

  // MARK: Records

  /// The record of the first copy that certainly has this work: by an id, by its ISBN or barcode, or by its title, year
  /// and creator.
  /// - Parameter sources: whom to ask; nil for all copies.
  func record(
    certainly record: Record, of sources: ArraySlice<Source>? = nil
  ) throws -> (source: Source, record: Record)? {
    try first(of: sources ?? copied(record.kind)[...]) { source, copy in
      try self.record(certainly: record, in: copy, of: source).map { (source, $0) }
    }
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
