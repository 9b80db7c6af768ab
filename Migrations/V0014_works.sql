-- Items that are one work, and where the values of an item are from.

-- Editions of one work: two pressings, two translations. The work is one of them, and no edition of another.
CREATE TABLE edition_of (
  item_id INTEGER PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE,
  work_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  CHECK (work_id <> item_id)
) STRICT;
CREATE INDEX edition_of_work ON edition_of (work_id);
CREATE TRIGGER edition_of_insert BEFORE INSERT ON edition_of
WHEN NEW.work_id IN (SELECT item_id FROM edition_of) OR NEW.item_id IN (SELECT work_id FROM edition_of)
  OR (SELECT kind FROM item WHERE id = NEW.item_id) <> (SELECT kind FROM item WHERE id = NEW.work_id) BEGIN
  SELECT RAISE(ABORT, 'an edition is of a work of its kind, which is no edition itself');
END;
-- One of its editions may take the place of a work, and is then none any more.
CREATE TRIGGER edition_of_update BEFORE UPDATE ON edition_of
WHEN NEW.work_id IN (SELECT item_id FROM edition_of WHERE work_id <> OLD.work_id) OR NEW.item_id IN (SELECT work_id FROM edition_of)
  OR (SELECT kind FROM item WHERE id = NEW.item_id) <> (SELECT kind FROM item WHERE id = NEW.work_id) BEGIN
  SELECT RAISE(ABORT, 'an edition is of a work of its kind, which is no edition itself');
END;

-- The others stay editions of each other when their work goes: the first of them is the work then.
CREATE TRIGGER edition_of_outlives_work BEFORE DELETE ON item WHEN OLD.id IN (SELECT work_id FROM edition_of) BEGIN
  UPDATE edition_of SET work_id = (SELECT min(item_id) FROM edition_of WHERE work_id = OLD.id)
  WHERE work_id = OLD.id AND item_id <> (SELECT min(item_id) FROM edition_of WHERE work_id = OLD.id);
END;

-- Where a value is from that did not come with the item. A locked one was typed by a person, and no source replaces it.
CREATE TABLE field_value (
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  -- As in JSON: 'year'.
  field TEXT NOT NULL CHECK (field <> ''),
  -- 'hand', or the source.
  source TEXT NOT NULL CHECK (source <> ''),
  set_at TEXT NOT NULL CHECK (set_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  is_locked INTEGER NOT NULL CHECK (is_locked = 0 OR is_locked = 1),
  PRIMARY KEY (item_id, field)
) STRICT, WITHOUT ROWID;

-- When a source was last asked for an item.
CREATE TABLE item_refresh (
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  source TEXT NOT NULL CHECK (source <> ''),
  asked_at TEXT NOT NULL CHECK (asked_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  PRIMARY KEY (item_id, source)
) STRICT, WITHOUT ROWID;
