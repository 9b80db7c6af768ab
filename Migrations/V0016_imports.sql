-- What came from files of other programs, so that a file that comes again brings only what is new; and a note on an item, for what
-- such a file says that has no other place.

ALTER TABLE item ADD COLUMN note TEXT CHECK (trim(note) <> '' AND length(note) <= 10000);

CREATE TABLE import_batch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- 'letterboxd', and the name of the file without its folder.
  format TEXT NOT NULL CHECK (format <> ''),
  file TEXT NOT NULL CHECK (file <> ''),
  at TEXT NOT NULL CHECK (at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z')
) STRICT;

-- A row of a file, and what became of it. A later export writes another row of the same key, in a batch of its own.
CREATE TABLE import_row (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES import_batch (id) ON DELETE CASCADE,
  line INTEGER NOT NULL CHECK (line > 0),
  -- The format, a blank, and what the other program calls the row.
  key TEXT NOT NULL CHECK (key <> ''),
  -- The row in a few words: 'Heat (1995)'.
  words TEXT NOT NULL,
  -- What it said, in 64 bits.
  fingerprint INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome = 'added' OR outcome = 'joined' OR outcome = 'skipped' OR outcome = 'rejected'),
  -- What it was taken for, while that is there; how many copies of it the row speaks of.
  item_id INTEGER REFERENCES item (id) ON DELETE SET NULL,
  copies INTEGER NOT NULL DEFAULT 0 CHECK (copies >= 0),
  -- Why it was skipped or rejected, or what is said otherwise here.
  reason TEXT
) STRICT;
CREATE INDEX import_row_key ON import_row (key);
CREATE INDEX import_row_batch ON import_row (batch_id);
CREATE INDEX import_row_item ON import_row (item_id) WHERE item_id IS NOT NULL;

CREATE VIEW imports AS
SELECT import_batch.id, import_batch.format, import_batch.file, import_batch.at, count(import_row.id) AS rows,
  count(CASE outcome WHEN 'added' THEN 1 END) AS added, count(CASE outcome WHEN 'joined' THEN 1 END) AS joined,
  count(CASE outcome WHEN 'skipped' THEN 1 END) AS skipped, count(CASE outcome WHEN 'rejected' THEN 1 END) AS rejected
FROM import_batch LEFT JOIN import_row ON import_row.batch_id = import_batch.id GROUP BY import_batch.id ORDER BY import_batch.id DESC;

-- The note is among the own words.
DROP VIEW item_text;
CREATE VIEW item_text AS
SELECT item.id AS item_id, item.title || coalesce(char(10) || item.original_title, '')
  || coalesce(char(10) || item.other_titles, '')
  || coalesce(char(10) || (
    SELECT group_concat(person.name, char(10)) FROM credit JOIN person ON person.id = credit.person_id
    WHERE credit.item_id = item.id), '')
  || coalesce(char(10) || (
    SELECT group_concat(genre.name, char(10)) FROM item_genre JOIN genre ON genre.id = item_genre.genre_id
    WHERE item_genre.item_id = item.id), '')
  || coalesce(char(10) || book.isbn13, '')
  || coalesce(char(10) || vinyl.catalog_number, '') || coalesce(char(10) || vinyl.barcode, '') AS text,
  coalesce((
    SELECT group_concat(words, char(10)) FROM (
      SELECT comment AS words FROM card WHERE card.item_id = item.id
      UNION ALL SELECT track.title FROM track WHERE track.item_id = item.id
      UNION ALL SELECT tag.name FROM item_tag JOIN tag ON tag.id = item_tag.tag_id WHERE item_tag.item_id = item.id
      UNION ALL SELECT item.note
      UNION ALL SELECT note FROM copy WHERE copy.item_id = item.id
      UNION ALL SELECT note FROM log_entry WHERE log_entry.item_id = item.id
      UNION ALL SELECT note FROM wish WHERE wish.item_id = item.id)
    WHERE words IS NOT NULL), '') AS own
FROM item LEFT JOIN book ON book.item_id = item.id LEFT JOIN vinyl ON vinyl.item_id = item.id;
DROP TRIGGER item_pending_update;
CREATE TRIGGER item_pending_update BEFORE UPDATE OF id, title, original_title, other_titles, note ON item BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.id), (NEW.id) ON CONFLICT DO NOTHING;
END;
