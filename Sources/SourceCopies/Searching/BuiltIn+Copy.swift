internal import CatalogModel
public import Lookup

extension BuiltIn {
  /// The copy at a path. It is opened for each question, so that any thread may ask.
  public static func copy(at path: String) -> BuiltIn {
    BuiltIn(
      search: { search throws(SourceError) in
        do {
          return try SourceCopy(path: path).search(search).complete
        } catch let problem as DumpProblem {
          throw .badCopy(problem.message)
        } catch {
          throw .badCopy(Message(verbatim: "\(error)"))
        }
      },
      record: { id in try? SourceCopy(path: path).record(id) })
  }
}

extension Page {
  /// The page with candidates that nothing is to be fetched for: the copy has no more.
  fileprivate var complete: Page {
    var page = self
    for place in page.candidates.indices { page.candidates[place].partialFailures = [] }
    return page
  }
}
