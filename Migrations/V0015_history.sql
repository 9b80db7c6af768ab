-- What each command changed, so that it can be taken back.

CREATE TABLE step (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- 'add', 'card edit'; and the whole line as it was typed.
  command TEXT NOT NULL CHECK (command <> ''),
  line TEXT NOT NULL,
  at TEXT NOT NULL CHECK (at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  -- Steps that are undone are the newest ones: the next command forgets them.
  undone_at TEXT CHECK (undone_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z')
) STRICT;

-- What it takes to go back over the step: what the command did to rows, or once it is undone what that did. In the order in
-- which it happened; long work has several parts. docs/history.md says in which form.
CREATE TABLE step_change (
  step_id INTEGER NOT NULL REFERENCES step (id) ON DELETE CASCADE,
  part INTEGER NOT NULL CHECK (part > 0),
  changes BLOB NOT NULL CHECK (length(changes) > 0),
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
