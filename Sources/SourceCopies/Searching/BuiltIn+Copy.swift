internal import CatalogModel
public import Lookup

extension BuiltIn {
  /// The copy at a path. It is opened for each question, so that any thread may ask.
  public static func copy(at path: String) -> BuiltIn {
    BuiltIn(
      search: { search throws(SourceError) in
        do {
          return try SourceCopy(path: path).search(search)
        } catch let problem as DumpProblem {
          throw .badCopy(problem.message)
        } catch {
          throw .badCopy(Message(verbatim: "\(error)"))
        }
      },
      record: { id in try? SourceCopy(path: path).record(id) })
  }
}
