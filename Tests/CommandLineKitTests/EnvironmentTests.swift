import CommandLineKit
import Foundation
import Testing

struct EnvironmentTests {
  @Test func `the environment equals that at the start of the program`() {
    // Foundation may have set something since; what we found stands there too.
    let real = ProcessInfo.processInfo.environment
    #expect(!CommandLine.environment.variables.isEmpty)
    for (name, value) in CommandLine.environment.variables { #expect(real[name] == value, "\(name)") }
  }
}
