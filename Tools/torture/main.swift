// Kills, crowds and starves the program, and reports lost data: see Benchmarks/README.md.
//
//     make torture                                      all seven, for some minutes
//     torture kill [--count N] [--seed N]               ends commands by signals at random moments
//     torture crowd [--count N] [--members N]           many processes change one catalog at once
//     torture faults [--count N] [--seed N]             lets system calls fail
//     torture undo [--count N] [--seed N]               undoes and redoes random commands
//     torture devices [--count N] [--members N]         several devices run random commands and sync: one command of
//       [--sync-every N] [--kills N] [--pushes N]       so many is a sync; so many are killed, and so many meet another
//     torture sync [--count N] [--seed N]               kills 'sync init' and 'sync clone' with their git, fills their
//                                                       disk, and pushes files by hand during a sync
//     torture copies [--count N] [--seed N]             kills 'source build', and lets it go on
//
// --program PATH names the program; without it, it is the 'catalog' beside this one. --deed NAME takes one command
// alone, --only N one try of 'kill' or 'sync', --fault CALL:ERROR:N one of 'faults'. --folder PATH is where all of it
// happens, and stays.
import FoundationEssentials
import Glibc
import TestSupport

let words = CommandLine.arguments.dropFirst()
let mode = words.first ?? ""
let options = Options(words.dropFirst())
let seed = UInt64(options.number("--seed") ?? 42)
let program = options["--program"] ?? Launch.program
guard FileManager.default.isExecutableFile(atPath: program) else { Options.stop("there is no program '\(program)'") }
let commands = WriteCommand.all.filter { options["--deed"] == nil || options["--deed"] == $0.name }
guard !commands.isEmpty else { Options.stop("the deeds are: \(WriteCommand.all.map(\.name).joined(separator: ", "))") }

do {
  let temporary = try options["--folder"] == nil ? TemporaryFolder() : nil
  let folder = temporary?.path ?? options["--folder"] ?? ""
  if temporary == nil { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
  print("torture \(mode), seed \(seed), \(program)")
  let report: Report
  switch mode {
  case "kill":
    let count = options.number("--count") ?? 2_000
    let scenes = try Scene.all(of: commands, in: folder, program: program)
    let killer = Killer(scenes: scenes, seed: seed, begin: Options.progress(of: count))
    report = try options.number("--only").map { try killer.run(CollectionOfOne($0)) } ?? killer.run(0..<count)
  case "crowd":
    report = try ConcurrencyTest(
      folder: folder, program: program, seed: seed, members: options.number("--members") ?? 8,
      count: options.number("--count") ?? 200
    ).run()
  case "faults":
    guard let strace = Strace(in: folder) else {
      if temporary != nil { try? FileManager.default.removeItem(atPath: folder) }
      print("SKIPPED: strace is not installed, or may not trace here")
      exit(0)
    }
    let count = options.number("--count") ?? 2_000
    let scenes = try Scene.all(of: commands, in: folder, program: program)
    let faults = Faults(scenes: scenes, seed: seed, strace: strace, begin: Options.progress(of: count))
    if let text = options["--fault"] {
      guard let fault = Fault(text) else { Options.stop("'\(text)' is no fault: pwrite64:EIO:3") }
      report = try faults.run(fault)
    } else {
      report = try faults.run(count: count)
    }
  case "undo":
    let count = options.number("--count") ?? 2_000
    report = try Undoing.run(
      count: count, seed: seed, in: folder, program: program, begin: Options.progress(of: count))
  case "devices":
    let count = options.number("--count") ?? 10_000
    let members = max(2, options.number("--members") ?? 10)
    let plan = Fleet.Plan(
      commands: count, members: members, commandsPerSync: max(1, options.number("--sync-every") ?? 20),
      kills: options.number("--kills") ?? count / 30, pushes: options.number("--pushes") ?? count / 200)
    report = try Fleet.run(
      plan, seed: seed, in: folder, program: program, begin: Options.progress(of: count))
  case "sync":
    let count = options.number("--count") ?? 500
    var trouble = try SyncTrouble(in: folder, seed: seed, program: program)
    trouble.begin = Options.progress(of: count)
    report = try options.number("--only").map { try trouble.run(CollectionOfOne($0)) } ?? trouble.run(0..<count)
  case "copies":
    let count = options.number("--count") ?? 1_000
    report = try CopyKiller(in: folder, seed: seed, program: program).run(
      kills: count, begin: Options.progress(of: count))
  default: Options.stop("say what to do: kill, crowd, faults, undo, devices, sync or copies")
  }
  print(report)
  if temporary != nil { try? FileManager.default.removeItem(atPath: folder) }
  exit(report.findings.isEmpty ? 0 : 1)
} catch {
  Options.stop("\(error)")
}
