-- The genre analysis compares within kinds: docs/genre-mathematics.md says how, and why.

-- The items that count for taste: all but those that are only wished for, neither owned nor ever watched, read or played.
CREATE VIEW taste AS
SELECT * FROM item WHERE id NOT IN (
  SELECT item_id FROM wish WHERE item_id NOTNULL AND fulfilled_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM copy WHERE copy.item_id = wish.item_id)
    AND NOT EXISTS (SELECT 1 FROM event WHERE event.item_id = wish.item_id AND outcome = 'done'));

DROP VIEW genre_share;
CREATE VIEW genre_share AS
WITH
  fact AS MATERIALIZED (
    SELECT id AS item_id, kind, n, rating, rating NOTNULL OR id IN (SELECT item_id FROM favorite) AS judged,
      ifnull(rating >= 80, 0) OR id IN (SELECT item_id FROM favorite) AS loved,
      created_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-365 days') AS recent
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

-- By chance is among the items of a kind that have as many genres: an item with few has little room for two.
DROP VIEW genre_pair;
CREATE VIEW genre_pair AS
WITH mine AS MATERIALIZED (
    SELECT kind, item_id, genre_id, count(*) OVER (PARTITION BY item_id) AS l FROM item_genre JOIN taste ON id = item_id),
  size AS MATERIALIZED (SELECT kind, l, count(DISTINCT item_id) AS n FROM mine WHERE l > 1 GROUP BY kind, l),
  own AS MATERIALIZED (SELECT kind, l, genre_id, count(*) AS n FROM mine WHERE l > 1 GROUP BY kind, l, genre_id),
  line AS MATERIALIZED (
    SELECT genre_id, ancestor_id FROM genre_ancestor UNION SELECT ancestor_id, genre_id FROM genre_ancestor
    UNION SELECT a.genre_id, b.genre_id FROM genre_label_target AS a JOIN genre_label_target AS b USING (label_id)),
  pair AS MATERIALIZED (
    SELECT a.genre_id AS i, b.genre_id AS j, count(*) AS together
    FROM mine AS a JOIN mine AS b USING (item_id) GROUP BY i, j HAVING together >= 3),
  place AS (
    SELECT i, j, together, a.n AS a, b.n AS b, max((size.n * l - max(a.n, b.n)) / (l - 1), a.n, b.n) AS n
    FROM pair JOIN own AS a ON a.genre_id = i JOIN own AS b USING (kind, l) JOIN size USING (kind, l)
    WHERE b.genre_id = j AND (i, j) NOT IN line),
  chance AS (
    SELECT i, j, together, 1.0 * a * b / n AS e, 1.0 * (n - a) * (n - b) / n / max(1, n - 1) AS f FROM place)
SELECT x.name AS genre, y.name AS other, together, sum(e) AS expected, together / sum(e) AS lift,
  together - sum(e) AS surplus, sqrt(sum(e * f)) AS deviation
FROM chance JOIN genre AS x ON x.id = i JOIN genre AS y ON y.id = j AND x.name < y.name
GROUP BY i, j HAVING together > expected ORDER BY surplus DESC, genre, other;

-- Each kind is compared with itself.
DROP VIEW genre_drift;
CREATE VIEW genre_drift AS
WITH own(year, kind, branch_id, w) AS MATERIALIZED (
    SELECT CAST(substr(created_at, 1, 4) AS INTEGER) AS added, kind, branch_id, sum(weight)
    FROM item_branch JOIN taste ON id = item_id GROUP BY added, kind, branch_id),
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

-- The others of the same items.
DROP VIEW genre_diversity;
CREATE VIEW genre_diversity AS
WITH whole AS (SELECT count(DISTINCT item_id) AS n FROM item_genre JOIN taste ON id = item_id),
  branch AS MATERIALIZED (
    SELECT sum(weight) / n AS w, 1.0 * count(*) / n AS present, count(*) AS items, n FROM item_branch JOIN taste ON id = item_id JOIN whole GROUP BY branch_id),
  seen AS (SELECT *, max(1.0 / n, 1 - sum(iif(items = 1, w, 0)) OVER ()) AS c FROM branch)
SELECT count(*) AS branches, 1 - sum(w * w) AS gini_simpson, min(exp(-sum(c * w * ln(c * w) / (1 - pow(1 - c * present, n)))),
    (SELECT count(DISTINCT branch_id) FROM genre_branch)) AS effective_branches
FROM seen HAVING max(n) >= 20;

DROP VIEW kind_overlap;
CREATE VIEW kind_overlap AS
WITH part(kind, branch_id, w, items) AS MATERIALIZED (
    SELECT kind, branch_id, sum(weight), count(*) FROM item_branch JOIN taste ON id = item_id GROUP BY kind, branch_id),
  size AS MATERIALIZED (SELECT kind, sum(w) AS n, sqrt(sum(w * w)) AS length FROM part GROUP BY kind)
SELECT a.kind, b.kind AS other, name AS genre, a.w / x.n AS weight, b.w / y.n AS other_weight,
  a.w * b.w / x.length / y.length AS contribution
FROM part AS a JOIN part AS b USING (branch_id) JOIN size AS x ON x.kind = a.kind JOIN size AS y ON y.kind = b.kind
  JOIN genre ON id = branch_id
WHERE a.kind < b.kind AND a.items >= 3 AND b.items >= 3 ORDER BY a.kind, b.kind, contribution DESC, name;

DROP VIEW genre_by_decade;
CREATE VIEW genre_by_decade AS
SELECT year - (year % 10 + 10) % 10 AS decade, name AS genre, count(*) AS items
FROM taste JOIN genre_item ON item_id = taste.id JOIN genre ON genre.id = genre_id
WHERE year IS NOT NULL GROUP BY decade, genre_id ORDER BY decade, items DESC, name;
