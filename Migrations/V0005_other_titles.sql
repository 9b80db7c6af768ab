-- What an item is called besides: in the person's country, in English, where it was made. It is found by these too.

-- A title a line. A column, not a table: nothing is ever asked of one of them alone, and an item without any pays a byte.
ALTER TABLE item ADD COLUMN other_titles TEXT CHECK (trim(other_titles) <> '');

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
  || coalesce(char(10) || vinyl.catalog_number, '') || coalesce(char(10) || vinyl.barcode, '') AS text
FROM item LEFT JOIN book ON book.item_id = item.id LEFT JOIN vinyl ON vinyl.item_id = item.id;

DROP TRIGGER item_pending_update;
CREATE TRIGGER item_pending_update BEFORE UPDATE OF id, title, original_title, other_titles ON item BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.id), (NEW.id) ON CONFLICT DO NOTHING;
END;
