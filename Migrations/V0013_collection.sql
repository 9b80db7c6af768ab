-- Wishes, loans, tags, piles and saved queries.

CREATE TABLE wish (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- An item, or words for what no source knows.
  item_id INTEGER REFERENCES item (id) ON DELETE CASCADE,
  words TEXT CHECK (trim(words) <> ''),
  -- Of words, where it was said.
  kind TEXT CHECK (kind = 'movie' OR kind = 'book' OR kind = 'vinyl'),
  -- The most it may cost, in the currency's smallest unit.
  price_limit INTEGER CHECK (price_limit >= 0),
  currency TEXT CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  note TEXT CHECK (trim(note) <> '' AND length(note) <= 10000),
  created_at TEXT NOT NULL CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  fulfilled_at TEXT CHECK (fulfilled_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  CHECK ((item_id IS NULL) <> (words IS NULL)),
  CHECK (kind IS NULL OR words IS NOT NULL),
  CHECK ((price_limit IS NULL) = (currency IS NULL))
) STRICT;
CREATE UNIQUE INDEX wish_open ON wish (item_id) WHERE fulfilled_at IS NULL;

-- Whoever gets it, or sees the movie, has what was wished for. What comes back by an undo is no answer to a later wish.
CREATE TRIGGER copy_fulfils AFTER INSERT ON copy BEGIN
  UPDATE wish SET fulfilled_at = NEW.created_at
  WHERE item_id = NEW.item_id AND fulfilled_at IS NULL AND created_at <= NEW.created_at;
END;
CREATE TRIGGER log_entry_fulfils AFTER INSERT ON log_entry
WHEN NEW.outcome = 'done' AND (SELECT kind FROM item WHERE id = NEW.item_id) = 'movie' BEGIN
  UPDATE wish SET fulfilled_at = NEW.created_at
  WHERE item_id = NEW.item_id AND fulfilled_at IS NULL AND created_at <= NEW.created_at;
END;

-- A copy that somebody has. Returned, the loan stays as a memory.
CREATE TABLE loan (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  copy_id INTEGER NOT NULL REFERENCES copy (id) ON DELETE CASCADE,
  person TEXT NOT NULL CHECK (trim(person) <> ''),
  lent_on TEXT NOT NULL CHECK (length(lent_on) = 10 AND lent_on IS date(lent_on, '+0 days')),
  due_on TEXT CHECK (length(due_on) = 10 AND due_on IS date(due_on, '+0 days') AND due_on >= lent_on),
  returned_on TEXT CHECK (length(returned_on) = 10 AND returned_on IS date(returned_on, '+0 days') AND returned_on >= lent_on),
  note TEXT CHECK (trim(note) <> '' AND length(note) <= 10000)
) STRICT;
CREATE INDEX loan_copy ON loan (copy_id);
CREATE UNIQUE INDEX loan_open ON loan (copy_id) WHERE returned_on IS NULL;

-- Names are one without case and accents: the key is the name as labels are matched.
CREATE TABLE tag (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (trim(name) <> ''),
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE item_tag (
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
  PRIMARY KEY (item_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_tag_tag ON item_tag (tag_id);

-- A list in an order by hand.
CREATE TABLE pile (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (trim(name) <> ''),
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE pile_item (
  pile_id INTEGER NOT NULL REFERENCES pile (id) ON DELETE CASCADE,
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  -- 1, 2, 3, … without gaps.
  position INTEGER NOT NULL CHECK (position > 0),
  PRIMARY KEY (pile_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX pile_item_item ON pile_item (item_id);
CREATE TRIGGER pile_item_closes_gap AFTER DELETE ON pile_item WHEN EXISTS (SELECT 1 FROM pile WHERE id = OLD.pile_id) BEGIN
  UPDATE pile_item SET position = position - 1 WHERE pile_id = OLD.pile_id AND position > OLD.position;
END;

-- A name for a query: @name, wherever a query goes.
CREATE TABLE saved_query (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL CHECK (trim(name) <> ''),
  query TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW wishes AS
SELECT wish.id, wish.item_id, coalesce(item.kind, wish.kind) AS kind, coalesce(item.title, wish.words) AS title,
  item_creator.creator, item.year, wish.price_limit, wish.currency, wish.note, wish.created_at AS wished_at, wish.fulfilled_at
FROM wish LEFT JOIN item ON item.id = wish.item_id LEFT JOIN item_creator ON item_creator.item_id = item.id
ORDER BY wish.id DESC;

CREATE VIEW loans AS
SELECT loan.id, loan.copy_id, copy.item_id, item.kind, item.title, loan.person, loan.lent_on, loan.due_on, loan.returned_on,
  loan.note
FROM loan JOIN copy ON copy.id = loan.copy_id JOIN item ON item.id = copy.item_id
ORDER BY loan.returned_on IS NOT NULL, loan.due_on IS NULL, loan.due_on, loan.id;

CREATE VIEW tags AS
SELECT tag.name AS tag, item.id AS item_id, item.kind, item.title
FROM tag JOIN item_tag ON item_tag.tag_id = tag.id JOIN item ON item.id = item_tag.item_id ORDER BY tag.name, item.id;

-- Notes and tags are own words, too.
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
      UNION ALL SELECT note FROM copy WHERE copy.item_id = item.id
      UNION ALL SELECT note FROM log_entry WHERE log_entry.item_id = item.id
      UNION ALL SELECT note FROM wish WHERE wish.item_id = item.id)
    WHERE words IS NOT NULL), '') AS own
FROM item LEFT JOIN book ON book.item_id = item.id LEFT JOIN vinyl ON vinyl.item_id = item.id;

CREATE TRIGGER item_tag_pending_insert BEFORE INSERT ON item_tag BEGIN
  INSERT INTO search_pending (item_id) VALUES (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER item_tag_pending_update BEFORE UPDATE ON item_tag BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER item_tag_pending_delete BEFORE DELETE ON item_tag BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER tag_pending_update BEFORE UPDATE OF id, name ON tag BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM item_tag WHERE tag_id = OLD.id ON CONFLICT DO NOTHING;
END;
-- A row that REPLACE removes may have had a note, and a new one without any changes nothing.
CREATE TRIGGER copy_pending_insert BEFORE INSERT ON copy
WHEN NEW.note IS NOT NULL OR EXISTS (SELECT 1 FROM copy WHERE id = NEW.id AND note IS NOT NULL) BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM copy WHERE id = NEW.id
  UNION SELECT NEW.item_id WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER copy_pending_update BEFORE UPDATE OF item_id, note ON copy
WHEN NEW.item_id <> OLD.item_id OR NEW.note IS NOT OLD.note BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER copy_pending_delete BEFORE DELETE ON copy WHEN OLD.note IS NOT NULL BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER log_entry_pending_insert BEFORE INSERT ON log_entry
WHEN NEW.note IS NOT NULL OR EXISTS (SELECT 1 FROM log_entry WHERE id = NEW.id AND note IS NOT NULL) BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM log_entry WHERE id = NEW.id
  UNION SELECT NEW.item_id WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER log_entry_pending_update BEFORE UPDATE OF item_id, note ON log_entry
WHEN NEW.item_id <> OLD.item_id OR NEW.note IS NOT OLD.note BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER log_entry_pending_delete BEFORE DELETE ON log_entry WHEN OLD.note IS NOT NULL BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER wish_pending_insert BEFORE INSERT ON wish
WHEN NEW.note IS NOT NULL OR EXISTS (SELECT 1 FROM wish WHERE id = NEW.id AND note IS NOT NULL) BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM wish WHERE id = NEW.id AND item_id IS NOT NULL
  UNION SELECT NEW.item_id WHERE NEW.item_id IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER wish_pending_update BEFORE UPDATE OF item_id, note ON wish
WHEN NEW.item_id IS NOT OLD.item_id OR NEW.note IS NOT OLD.note BEGIN
  INSERT INTO search_pending (item_id) SELECT OLD.item_id WHERE OLD.item_id IS NOT NULL
  UNION SELECT NEW.item_id WHERE NEW.item_id IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER wish_pending_delete BEFORE DELETE ON wish WHEN OLD.note IS NOT NULL AND OLD.item_id IS NOT NULL BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
