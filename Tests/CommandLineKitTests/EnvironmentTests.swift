import CommandLineKit
import Foundation
import Testing

struct EnvironmentTests {
  @Test func `the environment is what the program was started with`() {
    // Foundation may have set something since; what we found stands there too.
    let real = ProcessInfo.processInfo.environment
    #expect(!CommandLine.environment.isEmpty)
    for (name, value) in CommandLine.environment { #expect(real[name] == value, "\(name)") }
  }
}
