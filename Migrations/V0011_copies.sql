-- What a person owns: copies with their condition, place and price, and the one record that represents them.

CREATE TABLE copy (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  format TEXT,
  -- Goldmine's names, the best first; EX is what sellers put between NM and VG+. Not IN (…), for which SQLite would make a
  -- table at every insert.
  media_grade TEXT CHECK (instr('|M|NM|EX|VG+|VG|G+|G|F|P|', '|' || media_grade || '|') AND NOT instr(media_grade, '|')),
  sleeve_grade TEXT CHECK (
    instr('|M|NM|EX|VG+|VG|G+|G|F|P|Generic|Not Graded|No Cover|', '|' || sleeve_grade || '|')
      AND NOT instr(sleeve_grade, '|')),
  place TEXT CHECK (trim(place) <> ''),
  -- In the currency's smallest unit (ISO 4217), as in book.
  price INTEGER CHECK (price >= 0),
  currency TEXT CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  acquired_on TEXT CHECK ((length(acquired_on) = 4 OR length(acquired_on) = 7 OR length(acquired_on) = 10)
    AND acquired_on || substr('-01-01', length(acquired_on) - 3)
      IS date(acquired_on || substr('-01-01', length(acquired_on) - 3), '+0 days')),
  acquired_from TEXT CHECK (trim(acquired_from) <> ''),
  note TEXT CHECK (trim(note) <> '' AND length(note) <= 10000),
  created_at TEXT NOT NULL CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  CHECK ((price IS NULL) = (currency IS NULL))
) STRICT;
CREATE INDEX copy_item ON copy (item_id);
CREATE INDEX copy_media_grade ON copy (media_grade) WHERE media_grade IS NOT NULL;
CREATE INDEX copy_place ON copy (place COLLATE NOCASE) WHERE place IS NOT NULL;

-- CL 1355, CL1355 and cl-1355 are one number.
CREATE INDEX vinyl_catalog_key
ON vinyl (upper(replace(replace(replace(replace(catalog_number, ' ', ''), '-', ''), '.', ''), '/', '')))
WHERE catalog_number IS NOT NULL;

-- What stands on the shelf of records and of books was owned before copies were known of.
INSERT INTO copy (item_id, created_at) SELECT id, created_at FROM item WHERE kind = 'vinyl' OR kind = 'book' ORDER BY id;

-- At most one, and a record.
CREATE TABLE representative (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  item_id INTEGER NOT NULL REFERENCES vinyl (item_id) ON DELETE CASCADE
) STRICT;

CREATE VIEW copies AS
SELECT copy.id, copy.item_id, item.kind, item.title, item_creator.creator, copy.format, copy.media_grade, copy.sleeve_grade,
  copy.place, copy.price, copy.currency, copy.acquired_on, copy.acquired_from, copy.note, copy.created_at AS added_at
FROM copy JOIN item ON item.id = copy.item_id JOIN item_creator ON item_creator.item_id = item.id ORDER BY copy.id;
