-- The newest card is the one that was written last, whatever the clock said then: one that was set back made an older card the
-- newest. Numbers of cards only grow.

DROP VIEW item_rating;
CREATE VIEW item_rating AS
SELECT item.id AS item_id, card.rating, card.scale, card.id AS card_id
FROM item JOIN card ON card.id = (
  SELECT id FROM card WHERE card.item_id = item.id AND rating IS NOT NULL ORDER BY id DESC LIMIT 1);

DROP VIEW cards;
CREATE VIEW cards AS
SELECT card.id, card.item_id, item.kind, item.title, card.rating, card.scale, card.comment, card.seen_on, card.created_at,
  card.updated_at
FROM card JOIN item ON item.id = card.item_id ORDER BY card.id DESC;
