extension SyncTree {
  /// The files that every tree has and that are no part of the catalog.
  static let standing = [
    (".gitattributes", "*.json text eol=lf merge=catalog\ncovers/** binary\n"),
    (
      "README.md",
      """
      # A catalog

      Movies, books and records, written by `catalog sync`: one file per item in `items/`, with all its data, the
      pictures in `covers/`, and data of several items in the files beside this one. It is plain JSON, one line per \
      field: any
      tool reads it.

          git log -p items/                          what changed, and when
          jq -r .item.title items/*/*.json           all titles

      A file with `removed` says that the item was removed; one with `same` names another uid of the item.

      """
    ),
  ]
}
