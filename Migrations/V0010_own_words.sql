-- Own words: what a person wrote on cards, and the tracks of a record, are found by plain words too. They have an index of their
-- own: titles are found as fast as ever, and stand before them.

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
      SELECT comment AS words FROM card WHERE card.item_id = item.id AND comment IS NOT NULL
      UNION ALL SELECT track.title FROM track WHERE track.item_id = item.id)), '') AS own
FROM item LEFT JOIN book ON book.item_id = item.id LEFT JOIN vinyl ON vinyl.item_id = item.id;

CREATE VIRTUAL TABLE item_search_own USING fts5 (
  words, content = '', columnsize = 0, detail = none, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);

-- What item_search_own knows, as old_text is what item_search knows.
ALTER TABLE search_pending ADD COLUMN old_own TEXT;
UPDATE search_pending SET old_own = '';
INSERT INTO search_pending (item_id, old_text, old_own)
SELECT item_id, text, '' FROM item_text
WHERE item_id IN (SELECT item_id FROM card WHERE comment IS NOT NULL UNION SELECT item_id FROM track) ON CONFLICT DO NOTHING;

DROP TRIGGER search_pending_text;
CREATE TRIGGER search_pending_text AFTER INSERT ON search_pending WHEN NEW.old_text IS NULL BEGIN
  UPDATE search_pending SET (old_text, old_own) = (SELECT text, own FROM item_text WHERE item_id = NEW.item_id)
  WHERE item_id = NEW.item_id;
END;
DROP TRIGGER item_pending_insert;
CREATE TRIGGER item_pending_insert AFTER INSERT ON item BEGIN
  INSERT INTO search_pending VALUES (NEW.id, '', '') ON CONFLICT DO NOTHING;
END;

-- A card without words changes nothing; one that REPLACE removes may have had some.
CREATE TRIGGER card_pending_insert BEFORE INSERT ON card BEGIN
  INSERT INTO search_pending (item_id)
  SELECT item_id FROM card WHERE id = NEW.id AND comment IS NOT NULL
  UNION SELECT NEW.item_id WHERE NEW.comment IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER card_pending_update BEFORE UPDATE OF item_id, comment ON card
WHEN NEW.item_id <> OLD.item_id OR NEW.comment IS NOT OLD.comment BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER card_pending_delete BEFORE DELETE ON card WHEN OLD.comment IS NOT NULL BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER track_pending_insert BEFORE INSERT ON track BEGIN
  INSERT INTO search_pending (item_id) VALUES (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER track_pending_update BEFORE UPDATE OF item_id, number, title ON track BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id), (NEW.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER track_pending_delete BEFORE DELETE ON track BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.item_id) ON CONFLICT DO NOTHING;
END;
