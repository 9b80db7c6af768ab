-- When something happened: docs/genres.md and docs/reports.md say which number uses which date.

-- The moments at which imports wrote: a card, a favorite or an item that a file brought without a date has such a time, and belongs to
-- no day. Several cards of one item get a second each.
CREATE VIEW import_time AS
SELECT at FROM import_batch
UNION SELECT strftime('%Y-%m-%dT%H:%M:%SZ', at, '+1 second') FROM import_batch
UNION SELECT strftime('%Y-%m-%dT%H:%M:%SZ', at, '+2 seconds') FROM import_batch;

-- The day that a card speaks of: that of its diary entry, its own, or the day on which it was written. Null where no file said it.
CREATE VIEW card_day AS
SELECT card.id AS card_id, card.item_id, coalesce(
  (SELECT ended_on FROM log_entry WHERE log_entry.card_id = card.id), card.seen_on,
  CASE WHEN card.created_at NOT IN (SELECT at FROM import_time) THEN substr(card.created_at, 1, 10) END) AS day
FROM card;

-- The newest rating is that of the last viewing, however late an earlier one was written down.
DROP VIEW item_rating;
CREATE VIEW item_rating AS
SELECT item.id AS item_id, card.rating, card.scale, card.id AS card_id
FROM item JOIN card ON card.id = (
  SELECT id FROM card WHERE card.item_id = item.id AND rating IS NOT NULL
  ORDER BY coalesce((SELECT ended_on FROM log_entry WHERE log_entry.card_id = card.id), seen_on, substr(created_at, 1, 10)) DESC,
    created_at DESC, rating DESC, comment DESC, id DESC LIMIT 1);

DROP VIEW cards;
CREATE VIEW cards AS
SELECT card.id, card.item_id, item.kind, item.title, card.rating, card.scale, card.comment, card.seen_on, card.created_at,
  card.updated_at
FROM card JOIN item ON item.id = card.item_id
ORDER BY coalesce((SELECT ended_on FROM log_entry WHERE log_entry.card_id = card.id), seen_on, substr(card.created_at, 1, 10)) DESC,
  card.created_at DESC, card.rating DESC, card.comment DESC, card.id DESC;
