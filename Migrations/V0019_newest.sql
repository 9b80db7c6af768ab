-- What is newer is told by times, which are the same on every device, and not by numbers of this file. Cards of one item have
-- times of their own, in the order in which they were written.

DROP INDEX card_item;
CREATE INDEX card_item ON card (item_id, created_at);
DROP INDEX item_kind;
CREATE INDEX item_kind ON item (kind, created_at);
CREATE INDEX item_added ON item (created_at);

-- Cards that were written within one second get a second each: by their names where they have travelled, so that all devices do
-- the same, and else by their numbers.
DROP TRIGGER card_keeps_creation;
UPDATE card SET created_at = strftime('%Y-%m-%dT%H:%M:%SZ', earliest.second, 'unixepoch') FROM (
  SELECT id, place + max(unixepoch(created_at) - place) OVER (PARTITION BY item_id ORDER BY place) AS second FROM (
    SELECT card.id, item_id, created_at, row_number() OVER (PARTITION BY item_id ORDER BY created_at, uid IS NULL, uid, card.id) AS place
    FROM card LEFT JOIN identity ON table_name = 'card' AND row_id = card.id AND is_alias = 0)) AS earliest
WHERE earliest.id = card.id AND earliest.second <> unixepoch(created_at);
CREATE TRIGGER card_keeps_creation BEFORE UPDATE OF created_at ON card WHEN NEW.created_at IS NOT OLD.created_at BEGIN
  SELECT RAISE(ABORT, 'a card keeps its creation time');
END;

-- Two devices may write a card within one second: then what it says decides.
DROP VIEW item_rating;
CREATE VIEW item_rating AS
SELECT item.id AS item_id, card.rating, card.scale, card.id AS card_id
FROM item JOIN card ON card.id = (
  SELECT id FROM card WHERE card.item_id = item.id AND rating IS NOT NULL
  ORDER BY created_at DESC, rating DESC, comment DESC, id DESC LIMIT 1);

DROP VIEW cards;
CREATE VIEW cards AS
SELECT card.id, card.item_id, item.kind, item.title, card.rating, card.scale, card.comment, card.seen_on, card.created_at,
  card.updated_at
FROM card JOIN item ON item.id = card.item_id ORDER BY card.created_at DESC, card.rating DESC, card.comment DESC, card.id DESC;

DROP VIEW favorites;
CREATE VIEW favorites AS
SELECT shelf.id, kind, title, creator, year, favorite.added_at AS favorite_since
FROM favorite JOIN shelf ON shelf.id = favorite.item_id ORDER BY favorite.added_at DESC, favorite.sequence DESC;
