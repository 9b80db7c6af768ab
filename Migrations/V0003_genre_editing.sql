-- Editing genres: what a person set by hand stays, whatever the labels come to mean.

-- 1: a person chose the item's genres, and its labels do not count any more. 0: its genres are what its labels stand
-- for, in the order of the labels.
ALTER TABLE item ADD COLUMN genres_by_hand INTEGER NOT NULL DEFAULT 0 CHECK (genres_by_hand IN (0, 1));

-- Until now that could be told only by the difference.
UPDATE item SET genres_by_hand = 1
WHERE (
  SELECT group_concat(genre_id) FROM (SELECT genre_id FROM item_genre WHERE item_id = item.id ORDER BY position)
) IS NOT (
  SELECT group_concat(genre_id) FROM (
    SELECT genre_id FROM item_label JOIN genre_label_target USING (label_id) WHERE item_id = item.id
    GROUP BY genre_id ORDER BY min(1000 * item_label.position + genre_label_target.position)));
