internal import Lookup
internal import Processes

extension XMLElements {
  /// The elements of a file. Invalid XML that other programs accept is mended.
  init(source: ByteSource) {
    var mender = XMLMender()
    self.init {
      while true {
        let raw = try source.next()
        let piece = mender.mended(raw)
        // The whole piece waits for the next one.
        if piece.isEmpty, !raw.isEmpty { continue }
        defer { mender.hasMended = false }
        return (piece, mender.hasMended)
      }
    }
  }

  /// ``read(named:begin:_:)`` with the problems of an import.
  func forEach(
    named names: Set<String>, begin: ((XMLElement) -> Bool)? = nil, _ each: (XMLElement) throws -> Bool
  ) throws {
    do { try read(named: names, begin: begin, each) } catch let problem as XMLProblem {
      throw ImportProblem(problem.isTooMuch ? .tooMuch : .damaged, problem.message)
    }
  }
}
