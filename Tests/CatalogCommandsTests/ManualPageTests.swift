import Foundation
import Processes
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CommandLineKit

/// Tests the manual pages that `make install` installs.
struct ManualPageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["C", "ko_KR.UTF-8"])
  func `every command has a manual page that groff renders without a warning`(_ locale: String) throws {
    let language = LocaleSetting(environment: ["LC_ALL": locale]).spoken(of: SpokenLanguage.all)?.translation()
    let names = try TestCatalog().run("manual", "--list").output.split(separator: "\n").map(String.init)
    let commands = CatalogProgram.program.root.children.map { $0.description }.filter { !$0.isHidden }.map(\.name)
    #expect(names == ["catalog"] + commands.map { "catalog-\($0)" })
    for name in names {
      let catalog = try TestCatalog()
      catalog.terminal.translation = language
      let page = catalog.run("manual", name, "--date", "2026-11-22")
      #expect(page.status == 0)
      #expect(page.output.contains(language == nil ? ".SH \"NAME\"\n" : ".SH \"\\[uC774]\\[uB984]\"\n"))
      let title = name.uppercased().split(separator: "-").joined(separator: "\\-")
      #expect(
        page.output.hasPrefix(".TH \"\(title)\" \"1\" \"2026\\-11\\-22\" \"catalog \(Release.version)\""))
      try Data(page.output.utf8).write(to: URL(filePath: folder.path(name)))
    }
    try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "make test installs groff-base")
    let groff = Process()
    groff.executableURL = URL(filePath: "/usr/bin/groff")
    groff.arguments = ["-man", "-ww", "-z", "-Tutf8"] + names.map(folder.path)
    let pipe = Pipe()
    groff.standardError = pipe
    try groff.run()
    let faults = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    groff.waitUntilExit()
    #expect(faults == "")
    #expect(groff.terminationStatus == 0)
  }
}
