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

-- The kinds that the diary tells of: a quarter of what is on the shelf, or more, was watched, read or played.
CREATE VIEW lived_kind AS
SELECT kind FROM item WHERE id NOT IN (
  SELECT item_id FROM wish WHERE item_id NOTNULL AND fulfilled_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM copy WHERE copy.item_id = wish.item_id)
    AND NOT EXISTS (SELECT 1 FROM event WHERE event.item_id = wish.item_id AND outcome = 'done'))
GROUP BY kind HAVING 4 * sum(id IN (SELECT item_id FROM event WHERE outcome = 'done')) >= count(*);

-- The items that count for taste, and when each came: of a kind that the diary tells of, what was finished, by the day of the last
-- time; else what is on the shelf, by when it was added. Null where an import made the date up, or a hundred came on one day. Of the
-- editions of a work one counts.
DROP VIEW taste;
CREATE VIEW taste AS
WITH finished AS MATERIALIZED (SELECT item_id, max(ended_on) AS ended_on FROM event WHERE outcome = 'done' GROUP BY item_id),
  dated AS MATERIALIZED (
    SELECT id, kind, created_at, finished.item_id NOTNULL AS is_finished,
      CASE WHEN kind IN (SELECT kind FROM lived_kind) THEN ended_on
        WHEN created_at NOT IN (SELECT at FROM import_time) THEN created_at END AS came
    FROM item LEFT JOIN finished ON finished.item_id = id
    WHERE (kind NOT IN (SELECT kind FROM lived_kind) OR finished.item_id NOTNULL) AND id NOT IN (
      SELECT item_id FROM wish WHERE item_id NOTNULL AND fulfilled_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM copy WHERE copy.item_id = wish.item_id)
        AND NOT EXISTS (SELECT 1 FROM event WHERE event.item_id = wish.item_id AND outcome = 'done'))),
  crowd AS MATERIALIZED (
    SELECT kind, substr(came, 1, 10) AS day FROM dated WHERE length(came) >= 10 GROUP BY 1, 2 HAVING count(*) >= 100),
  edition AS (SELECT item_id, work_id FROM edition_of UNION SELECT work_id, work_id FROM edition_of),
  other AS MATERIALIZED (
    SELECT id FROM (
      SELECT id, row_number() OVER (
        PARTITION BY work_id
        ORDER BY is_finished DESC, id IN (SELECT item_id FROM card WHERE rating NOTNULL) DESC, created_at, id) AS place
      FROM dated JOIN edition ON edition.item_id = id)
    WHERE place > 1)
SELECT item.*, CASE WHEN (dated.kind, substr(came, 1, 10)) NOT IN (SELECT kind, day FROM crowd) THEN came END AS came
FROM dated JOIN item ON item.id = dated.id WHERE dated.id NOT IN (SELECT id FROM other);

DROP VIEW genre_share;
CREATE VIEW genre_share AS
WITH
  fact AS MATERIALIZED (
    SELECT id AS item_id, kind, n, rating, rating NOTNULL OR id IN (SELECT item_id FROM favorite) AS judged,
      ifnull(rating >= 80, 0) OR id IN (SELECT item_id FROM favorite) AS loved,
      CASE WHEN length(came) >= 10 THEN came >= date('now', '-365 days') END AS recent
    FROM taste LEFT JOIN item_rating ON item_rating.item_id = id
      LEFT JOIN (SELECT item_id, min(6, count(*)) AS n FROM item_genre GROUP BY item_id) AS own ON own.item_id = id),
  of_kind AS MATERIALIZED (
    SELECT kind, avg(rating) AS mean, sum(judged) AS judged, sum(loved) AS loved FROM fact GROUP BY kind),
  side AS MATERIALIZED (
    SELECT kind, n, sum(recent) AS r, sum(NOT recent) AS b FROM fact WHERE n NOTNULL GROUP BY kind, n HAVING r AND b),
  whole AS MATERIALIZED (
    SELECT (SELECT count(n) FROM fact) AS n, (SELECT sum(1.0 * r * b / (r + b)) FROM side) AS w),
  own AS MATERIALIZED (SELECT genre_id, count(*) AS items FROM item_genre JOIN taste ON id = item_id GROUP BY genre_id),
  low AS MATERIALIZED (SELECT genre_id, sum(weight) AS weight FROM item_weight JOIN taste ON id = item_id GROUP BY genre_id),
  counted AS MATERIALIZED (
    SELECT genre_id, kind, n, count(*) AS items, count(rating) AS rated, sum(rating) AS ratings, sum(judged) AS judged,
      sum(loved) AS loved, sum(recent) AS x, sum(NOT recent) AS y
    FROM genre_item JOIN fact USING (item_id) GROUP BY genre_id, kind, n),
  opinion AS MATERIALIZED (
    SELECT genre_id, sum(items) AS items, sum(rated) AS rated, sum(ratings) AS ratings, sum(rated * mean) AS expected,
      sum(counted.judged) AS judged, sum(counted.loved) AS loved,
      sum(1.0 * counted.judged * of_kind.loved / of_kind.judged) AS love
    FROM counted JOIN of_kind USING (kind) GROUP BY genre_id),
  moved AS MATERIALIZED (
    SELECT genre_id, sum(x) AS x, sum(1.0 * (x + y) * r / (r + b)) AS e, sum(1.0 * (x * b - y * r) / (r + b)) AS d
    FROM counted JOIN side USING (kind, n) GROUP BY genre_id)
SELECT genre.id AS genre_id, name AS genre, opinion.items, ifnull(own.items, 0) AS own_items,
  parent_id IS NULL AND EXISTS (SELECT 1 FROM genre AS below WHERE below.parent_id = genre.id) AS is_heading,
  1.0 * opinion.items / n AS share, ifnull(weight, 0.0) / n AS weight,
  rated, 1.0 * ratings / rated AS mean_rating, (10.0 * expected / rated + ratings) / (10 + rated) AS shrunk_rating,
  judged, loved, iif(judged >= 5, (10.0 * love / judged + loved) / (10.0 * love / judged + love), NULL) AS affinity,
  100 * ifnull(d, 0.0) / w AS momentum, ifnull(x, 0) AS recent_items, iif(w, ifnull(e, 0.0), NULL) AS recent_expected
FROM opinion JOIN whole JOIN genre ON genre.id = opinion.genre_id
  LEFT JOIN own ON own.genre_id = genre.id LEFT JOIN low ON low.genre_id = genre.id
  LEFT JOIN moved ON moved.genre_id = genre.id
ORDER BY opinion.items DESC, round(weight, 9) DESC, name;

DROP VIEW genre_drift;
CREATE VIEW genre_drift AS
WITH own(year, kind, branch_id, w) AS MATERIALIZED (
    SELECT CAST(substr(came, 1, 4) AS INTEGER) AS added, kind, branch_id, sum(weight)
    FROM item_branch JOIN taste ON id = item_id WHERE came NOTNULL GROUP BY added, kind, branch_id),
  size AS MATERIALIZED (SELECT year, kind, sum(w) AS n FROM own GROUP BY year, kind),
  part AS MATERIALIZED (SELECT year, kind, branch_id, w / n AS p FROM own JOIN size USING (year, kind)),
  step AS (SELECT year, lag(year) OVER (ORDER BY year) AS before FROM size GROUP BY year),
  kinds AS MATERIALIZED (
    SELECT step.year, before, kind, a.n * b.n / (a.n + b.n) AS w
    FROM step JOIN size AS a ON a.year = step.year JOIN size AS b USING (kind) WHERE b.year = before),
  both AS MATERIALIZED (
    SELECT kinds.year, before, w, sum(p * (part.year = kinds.year)) AS p, sum(p * (part.year = before)) AS q
    FROM kinds JOIN part ON part.kind = kinds.kind AND part.year IN (kinds.year, before)
    GROUP BY kinds.year, kinds.kind, branch_id)
SELECT year, before AS compared_with,
  sum(w * (ifnull(p * log2(2 * p / (p + q)), 0) + ifnull(q * log2(2 * q / (p + q)), 0))) / 2
    / (SELECT sum(w) FROM kinds WHERE kinds.year = both.year) AS drift
FROM both GROUP BY year;
