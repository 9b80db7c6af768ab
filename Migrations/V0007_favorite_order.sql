-- Favorites keep their order within one second: the one made last has the greatest number, whoever writes the row.

ALTER TABLE favorite ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
UPDATE favorite SET sequence = place
FROM (SELECT item_id AS id, row_number() OVER (ORDER BY added_at, item_id) AS place FROM favorite)
WHERE favorite.item_id = id;
CREATE INDEX favorite_order ON favorite (sequence);

CREATE TRIGGER favorite_last AFTER INSERT ON favorite BEGIN
  UPDATE favorite SET sequence = (SELECT max(sequence) + 1 FROM favorite) WHERE item_id = NEW.item_id;
END;
CREATE TRIGGER favorite_again AFTER UPDATE OF added_at ON favorite BEGIN
  UPDATE favorite SET sequence = (SELECT max(sequence) + 1 FROM favorite) WHERE item_id = NEW.item_id;
END;

DROP VIEW favorites;
CREATE VIEW favorites AS
SELECT shelf.id, kind, title, creator, year, favorite.added_at AS favorite_since
FROM favorite JOIN shelf ON shelf.id = favorite.item_id ORDER BY favorite.sequence DESC;
