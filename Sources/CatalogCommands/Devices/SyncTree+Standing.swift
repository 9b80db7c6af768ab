extension SyncTree {
  /// The files that every tree has and that are no part of the catalog.
  static let standing = [
    (".gitattributes", "*.json text eol=lf merge=catalog\ncovers/** binary\n"),
    (
      "README.md",
      """
      # A catalog

      Movies, books and records, written by `catalog sync`: a file an item in `items/`, with everything that hangs on it, the
      pictures in `covers/`, and what is about several in the files beside this one. It is plain JSON, a line a field: any tool
      reads it.

          git log -p items/                          what changed, and when
          jq -r .item.title items/*/*.json           all titles

      A file with `removed` in it says that the thing was removed; one with `same`, that it is called otherwise now.

      """
    ),
  ]
}
