-- The sqlite3 shell's yardstick for bulk adds: the same things into the same schema, with the index kept. It computes no
-- pieces of Korean text, which the shell cannot.
PRAGMA synchronous = FULL;
BEGIN IMMEDIATE;
CREATE TEMP TABLE thing (
  kind, title, original_title, year, creator, second, genre1, genre2, genre3, source, source_id, code, barcode, maker,
  country, amount);
.mode tabs
.import --schema temp things.tsv thing
INSERT INTO item (id, kind, title, original_title, sort_title, year, created_at, updated_at)
SELECT rowid, kind, title, nullif(original_title, ''), iif(title LIKE 'The %', substr(title, 5) || ', The', NULL),
  CAST(nullif(year, '') AS INTEGER), '2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z' FROM thing;
INSERT INTO movie (item_id, minutes, countries)
SELECT rowid, CAST(amount AS INTEGER), country FROM thing WHERE kind = 'movie';
INSERT INTO book (item_id, isbn13, publisher, pages)
SELECT rowid, nullif(code, ''), maker, CAST(amount AS INTEGER) FROM thing WHERE kind = 'book';
INSERT INTO vinyl (item_id, label, catalog_number, country, discs, barcode)
SELECT rowid, maker, code, country, CAST(amount AS INTEGER), nullif(barcode, '') FROM thing WHERE kind = 'vinyl';
INSERT INTO person (name) SELECT creator FROM thing UNION SELECT second FROM thing WHERE second <> '';
INSERT INTO credit (item_id, position, person_id, role)
SELECT thing.rowid, 1, person.id, CASE kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END
FROM thing JOIN person ON name = creator;
INSERT INTO credit (item_id, position, person_id, role)
SELECT thing.rowid, 2, person.id, CASE kind WHEN 'movie' THEN 'cast' WHEN 'book' THEN 'translator' ELSE 'label' END
FROM thing JOIN person ON name = second;
INSERT OR IGNORE INTO external_id (source, value, item_id) SELECT source, source_id, rowid FROM thing WHERE source <> '';
CREATE TEMP TABLE named AS
SELECT rowid AS item_id, 1 AS position, genre1 AS name, source FROM thing
UNION ALL SELECT rowid, 2, genre2, source FROM thing WHERE genre2 <> ''
UNION ALL SELECT rowid, 3, genre3, source FROM thing WHERE genre3 <> '';
INSERT INTO genre_label (source, key, label) SELECT DISTINCT source, lower(name), name FROM named WHERE source <> '';
INSERT INTO item_label (item_id, position, label_id)
SELECT item_id, position, genre_label.id FROM named JOIN genre_label ON genre_label.source = named.source AND key = lower(name);
INSERT INTO item_genre (item_id, position, genre_id)
SELECT item_id, position, genre.id FROM named JOIN genre USING (name);
INSERT INTO item_search (rowid, words) SELECT item_id, text FROM search_pending JOIN item_text USING (item_id);
DELETE FROM search_pending;
COMMIT;
