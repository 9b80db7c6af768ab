-- What each command changed, so that it can be taken back.

CREATE TABLE step (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- 'add', 'card edit'; and the whole line as it was typed.
  command TEXT NOT NULL CHECK (command <> ''),
  line TEXT NOT NULL,
  at TEXT NOT NULL CHECK (at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  undone_at TEXT CHECK (undone_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z')
) STRICT;

-- The changesets of SQLite's session extension, in the order in which they were made. Long work has several.
CREATE TABLE step_change (
  step_id INTEGER NOT NULL REFERENCES step (id) ON DELETE CASCADE,
  part INTEGER NOT NULL CHECK (part > 0),
  changeset BLOB NOT NULL CHECK (length(changeset) > 0),
  PRIMARY KEY (step_id, part)
) STRICT, WITHOUT ROWID;

-- A favorite that comes back keeps its place: only one without a place gets the last.
DROP TRIGGER favorite_last;
CREATE TRIGGER favorite_last AFTER INSERT ON favorite WHEN NEW.sequence = 0 BEGIN
  UPDATE favorite SET sequence = (SELECT max(sequence) + 1 FROM favorite) WHERE item_id = NEW.item_id;
END;
DROP TRIGGER favorite_again;
CREATE TRIGGER favorite_again AFTER UPDATE OF added_at ON favorite WHEN NEW.sequence = OLD.sequence BEGIN
  UPDATE favorite SET sequence = (SELECT max(sequence) + 1 FROM favorite) WHERE item_id = NEW.item_id;
END;
