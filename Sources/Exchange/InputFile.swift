/// A file that is read, with what its beginning says of it.
struct InputFile: Sendable {
  let path: String
  let shape: Shape
}
