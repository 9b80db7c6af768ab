// Writes Data/pack.tsv, the built-in starter pack, from the lists in Data/pack.
//
//     swift run make-pack           writes it
//     swift run make-pack --check   checks whether it is up to date
//
// Run it in the top folder of the repository.
import CatalogModel
import FoundationEssentials
import Glibc

let target = "Data/pack.tsv"
do {
  let maker = PackMaker(genreTree: try String(contentsOfFile: "Data/genres.txt", encoding: .utf8))
  let lists = try [(Kind.movie, "movies"), (.book, "books"), (.vinyl, "vinyl")].map { kind, name in
    let file = "Data/pack/\(name).tsv"
    return PackMaker.List(kind: kind, file: file, text: try String(contentsOfFile: file, encoding: .utf8))
  }
  let (text, problems) = maker.pack(from: lists)
  problems.forEach { print($0) }
  guard problems.isEmpty else { exit(1) }
  if CommandLine.arguments.contains("--check") {
    guard try String(contentsOfFile: target, encoding: .utf8) == text else {
      print("\(target) is out of date: run 'swift run make-pack'")
      exit(1)
    }
  } else {
    try text.write(toFile: target, atomically: true, encoding: .utf8)
    print("\(target): \(text.utf8.count { $0 == UInt8(ascii: "\n") } - 2) entries")
  }
} catch {
  print("make-pack: \(error)")
  exit(1)
}
