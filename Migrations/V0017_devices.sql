-- What the same catalog needs on several devices: what a row is called on all of them, what they agreed on last, and what they
-- did not agree on. All of it is empty where nothing is synced.

-- Numbers belong to the file; the uid (UUIDv7, RFC 9562) of a row is the same wherever it travels. A row that is gone keeps its own,
-- so that it is known when it comes back.
CREATE TABLE identity (
  uid TEXT PRIMARY KEY CHECK (length(uid) = 36),
  -- 'item', 'card', 'copy', 'log_entry', 'wish' or 'loan', and the number of the row there.
  table_name TEXT NOT NULL CHECK (table_name <> ''),
  row_id INTEGER NOT NULL,
  -- 1: another device had made the same thing, and called it so.
  is_alias INTEGER NOT NULL DEFAULT 0 CHECK (is_alias = 0 OR is_alias = 1)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX identity_row ON identity (table_name, row_id) WHERE is_alias = 0;
CREATE INDEX identity_alias ON identity (table_name, row_id) WHERE is_alias = 1;

-- A file of the tree as it was when it was last written from here or taken: what is different now was changed here.
CREATE TABLE synced_file (
  path TEXT PRIMARY KEY CHECK (path <> ''),
  -- 64 bits of what this catalog says; NULL when the file says that it was removed.
  fingerprint INTEGER
) STRICT, WITHOUT ROWID;

-- 'commit': the one whose tree was last taken whole.
CREATE TABLE sync_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- What two devices said differently, and which was kept.
CREATE TABLE sync_conflict (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL CHECK (at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  -- The file, the row in it ('' where there is one alone) and the part of the row.
  path TEXT NOT NULL CHECK (path <> ''),
  row TEXT NOT NULL,
  part TEXT NOT NULL,
  -- What it is called, for a person.
  title TEXT NOT NULL,
  -- In JSON; NULL: nothing, or removed.
  here TEXT,
  there TEXT,
  device TEXT,
  kept TEXT NOT NULL CHECK (kept = 'mine' OR kept = 'theirs' OR kept = 'both'),
  settled_at TEXT CHECK (settled_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z')
) STRICT;

-- What the bytes of a cover are called by: SHA-256 (FIPS 180-4) in hexadecimal digits.
CREATE TABLE cover_digest (
  item_id INTEGER PRIMARY KEY REFERENCES cover (item_id) ON DELETE CASCADE ON UPDATE CASCADE,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64)
) STRICT;
CREATE TRIGGER cover_digest_again AFTER UPDATE OF bytes ON cover BEGIN
  DELETE FROM cover_digest WHERE item_id = NEW.item_id;
END;
