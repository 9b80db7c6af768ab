import Foundation
import TestSupport
import Testing

@testable import Processes

struct SpawnTests {
  @Test func `a program gets its arguments unchanged`() throws {
    let captured = try Spawn.capture(["printf", "%s|", "a b", "$HOME", "*"])
    #expect(captured == .init(status: .exited(0), output: Array("a b|$HOME|*|".utf8)))
  }

  @Test func `running a program returns its exit status or signal`() throws {
    #expect(try Spawn.run(["sh", "-c", "exit 3"]) == .exited(3))
    #expect(try Spawn.run(["sh", "-c", "kill -9 $$"]) == .killed(9))
    #expect(try Spawn.run(["true"]).isSuccess)
  }

  @Test(arguments: [["no-such-program-here"], ["/"], [], ["a\0b"]])
  func `starting a missing or invalid program throws`(_ words: [String]) {
    #expect(throws: SystemError.self) { try Spawn.run(words) }
  }

  @Test(arguments: [
    ("pass show tmdb", ["pass", "show", "tmdb"]), ("  a\tb\n", ["a", "b"]), ("", []), (" ", []),
    (#"pass show "my keys/tmdb""#, ["pass", "show", "my keys/tmdb"]), (#"a 'b "c" \d' e"#, ["a", #"b "c" \d"#, "e"]),
    (#"a\ b "c\"d" e\\"#, ["a b", "c\"d", #"e\"#]), (#"x="1 2"3"#, ["x=1 23"]), ("a '' \"\"", ["a", "", ""]),
    ("'open end", ["open end"]), ("$HOME *; rm", ["$HOME", "*;", "rm"]), ("코드 '한 글'", ["코드", "한 글"]),
  ])
  func `a setting is split into words without any expansion`(_ setting: String, _ words: [String]) {
    #expect(Spawn.words(of: setting) == words)
  }

  @Test func `a program gets our environment with changes, or only the given one`() throws {
    let script = "echo $CLK_TEST; test -n \"$HOME\" && echo home; exit 0"
    func said(_ environment: Spawn.Environment) throws -> String {
      String(decoding: try Spawn.capture(["sh", "-c", script], environment: environment).output, as: UTF8.self)
    }
    #expect(try said(.adding(["CLK_TEST": "기", "HOME": "/x"])) == "기\nhome\n")
    #expect(try said(.only(["CLK_TEST": "기", "PATH": "/usr/bin:/bin"])) == "기\n")
    #expect(throws: SystemError(ENOENT, "start 'sh'")) { try said(.only(["PATH": "/no/such/folder"])) }
  }

  @Test func `output and error pipes of a program can be read`() throws {
    let child = try Spawn.start(["sh", "-c", "echo out; echo err >&2"], input: .null, output: .pipe, error: .pipe)
    for (descriptor, expected) in [(child.output, "out\n"), (child.error, "err\n")] {
      let file = FileHandle(fileDescriptor: try #require(descriptor), closeOnDealloc: true)
      #expect(try file.readToEnd() == Data(expected.utf8))
    }
    #expect(child.wait() == .exited(0))
  }

  @Test func `a program does not inherit ignored or blocked signals`() throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    let captured = try Spawn.capture(["sh", "-c", "kill -PIPE $$; echo alive"])
    #expect(captured == .init(status: .killed(SIGPIPE), output: []))
  }

  @Test func `input bytes go through a pipe, and too many are an error`() throws {
    #expect(try Spawn.capture(["cat"], input: .bytes(Array("key".utf8))).output == Array("key".utf8))
    let script = "test -p /dev/stdin && echo pipe"
    #expect(try Spawn.capture(["sh", "-c", script], input: .bytes([1])).output == Array("pipe\n".utf8))
    let many = [UInt8](repeating: 1, count: 1 << 20)
    #expect(throws: SystemError(E2BIG, "start 'cat'")) { try Spawn.capture(["cat"], input: .bytes(many)) }
  }
}

struct CaptureTests {
  @Test func `capture passes the input and returns the output`() throws {
    // More than any pipe holds.
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try Spawn.capture(["cat"], input: .file(bytes)) == .init(status: .exited(0), output: bytes))
    #expect(try Spawn.capture(["sh", "-c", "echo no >&2; exit 3"], error: .null).status == .exited(3))
    #expect(try Spawn.capture(["cat"]).output == [], "it reads nothing of ours")
  }

  @Test func `errors redirected to our output are not captured`() throws {
    let captured = try Spawn.capture(["sh", "-c", "echo out; echo >&2"], error: .descriptor(STDOUT_FILENO))
    #expect(captured.output == Array("out\n".utf8))
  }

  @Test func `a program that writes too much or takes too long is killed`() throws {
    #expect(try Spawn.capture(["yes"], limit: 5) == .init(status: nil, output: Array("y\ny\ny".utf8)))
    #expect(try Spawn.capture(["sleep", "100"], seconds: 0.1).status == nil)
    // It closes its output and goes on.
    #expect(try Spawn.capture(["sh", "-c", "exec >&-; exec sleep 100"], seconds: 0.1).status == nil)
  }

  @Test func `a program that ignores the request to end is killed`() throws {
    let child = try Spawn.start(["sh", "-c", "trap '' TERM; while :; do sleep 0.05; done"])
    #expect(child.waitOrEnd(after: 0.1) == nil)
    #expect(kill(child.process, 0) != 0)
    #expect(try Spawn.start(["sh", "-c", "exit 4"]).waitOrEnd() == .exited(4))
  }

  @Test func `one thread reads the output of many programs`() throws {
    var programs = try ["a", "b", "c"].map {
      try ChildProcess(["sh", "-c", "echo \($0); echo \($0)\($0) >&2; exit 7"])
    }
    defer { for place in programs.indices { programs[place].end() } }
    while programs.contains(where: { !$0.isSilent }) {
      ChildProcess.wait(for: programs)
      for place in programs.indices { programs[place].read() }
    }
    #expect(programs.map { String(decoding: $0.output.bytes, as: UTF8.self) } == ["a\n", "b\n", "c\n"])
    #expect(programs.map { String(decoding: $0.error.bytes, as: UTF8.self) } == ["aa\n", "bb\n", "cc\n"])
    for place in programs.indices {
      while programs[place].poll() == nil { ChildProcess.wait(for: [programs[place]]) }
      #expect(programs[place].poll() == .exited(7))
    }
  }
}

/// Tests of the error output of a program.
struct ComplaintTests {
  @Test func `long error output keeps its beginning and its end`() throws {
    let script = "echo first >&2; yes | head -c 4000000 >&2; echo last >&2"
    var program = try ChildProcess(["sh", "-c", script])
    defer { program.end() }
    while !program.isSilent {
      ChildProcess.wait(for: [program])
      program.read()
    }
    #expect(program.error.bytes.starts(with: "first\n".utf8))
    #expect(program.error.bytes.suffix(5).elementsEqual("last\n".utf8))
    #expect(program.error.bytes.count <= 1 << 20)
  }

  @Test(.timeLimit(.minutes(Patience.minutes))) func `endless error output ends the reading`() throws {
    var program = try ChildProcess(["sh", "-c", "exec yes >&2"])
    defer { program.end() }
    while !program.isSilent {
      ChildProcess.wait(for: [program])
      program.read()
    }
    #expect(program.error.bytes.count <= 1 << 20)
  }
}
