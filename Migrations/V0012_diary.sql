-- The diary: each time something was watched, read or played.

CREATE TABLE log_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  started_on TEXT CHECK ((length(started_on) = 4 OR length(started_on) = 7 OR length(started_on) = 10)
    AND started_on || substr('-01-01', length(started_on) - 3)
      IS date(started_on || substr('-01-01', length(started_on) - 3), '+0 days')),
  -- When it was finished or dropped; NULL when nobody knows, or when it is not over.
  ended_on TEXT CHECK ((length(ended_on) = 4 OR length(ended_on) = 7 OR length(ended_on) = 10)
    AND ended_on || substr('-01-01', length(ended_on) - 3)
      IS date(ended_on || substr('-01-01', length(ended_on) - 3), '+0 days')),
  outcome TEXT NOT NULL CHECK (outcome = 'done' OR outcome = 'dropped' OR outcome = 'ongoing'),
  page INTEGER CHECK (page > 0),
  note TEXT CHECK (trim(note) <> '' AND length(note) <= 10000),
  -- The card that was written of it.
  card_id INTEGER UNIQUE REFERENCES card (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  CHECK (outcome <> 'ongoing' OR ended_on IS NULL),
  -- As far as both are known.
  CHECK (substr(started_on, 1, length(ended_on)) <= substr(ended_on, 1, length(started_on)))
) STRICT;
CREATE INDEX log_entry_item ON log_entry (item_id);
CREATE INDEX log_entry_ended ON log_entry (ended_on) WHERE ended_on IS NOT NULL;
-- In the order of the diary.
CREATE INDEX log_entry_day ON log_entry (CAST(coalesce(ended_on, started_on, '') AS TEXT), created_at);
-- Nobody reads a book twice at the same time.
CREATE UNIQUE INDEX log_entry_ongoing ON log_entry (item_id) WHERE outcome = 'ongoing';
CREATE INDEX card_seen ON card (seen_on, created_at) WHERE seen_on IS NOT NULL;

-- A dated card is an event, too: shown once, with its entry where it has one. Columns of the two have the same affinity, without
-- which SQLite would make a table of all of them whatever is asked.
CREATE VIEW event AS
SELECT id AS entry_id, card_id, item_id, outcome, started_on, ended_on,
  CAST(coalesce(ended_on, started_on, '') AS TEXT) AS day, page, note, created_at
FROM log_entry
UNION ALL
SELECT CAST(NULL AS INTEGER), id, item_id, CAST('done' AS TEXT), CAST(NULL AS TEXT), seen_on, seen_on, CAST(NULL AS INTEGER),
  CAST(NULL AS TEXT), created_at
FROM card WHERE seen_on IS NOT NULL AND NOT EXISTS (SELECT 1 FROM log_entry WHERE log_entry.card_id = card.id);

CREATE VIEW diary AS
SELECT event.entry_id, event.card_id, event.item_id, item.kind, item.title, item_creator.creator, event.started_on, event.ended_on,
  event.outcome, event.page, event.note, card.rating, card.scale, card.comment, event.created_at
FROM event JOIN item ON item.id = event.item_id JOIN item_creator ON item_creator.item_id = item.id
LEFT JOIN card ON card.id = event.card_id
ORDER BY event.day DESC, event.created_at DESC, event.entry_id DESC, event.card_id DESC;
