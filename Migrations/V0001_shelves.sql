-- The shelves: items and what hangs on them, cards, favorites, recents, genres, covers, and the search index.

CREATE TABLE item (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Not IN (…): for more than two values, SQLite would make a table of them at every insert.
  kind TEXT NOT NULL CHECK (kind = 'movie' OR kind = 'book' OR kind = 'vinyl'),
  title TEXT NOT NULL CHECK (trim(title) <> ''),
  original_title TEXT,
  -- How it is filed where that differs from the title: 'Wall, The'.
  sort_title TEXT,
  year INTEGER CHECK (year BETWEEN -3000 AND 2200 AND year <> 0),
  -- Known to the year, the month or the day: what it lacks added, it is a date that SQLite knows.
  released TEXT CHECK ((length(released) = 4 OR length(released) = 7 OR length(released) = 10)
    AND released || substr('-01-01', length(released) - 3) IS date(released || substr('-01-01', length(released) - 3), '+0 days')),
  description TEXT,
  url TEXT,
  -- What the public of the source thinks of it, 0 to 100, and how many said so.
  public_rating REAL CHECK (public_rating BETWEEN 0 AND 100),
  public_votes INTEGER CHECK (public_votes >= 0),
  created_at TEXT NOT NULL CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  updated_at TEXT NOT NULL CHECK (updated_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z')
) STRICT;
CREATE INDEX item_title ON item (title COLLATE NOCASE);
CREATE INDEX item_kind ON item (kind);
CREATE INDEX item_year ON item (year) WHERE year IS NOT NULL;

-- What only one kind has. A book's detail cannot hang on a movie.
CREATE TABLE movie (
  item_id INTEGER PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE,
  minutes INTEGER CHECK (minutes > 0),
  countries TEXT,
  tagline TEXT,
  language TEXT
) STRICT;

CREATE TABLE book (
  item_id INTEGER PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE,
  isbn13 TEXT CHECK (isbn13 GLOB '97[89][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
  publisher TEXT,
  published TEXT CHECK ((length(published) = 4 OR length(published) = 7 OR length(published) = 10)
    AND published || substr('-01-01', length(published) - 3) IS date(published || substr('-01-01', length(published) - 3), '+0 days')),
  pages INTEGER CHECK (pages > 0),
  language TEXT,
  series TEXT,
  -- In the currency's smallest unit (ISO 4217): 1250 USD is $12.50, 1250 KRW is 1250 won.
  price INTEGER CHECK (price >= 0),
  sale_price INTEGER CHECK (sale_price >= 0),
  currency TEXT CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  CHECK (currency IS NOT NULL OR price IS NULL AND sale_price IS NULL)
) STRICT;
CREATE INDEX book_isbn13 ON book (isbn13) WHERE isbn13 IS NOT NULL;

CREATE TABLE vinyl (
  item_id INTEGER PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE,
  label TEXT,
  catalog_number TEXT,
  country TEXT,
  format TEXT,
  speed TEXT,
  discs INTEGER CHECK (discs > 0),
  barcode TEXT
) STRICT;
CREATE INDEX vinyl_barcode ON vinyl (barcode) WHERE barcode IS NOT NULL;

CREATE TRIGGER movie_kind_insert BEFORE INSERT ON movie WHEN (SELECT kind FROM item WHERE id = NEW.item_id) <> 'movie'
BEGIN
  SELECT RAISE(ABORT, 'this item is not a movie');
END;
CREATE TRIGGER movie_kind_update BEFORE UPDATE OF item_id ON movie
WHEN (SELECT kind FROM item WHERE id = NEW.item_id) <> 'movie' BEGIN
  SELECT RAISE(ABORT, 'this item is not a movie');
END;
CREATE TRIGGER book_kind_insert BEFORE INSERT ON book WHEN (SELECT kind FROM item WHERE id = NEW.item_id) <> 'book'
BEGIN
  SELECT RAISE(ABORT, 'this item is not a book');
END;
CREATE TRIGGER book_kind_update BEFORE UPDATE OF item_id ON book
WHEN (SELECT kind FROM item WHERE id = NEW.item_id) <> 'book' BEGIN
  SELECT RAISE(ABORT, 'this item is not a book');
END;
CREATE TRIGGER vinyl_kind_insert BEFORE INSERT ON vinyl WHEN (SELECT kind FROM item WHERE id = NEW.item_id) <> 'vinyl'
BEGIN
  SELECT RAISE(ABORT, 'this item is not a record');
END;
CREATE TRIGGER vinyl_kind_update BEFORE UPDATE OF item_id ON vinyl
WHEN (SELECT kind FROM item WHERE id = NEW.item_id) <> 'vinyl' BEGIN
  SELECT RAISE(ABORT, 'this item is not a record');
END;
CREATE TRIGGER item_keeps_kind BEFORE UPDATE OF kind ON item WHEN NEW.kind <> OLD.kind AND OLD.id IN (
  SELECT item_id FROM movie UNION ALL SELECT item_id FROM book UNION ALL SELECT item_id FROM vinyl)
BEGIN
  SELECT RAISE(ABORT, 'an item with details keeps its kind');
END;

CREATE TABLE track (
  item_id INTEGER NOT NULL REFERENCES vinyl (item_id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  position TEXT NOT NULL,
  title TEXT NOT NULL,
  seconds INTEGER CHECK (seconds > 0),
  PRIMARY KEY (item_id, number)
) STRICT, WITHOUT ROWID;

-- One person per name and source id; a person without an id has '' there.
CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (trim(name) <> ''),
  external_id TEXT NOT NULL DEFAULT '',
  UNIQUE (name, external_id)
) STRICT;

CREATE TABLE credit (
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position > 0),
  person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE RESTRICT,
  role TEXT NOT NULL CHECK (role = 'director' OR role = 'author' OR role = 'artist' OR role = 'cast' OR role = 'translator'
    OR role = 'label' OR role = 'developer'),
  detail TEXT,
  PRIMARY KEY (item_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX credit_person ON credit (person_id);

-- Genres: a tree of canonical names. The key is the name as labels are matched: lower case, no accents, letters and
-- digits only, '&' as 'and'.
CREATE TABLE genre (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (trim(name) <> ''),
  key TEXT NOT NULL UNIQUE,
  parent_id INTEGER REFERENCES genre (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX genre_parent ON genre (parent_id) WHERE parent_id IS NOT NULL;

CREATE TRIGGER genre_no_cycle_insert AFTER INSERT ON genre WHEN NEW.parent_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'a genre cannot be its own ancestor') WHERE NEW.id IN (
    WITH RECURSIVE ancestor(id) AS (
      SELECT NEW.parent_id UNION SELECT parent_id FROM genre JOIN ancestor USING (id) WHERE parent_id IS NOT NULL)
    SELECT id FROM ancestor);
END;
CREATE TRIGGER genre_no_cycle_update AFTER UPDATE OF parent_id ON genre WHEN NEW.parent_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'a genre cannot be its own ancestor') WHERE NEW.id IN (
    WITH RECURSIVE ancestor(id) AS (
      SELECT NEW.parent_id UNION SELECT parent_id FROM genre JOIN ancestor USING (id) WHERE parent_id IS NOT NULL)
    SELECT id FROM ancestor);
END;

-- What sources call genres. One label may stand for several genres ('Action & Adventure'); known noise stands for none.
CREATE TABLE genre_label (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  -- 0: no mapping knew it when it came. Noise is known, and has no target.
  is_known INTEGER NOT NULL DEFAULT 1 CHECK (is_known IN (0, 1)),
  UNIQUE (source, key)
) STRICT;

CREATE TABLE genre_label_target (
  label_id INTEGER NOT NULL REFERENCES genre_label (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position > 0),
  genre_id INTEGER NOT NULL REFERENCES genre (id) ON DELETE CASCADE,
  PRIMARY KEY (label_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX genre_label_target_genre ON genre_label_target (genre_id);

-- The genres of an item, the main one first.
CREATE TABLE item_genre (
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position > 0),
  genre_id INTEGER NOT NULL REFERENCES genre (id) ON DELETE CASCADE,
  PRIMARY KEY (item_id, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX item_genre_genre ON item_genre (genre_id, item_id);

-- The labels that an item came with, whatever became of them.
CREATE TABLE item_label (
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position > 0),
  label_id INTEGER NOT NULL REFERENCES genre_label (id) ON DELETE RESTRICT,
  PRIMARY KEY (item_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE external_id (
  source TEXT NOT NULL CHECK (source <> ''),
  value TEXT NOT NULL CHECK (value <> ''),
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  PRIMARY KEY (source, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX external_id_item ON external_id (item_id);

CREATE TABLE favorite (
  item_id INTEGER PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE,
  added_at TEXT NOT NULL CHECK (added_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z')
) STRICT;
CREATE INDEX favorite_added ON favorite (added_at);

-- The ten last viewed. Inserting a thing again moves it to the front, and the eleventh leaves, whoever writes the row.
CREATE TABLE recently_viewed (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  -- For an item: 'item' and its id. For a result that is not in the catalog: its source, and the id there.
  source TEXT NOT NULL CHECK (source <> ''),
  source_id TEXT NOT NULL CHECK (source_id <> ''),
  item_id INTEGER REFERENCES item (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('movie', 'book', 'vinyl', 'music', 'podcast', 'app')),
  title TEXT NOT NULL,
  creator TEXT,
  year INTEGER,
  artwork TEXT,
  viewed_at TEXT NOT NULL CHECK (viewed_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  UNIQUE (source, source_id) ON CONFLICT REPLACE
) STRICT;
CREATE INDEX recently_viewed_item ON recently_viewed (item_id) WHERE item_id IS NOT NULL;

CREATE TRIGGER recently_viewed_ten AFTER INSERT ON recently_viewed BEGIN
  DELETE FROM recently_viewed
  WHERE sequence <= (SELECT sequence FROM recently_viewed ORDER BY sequence DESC LIMIT 1 OFFSET 10);
END;
CREATE TRIGGER recently_viewed_again AFTER UPDATE OF viewed_at ON recently_viewed BEGIN
  UPDATE recently_viewed SET sequence = (SELECT max(sequence) + 1 FROM recently_viewed) WHERE sequence = NEW.sequence;
  UPDATE sqlite_sequence SET seq = (SELECT max(sequence) FROM recently_viewed) WHERE name = 'recently_viewed';
END;

CREATE TABLE card (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  rating INTEGER CHECK (rating BETWEEN 0 AND 100),
  -- How the rating was typed: in half stars, quarter stars, out of ten, or per cent.
  scale TEXT CHECK (scale IN ('half', 'quarter', 'ten', 'percent')),
  comment TEXT CHECK (trim(comment) <> '' AND length(comment) <= 10000),
  seen_on TEXT CHECK (length(seen_on) IN (4, 7, 10)
    AND seen_on || substr('-01-01', length(seen_on) - 3) IS date(seen_on || substr('-01-01', length(seen_on) - 3), '+0 days')),
  created_at TEXT NOT NULL CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  updated_at TEXT NOT NULL CHECK (updated_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  CHECK (rating IS NOT NULL OR comment IS NOT NULL),
  CHECK ((rating IS NULL) = (scale IS NULL))
) STRICT;
CREATE INDEX card_item ON card (item_id);
CREATE TRIGGER card_keeps_creation BEFORE UPDATE OF created_at ON card WHEN NEW.created_at IS NOT OLD.created_at BEGIN
  SELECT RAISE(ABORT, 'a card keeps its creation time');
END;

CREATE TABLE cover (
  item_id INTEGER PRIMARY KEY REFERENCES item (id) ON DELETE CASCADE,
  bytes BLOB NOT NULL CHECK (length(bytes) > 0),
  media_type TEXT NOT NULL,
  width INTEGER CHECK (width > 0),
  height INTEGER CHECK (height > 0),
  source_url TEXT,
  etag TEXT
) STRICT;

-- Search. What an item is found by, one line for each title, name, genre and code.
CREATE VIEW item_text AS
SELECT item.id AS item_id, item.title || coalesce(char(10) || item.original_title, '')
  || coalesce(char(10) || (
    SELECT group_concat(person.name, char(10)) FROM credit JOIN person ON person.id = credit.person_id
    WHERE credit.item_id = item.id), '')
  || coalesce(char(10) || (
    SELECT group_concat(genre.name, char(10)) FROM item_genre JOIN genre ON genre.id = item_genre.genre_id
    WHERE item_genre.item_id = item.id), '')
  || coalesce(char(10) || book.isbn13, '')
  || coalesce(char(10) || vinyl.catalog_number, '') || coalesce(char(10) || vinyl.barcode, '') AS text
FROM item LEFT JOIN book ON book.item_id = item.id LEFT JOIN vinyl ON vinyl.item_id = item.id;

-- The index holds which words an item has, and nothing else: not where they stand, nor the text. To the words of
-- item_text come the two-character pieces of Chinese, Japanese and Korean words and the initial consonants of Korean ones.
CREATE VIRTUAL TABLE item_search USING fts5 (
  words, content = '', columnsize = 0, detail = none, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);

-- Items that have changed since they were indexed. The program indexes them before it commits, and before it searches.
CREATE TABLE search_pending (
  item_id INTEGER PRIMARY KEY,
  -- The index must be told what it knows of an item to forget it: the text before the change. Empty for a new item.
  old_text TEXT
) STRICT;
CREATE TRIGGER search_pending_text AFTER INSERT ON search_pending WHEN NEW.old_text IS NULL BEGIN
  UPDATE search_pending SET old_text = (SELECT text FROM item_text WHERE item_id = NEW.item_id)
  WHERE item_id = NEW.item_id;
END;

CREATE TRIGGER item_pending_insert AFTER INSERT ON item BEGIN
  INSERT INTO search_pending VALUES (NEW.id, '') ON CONFLICT DO NOTHING;
END;
-- All others run before the change. REPLACE removes the old row without a trigger of its own, so inserting notes too.
CREATE TRIGGER item_pending_replace BEFORE INSERT ON item WHEN EXISTS (SELECT 1 FROM item WHERE id = NEW.id) BEGIN
  INSERT INTO search_pending (item_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER item_pending_update BEFORE UPDATE OF id, title, original_title ON item BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.id), (NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER item_pending_delete BEFORE DELETE ON item BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER book_pending_insert BEFORE INSERT ON book BEGIN
  INSERT INTO search_pending (item_id) VALUES (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER book_pending_update BEFORE UPDATE OF item_id, isbn13 ON book BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER book_pending_delete BEFORE DELETE ON book BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER vinyl_pending_insert BEFORE INSERT ON vinyl BEGIN
  INSERT INTO search_pending (item_id) VALUES (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER vinyl_pending_update BEFORE UPDATE OF item_id, catalog_number, barcode ON vinyl BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER vinyl_pending_delete BEFORE DELETE ON vinyl BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER credit_pending_insert BEFORE INSERT ON credit BEGIN
  INSERT INTO search_pending (item_id) VALUES (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER credit_pending_update BEFORE UPDATE ON credit BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER credit_pending_delete BEFORE DELETE ON credit BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER item_genre_pending_insert BEFORE INSERT ON item_genre BEGIN
  INSERT INTO search_pending (item_id) VALUES (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER item_genre_pending_update BEFORE UPDATE ON item_genre BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER item_genre_pending_delete BEFORE DELETE ON item_genre BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER person_pending_update BEFORE UPDATE OF id, name ON person BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM credit WHERE person_id = OLD.id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER genre_pending_replace BEFORE INSERT ON genre BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM item_genre WHERE genre_id = NEW.id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER genre_pending_update BEFORE UPDATE OF id, name ON genre BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM item_genre WHERE genre_id = OLD.id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER genre_pending_delete BEFORE DELETE ON genre BEGIN
  INSERT INTO search_pending (item_id) SELECT item_id FROM item_genre WHERE genre_id = OLD.id ON CONFLICT DO NOTHING;
END;

-- Facts about this file, such as which shipped genres it has got.
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Views for people: readable names, one row a thing.

-- The newest card with a rating decides.
CREATE VIEW item_rating AS
SELECT item.id AS item_id, card.rating, card.scale, card.id AS card_id
FROM item JOIN card ON card.id = (
  SELECT id FROM card WHERE card.item_id = item.id AND rating IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1);

CREATE VIEW item_creator AS
SELECT item.id AS item_id, (
  SELECT group_concat(name, ', ') FROM (
    SELECT person.name FROM credit JOIN person ON person.id = credit.person_id
    WHERE credit.item_id = item.id
      AND credit.role = CASE item.kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END
    ORDER BY credit.position)) AS creator
FROM item;

CREATE VIEW shelf AS
SELECT item.id, item.kind, item.title, item_creator.creator, item.year, (
    SELECT group_concat(name, ', ') FROM (
      SELECT genre.name FROM item_genre JOIN genre ON genre.id = item_genre.genre_id
      WHERE item_genre.item_id = item.id ORDER BY item_genre.position)) AS genres,
  (SELECT rating FROM item_rating WHERE item_rating.item_id = item.id) AS rating,
  (SELECT added_at FROM favorite WHERE favorite.item_id = item.id) AS favorite_since,
  item.created_at AS added_at
FROM item JOIN item_creator ON item_creator.item_id = item.id;

CREATE VIEW movies AS
SELECT shelf.id, title, creator AS director, year, genres, rating, favorite_since, minutes, countries, tagline, language, added_at
FROM shelf JOIN movie ON movie.item_id = shelf.id;

CREATE VIEW books AS
SELECT shelf.id, title, creator AS author, year, genres, rating, favorite_since, isbn13, publisher, published, pages, language,
  series, price, sale_price, currency, added_at
FROM shelf JOIN book ON book.item_id = shelf.id;

CREATE VIEW vinyl_records AS
SELECT shelf.id, title, creator AS artist, year, genres, rating, favorite_since, label, catalog_number, country, format, speed,
  discs, barcode, added_at
FROM shelf JOIN vinyl ON vinyl.item_id = shelf.id;

CREATE VIEW favorites AS
SELECT shelf.id, kind, title, creator, year, favorite.added_at AS favorite_since
FROM favorite JOIN shelf ON shelf.id = favorite.item_id ORDER BY favorite.added_at DESC, favorite.rowid DESC;

CREATE VIEW recents AS
SELECT row_number() OVER (ORDER BY sequence DESC) AS place, item_id, source, source_id, kind, title, creator, year, viewed_at
FROM recently_viewed ORDER BY sequence DESC;

CREATE VIEW cards AS
SELECT card.id, card.item_id, item.kind, item.title, card.rating, card.scale, card.comment, card.seen_on, card.created_at,
  card.updated_at
FROM card JOIN item ON item.id = card.item_id ORDER BY card.created_at DESC, card.id DESC;

-- Each genre above itself and all its ancestors.
CREATE VIEW genre_ancestor AS
WITH RECURSIVE up(genre_id, ancestor_id) AS (
  SELECT id, id FROM genre
  UNION SELECT up.genre_id, genre.parent_id FROM up JOIN genre ON genre.id = up.ancestor_id WHERE genre.parent_id IS NOT NULL)
SELECT genre_id, ancestor_id FROM up;

-- The genre analysis of the whole catalog. docs/genres.md says what each number means.
CREATE VIEW genre_share AS
WITH
  size(item_id, k) AS MATERIALIZED (SELECT item_id, count(*) FROM item_genre GROUP BY item_id),
  own(genre_id, items, weight) AS MATERIALIZED (
    SELECT genre_id, count(*), sum(1.0 / k) FROM item_genre JOIN size USING (item_id) GROUP BY genre_id),
  rated(item_id, rating) AS MATERIALIZED (SELECT item_id, rating FROM item_rating),
  loved(item_id) AS MATERIALIZED (
    SELECT item_id FROM favorite UNION SELECT item_id FROM rated WHERE rating >= 80),
  recent(item_id) AS MATERIALIZED (
    SELECT id FROM item WHERE created_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-365 days')),
  -- One row for each item and each genre that it has, or that stands above one it has.
  below(genre_id, item_id) AS (SELECT DISTINCT ancestor_id, item_id FROM item_genre JOIN genre_ancestor USING (genre_id)),
  counted(genre_id, items, rated, ratings, loved, recent) AS (
    SELECT genre_id, count(*), count(rated.rating), sum(rated.rating), count(loved.item_id), count(recent.item_id)
    FROM below LEFT JOIN rated USING (item_id) LEFT JOIN loved USING (item_id) LEFT JOIN recent USING (item_id)
    GROUP BY genre_id),
  whole(items, classified, recent, mean, loved) AS MATERIALIZED (
    SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM size),
      (SELECT count(*) FROM size JOIN recent USING (item_id)), (SELECT avg(rating) FROM rated),
      (SELECT count(*) FROM loved))
SELECT genre.id AS genre_id, genre.name AS genre, counted.items, coalesce(own.items, 0) AS own_items,
  -- A root most of whose items have only a genre below it: never the top genre.
  genre.parent_id IS NULL AND 2 * coalesce(own.items, 0) < counted.items AS is_heading,
  1.0 * counted.items / whole.classified AS share,
  coalesce(own.weight, 0.0) / whole.classified AS weight,
  counted.rated,
  1.0 * counted.ratings / counted.rated AS mean_rating,
  (5 * whole.mean + counted.ratings) / (5 + counted.rated) AS shrunk_rating,
  CASE WHEN counted.items >= 5 AND whole.loved > 0
    THEN (1.0 * counted.loved / counted.items) / (1.0 * whole.loved / whole.items) END AS affinity,
  -- NULL when nothing was added before, or nothing since: dividing by 0 gives NULL.
  100.0 * counted.recent / whole.recent
    - 100.0 * (counted.items - counted.recent) / (whole.classified - whole.recent) AS momentum
FROM counted JOIN whole JOIN genre ON genre.id = counted.genre_id LEFT JOIN own ON own.genre_id = counted.genre_id
ORDER BY counted.items DESC, weight DESC, genre.name;
