-- The genre analysis says only what is more than chance: what it takes to judge each number stands beside it. Whose lowest
-- genre is Hard Bop counts as Hard Bop, not as half Jazz, and diversity, drift and likeness are of branches.

-- The branch of a genre: itself or the one above it that is just below a root. A root is its own.
CREATE VIEW genre_branch AS
WITH RECURSIVE down(genre_id, branch_id, depth) AS (
  SELECT id, id, 0 FROM genre WHERE parent_id IS NULL
  UNION ALL SELECT id, iif(depth, branch_id, id), 1 FROM genre JOIN down ON parent_id = genre_id)
SELECT genre_id, branch_id FROM down;

-- An item's weight of 1, split evenly among its lowest genres: those with none of its genres below them.
DROP VIEW item_weight;
CREATE VIEW item_weight AS
SELECT item_id, genre_id, 1.0 / count(*) OVER (PARTITION BY item_id) AS weight FROM (
  SELECT item_id, genre_id FROM item_genre EXCEPT
  SELECT item_id, ancestor_id FROM item_genre JOIN genre_ancestor USING (genre_id) WHERE ancestor_id <> genre_id);

CREATE VIEW item_branch AS
SELECT item_id, branch_id, sum(weight) AS weight FROM item_weight JOIN genre_branch USING (genre_id)
GROUP BY item_id, branch_id;

DROP VIEW genre_share;
CREATE VIEW genre_share AS
WITH
  fact(item_id, has_genre, rating, judged, loved, recent) AS MATERIALIZED (
    SELECT id, id IN (SELECT item_id FROM item_genre), rating, rating NOTNULL OR id IN (SELECT item_id FROM favorite),
      ifnull(rating >= 80, 0) OR id IN (SELECT item_id FROM favorite),
      created_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-365 days')
    FROM item LEFT JOIN item_rating ON item_id = id),
  whole(n, before, recent, mean, love) AS MATERIALIZED (
    SELECT sum(has_genre), sum(has_genre AND NOT recent), sum(has_genre AND recent), avg(rating), 1.0 * sum(loved) / sum(judged)
    FROM fact),
  own(genre_id, items) AS MATERIALIZED (SELECT genre_id, count(*) FROM item_genre GROUP BY genre_id),
  low(genre_id, weight) AS MATERIALIZED (SELECT genre_id, sum(weight) FROM item_weight GROUP BY genre_id),
  counted(genre_id, items, rated, ratings, judged, loved, r, b) AS MATERIALIZED (
    SELECT genre_id, count(*), count(rating), sum(rating), sum(judged), sum(loved), sum(recent), sum(NOT recent)
    FROM genre_item JOIN fact USING (item_id) GROUP BY genre_id),
  side AS (SELECT *, (r + 1.0) / (recent + 2) AS p, (b + 1.0) / (before + 2) AS q FROM counted JOIN whole),
  trend AS (SELECT *, sqrt(p * (1 - p) / (recent + 2) + q * (1 - q) / (before + 2)) AS error FROM side)
SELECT genre.id AS genre_id, name AS genre, trend.items, ifnull(own.items, 0) AS own_items,
  parent_id IS NULL AND EXISTS (SELECT 1 FROM genre AS below WHERE below.parent_id = genre.id) AS is_heading,
  1.0 * trend.items / n AS share, ifnull(weight, 0.0) / n AS weight,
  rated, 1.0 * ratings / rated AS mean_rating, (10 * mean + ratings) / (10 + rated) AS shrunk_rating,
  judged, loved, iif(judged >= 5, (10 * love + loved) / (10 + judged) / love, NULL) AS affinity,
  100.0 * r / recent - 100.0 * b / before AS momentum,
  iif(recent AND before, 100 * error, NULL) AS momentum_error, iif(recent AND before, (p - q) / error, NULL) AS momentum_score
FROM trend JOIN genre ON genre.id = trend.genre_id LEFT JOIN own USING (genre_id) LEFT JOIN low USING (genre_id)
ORDER BY trend.items DESC, round(weight, 9) DESC, name;

-- Two genres of one item: neither of them above the other, and no label stands for both. By chance is within each kind.
DROP VIEW genre_pair;
CREATE VIEW genre_pair AS
WITH mine AS MATERIALIZED (SELECT kind, item_id, genre_id FROM item_genre JOIN item ON id = item_id),
  size AS MATERIALIZED (SELECT kind, count(DISTINCT item_id) AS n FROM mine GROUP BY kind),
  own AS MATERIALIZED (SELECT kind, genre_id, count(*) AS n FROM mine GROUP BY kind, genre_id),
  line AS MATERIALIZED (
    SELECT genre_id, ancestor_id FROM genre_ancestor UNION SELECT ancestor_id, genre_id FROM genre_ancestor
    UNION SELECT a.genre_id, b.genre_id FROM genre_label_target AS a JOIN genre_label_target AS b USING (label_id)),
  pair AS MATERIALIZED (
    SELECT a.genre_id AS i, b.genre_id AS j, count(*) AS together
    FROM mine AS a JOIN mine AS b USING (item_id) GROUP BY i, j HAVING together >= 3),
  chance AS (
    SELECT i, j, together, 1.0 * a.n * b.n / size.n AS e, 1.0 * (size.n - a.n) * (size.n - b.n) / size.n / max(1, size.n - 1) AS f
    FROM pair JOIN own AS a ON a.genre_id = i JOIN own AS b ON b.genre_id = j AND b.kind = a.kind
      JOIN size ON size.kind = a.kind WHERE (i, j) NOT IN line)
SELECT x.name AS genre, y.name AS other, together, sum(e) AS expected, together / sum(e) AS lift,
  together - sum(e) AS surplus, sqrt(sum(e * f)) AS deviation
FROM chance JOIN genre AS x ON x.id = i JOIN genre AS y ON y.id = j AND x.name < y.name
GROUP BY i, j HAVING together > expected ORDER BY surplus DESC, genre, other;

DROP VIEW genre_diversity;
CREATE VIEW genre_diversity AS
WITH whole AS (SELECT count(DISTINCT item_id) AS n FROM item_genre),
  branch AS MATERIALIZED (
    SELECT sum(weight) / n AS w, 1.0 * count(*) / n AS present, count(*) AS items, n FROM item_branch JOIN whole GROUP BY branch_id),
  seen AS (SELECT *, max(1.0 / n, 1 - sum(iif(items = 1, w, 0)) OVER ()) AS c FROM branch)
SELECT count(*) AS branches, 1 - sum(w * w) AS gini_simpson, min(exp(-sum(c * w * ln(c * w) / (1 - pow(1 - c * present, n)))),
    (SELECT count(DISTINCT branch_id) FROM genre_branch)) AS effective_branches
FROM seen HAVING max(n) >= 20;

-- Each year in which something with a genre was added, against the one before it.
DROP VIEW genre_drift;
CREATE VIEW genre_drift AS
WITH own(year, branch_id, w) AS (
    SELECT CAST(substr(created_at, 1, 4) AS INTEGER) AS added, branch_id, sum(weight)
    FROM item_branch JOIN item ON id = item_id GROUP BY added, branch_id),
  part AS MATERIALIZED (SELECT year, branch_id, w / sum(w) OVER (PARTITION BY year) AS p FROM own),
  step AS (SELECT year, lag(year) OVER (ORDER BY year) AS before FROM part GROUP BY year)
SELECT year, before AS compared_with,
  sum(ifnull(p * log2(2 * p / (p + q)), 0) + ifnull(q * log2(2 * q / (p + q)), 0)) / 2 AS drift
FROM (
  SELECT step.year, before, sum(p * (part.year > before)) AS p, sum(p * (part.year = before)) AS q
  FROM step JOIN part ON part.year IN (step.year, before) WHERE before NOTNULL GROUP BY step.year, branch_id)
GROUP BY year;

-- The branches that at least 3 items of each of two kinds have. Their contributions add up to the cosine of all weights.
DROP VIEW kind_overlap;
CREATE VIEW kind_overlap AS
WITH part(kind, branch_id, w, items) AS MATERIALIZED (
    SELECT kind, branch_id, sum(weight), count(*) FROM item_branch JOIN item ON id = item_id GROUP BY kind, branch_id),
  size AS MATERIALIZED (SELECT kind, sum(w) AS n, sqrt(sum(w * w)) AS length FROM part GROUP BY kind)
SELECT a.kind, b.kind AS other, name AS genre, a.w / x.n AS weight, b.w / y.n AS other_weight,
  a.w * b.w / x.length / y.length AS contribution
FROM part AS a JOIN part AS b USING (branch_id) JOIN size AS x ON x.kind = a.kind JOIN size AS y ON y.kind = b.kind
  JOIN genre ON id = branch_id
WHERE a.kind < b.kind AND a.items >= 3 AND b.items >= 3 ORDER BY a.kind, b.kind, contribution DESC, name;
