import CatalogModel
import CommandLineKit
import Glibc
import Processes
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the errors about catalog files that cannot be used.
struct FailureTests {
  @Test(arguments: [
    (CatalogError.isFolder("/d"), "'/d' is a folder, not a catalog file", "--db /d/catalog.db"),
    (.isSpecial("/dev/null"), "'/dev/null' is not a regular file, and was left unchanged", "--db FILE"),
    (.unreachable("/d/c.db", ENOTDIR), "cannot reach '/d/c.db': Not a directory", "--db FILE"),
    (.notReadable("/d/c.db"), "'/d/c.db' cannot be read", "ls -l /d/c.db"),
    (.cannotMakeFolder("/d"), "the folder '/d' cannot be made", "CATALOG_DB"),
    (.cannotOpen("/c.db"), "the catalog '/c.db' cannot be opened or made", "--db FILE"),
    (.readOnly("/c.db"), "'/c.db' cannot be written", "ls -ld"),
    (.notDatabase("/c.db"), "is not an SQLite file", "--db FILE"),
    (.foreign("/c.db"), "is a database of another program; it was not touched", "--db FILE"),
    (.damaged("/c.db"), "the catalog '/c.db' is damaged", "'catalog doctor' says more"),
    (
      .newer("/c.db", version: 9, known: 1), "written by a newer program (version 9, this one knows 1)",
      "upgrade catalog"
    ),
    (.locked("/c.db"), "another program is writing to the catalog", "try again"),
    (.diskFull("/c.db"), "the disk is full", "make room"),
    (.tooLarge("/c.db"), "the catalog '/c.db' cannot grow: a limit was reached", "ulimit -f"),
    (.io("/c.db"), "reading or writing the catalog '/c.db' failed", "check the disk"),
    (.otherSchema("/c.db", "no such table: item"), "has an unexpected structure: no such table", "'catalog doctor'"),
    (
      .notCopied("/c.db", because: .diskFull("/c.db")),
      "could not be copied before its conversion: the disk is full", "make room"
    ),
  ])
  func `an error of the catalog file is explained with a hint`(_ error: CatalogError, _ words: String, _ hint: String) {
    let failure = Failure(error)
    let message = failure.message.text(in: nil)
    #expect(message.contains(words), "\(message)")
    let advice = failure.hint?.text(in: nil) ?? ""
    #expect(advice.contains(hint), "\(advice)")
    #expect(message.first?.isLowercase ?? false || message.hasPrefix("'"))
    #expect(failure.status == .failed)
  }

  @Test func `without HOME the error names --db and CATALOG_DB`() {
    let context = Context.live(Globals(), environment: [:])
    for purpose in [Store.Purpose.reading, .writing] {
      let failure = #expect(throws: Failure.self) { try context.openStore(purpose) }
      #expect(failure?.message == "there is no place for the catalog: HOME is not set")
      #expect(failure?.hint == "use --db FILE, or set CATALOG_DB")
    }
    #expect(Places(environment: ["HOME": ""]).catalog == nil)
    #expect(Places(environment: ["HOME": "relative"]).catalog == nil)
    #expect(Places(environment: ["CATALOG_DB": "/x.db"]).catalog == "/x.db")
  }

  @Test func `a failure keeps the error that caused it`() {
    #expect(Failure(CatalogError.diskFull("c.db")).cause as? CatalogError == .diskFull("c.db"))
    let wrapped = Failure(Failure(SystemError(ENOSPC, "write the output")))
    #expect(wrapped.cause as? SystemError == SystemError(ENOSPC, "write the output"))
    #expect(Failure("it failed").cause == nil)
  }

  /// The commands that may make the catalog that `--db` names, and some that may not.
  @Test(arguments: [
    ("add book --title x", true), ("favorite r1", true), ("card add r1 - 4", true), ("wish r1", true),
    ("copy add r1", true), ("represent r1", true), ("log r1", true), ("rate r1 4", true), ("import nowhere.csv", true),
    ("search dune --offline", true), ("trending --offline", true), ("sync init nowhere.git", true),
    ("sync clone nowhere.git", true), ("list", false), ("show 1", false), ("edit 1 year=1969", false),
    ("remove 1", false), ("genres", false), ("tag add x 1", false), ("undo", false), ("doctor", false),
  ])
  func `only some commands may begin a catalog`(line: String, mayBegin: Bool) throws {
    let folder = try TemporaryFolder()
    let catalog = try TestCatalog()
    catalog.places = Places(environment: ["HOME": folder.path])
    let words = line.split(separator: " ").map { $0.hasPrefix("nowhere") ? folder.path(String($0)) : String($0) }
    let run = catalog.run(["--db", folder.path("new.db")] + words)
    #expect(run.errors.contains("there is no catalog '\(folder.path("new.db"))'") != mayBegin, "\(run)")
  }
}
