-- The genre analysis as views for people. docs/genres.md says what each number means. Every program reads these lines
-- whenever it opens the file, so they are short.

-- An item's weight of 1, split evenly among its own genres.
CREATE VIEW item_weight AS
SELECT item_id, genre_id, 1.0 / (SELECT count(*) FROM item_genre AS own WHERE own.item_id = item_genre.item_id) AS weight
FROM item_genre;

-- The items of each genre or of one below it, each once.
CREATE VIEW genre_item AS
SELECT DISTINCT ancestor_id AS genre_id, item_id FROM item_genre JOIN genre_ancestor USING (genre_id);

-- As before, said in fewer words.
DROP VIEW genre_share;
CREATE VIEW genre_share AS
WITH
  fact(item_id, has_genre, rating, loved, recent) AS MATERIALIZED (
    SELECT id, id IN (SELECT item_id FROM item_genre), rating,
      ifnull(rating >= 80, 0) OR id IN (SELECT item_id FROM favorite),
      created_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-365 days')
    FROM item LEFT JOIN item_rating ON item_id = id),
  whole(items, classified, recent, mean, loved) AS MATERIALIZED (
    SELECT count(*), sum(has_genre), sum(has_genre AND recent), avg(rating), sum(loved) FROM fact),
  own(genre_id, items, weight) AS MATERIALIZED (SELECT genre_id, count(*), sum(weight) FROM item_weight GROUP BY genre_id),
  counted(genre_id, items, rated, ratings, loved, recent) AS (
    SELECT genre_id, count(*), count(rating), sum(rating), sum(loved), sum(recent)
    FROM genre_item JOIN fact USING (item_id) GROUP BY genre_id)
SELECT genre.id AS genre_id, name AS genre, counted.items, ifnull(own.items, 0) AS own_items,
  parent_id IS NULL AND 2 * ifnull(own.items, 0) < counted.items AS is_heading,
  1.0 * counted.items / classified AS share, ifnull(weight, 0.0) / classified AS weight,
  rated, 1.0 * ratings / rated AS mean_rating, (5 * mean + ratings) / (5 + rated) AS shrunk_rating,
  CASE WHEN counted.items >= 5 THEN 1.0 * counted.loved / counted.items / whole.loved * whole.items END AS affinity,
  100.0 * counted.recent / whole.recent
    - 100.0 * (counted.items - counted.recent) / (classified - whole.recent) AS momentum
FROM counted JOIN whole JOIN genre ON genre.id = counted.genre_id LEFT JOIN own ON own.genre_id = counted.genre_id
ORDER BY counted.items DESC, weight DESC, name;

CREATE VIEW genre_by_decade AS
SELECT year - (year % 10 + 10) % 10 AS decade, name AS genre, count(*) AS items
FROM item JOIN genre_item ON item_id = item.id JOIN genre ON genre.id = genre_id
WHERE year IS NOT NULL GROUP BY decade, genre_id ORDER BY decade, items DESC, name;

-- Two genres of one item, neither of them above the other.
CREATE VIEW genre_pair AS
WITH own(id, name, n) AS MATERIALIZED (
    SELECT id, name, count(*) FROM item_genre JOIN genre ON id = genre_id GROUP BY id),
  line AS MATERIALIZED (SELECT * FROM genre_ancestor)
SELECT x.name AS genre, y.name AS other, together,
  1.0 * together * (SELECT count(DISTINCT item_id) FROM item_genre) / (x.n * y.n) AS lift
FROM (
    SELECT a.genre_id AS i, b.genre_id AS j, count(*) AS together
    FROM item_genre AS a JOIN item_genre AS b USING (item_id) GROUP BY i, j HAVING together >= 3)
  JOIN own AS x ON x.id = i JOIN own AS y ON y.id = j AND x.name < y.name
WHERE (i, j) NOT IN line AND (j, i) NOT IN line ORDER BY lift DESC, together DESC, genre, other;

CREATE VIEW genre_diversity AS
SELECT count(*) AS genres, exp(-sum(w * ln(w))) AS effective_genres, 1 - sum(w * w) AS gini_simpson
FROM (SELECT sum(weight) / (SELECT sum(weight) FROM item_weight) AS w FROM item_weight GROUP BY genre_id) HAVING genres;

-- Each year in which something with a genre was added, against the one before it.
CREATE VIEW genre_drift AS
WITH own(year, genre_id, w) AS (
    SELECT CAST(substr(created_at, 1, 4) AS INTEGER) AS added, genre_id, sum(weight)
    FROM item_weight JOIN item ON id = item_id GROUP BY added, genre_id),
  part AS MATERIALIZED (SELECT year, genre_id, w / sum(w) OVER (PARTITION BY year) AS p FROM own),
  step AS (SELECT year, lag(year) OVER (ORDER BY year) AS before FROM part GROUP BY year)
SELECT year, before AS compared_with,
  sum(ifnull(p * log2(2 * p / (p + q)), 0) + ifnull(q * log2(2 * q / (p + q)), 0)) / 2 AS drift
FROM (
  SELECT step.year, before, sum(p * (part.year > before)) AS p, sum(p * (part.year = before)) AS q
  FROM step JOIN part ON part.year IN (step.year, before) WHERE before NOTNULL GROUP BY step.year, genre_id)
GROUP BY year;

-- The genres that two kinds have in common. Their contributions add up to the cosine of the two kinds' weights.
CREATE VIEW kind_overlap AS
WITH part(kind, genre_id, w) AS MATERIALIZED (
    SELECT kind, genre_id, sum(weight) FROM item_weight JOIN item ON id = item_id GROUP BY kind, genre_id),
  size AS MATERIALIZED (SELECT kind, sum(w) AS n, sqrt(sum(w * w)) AS length FROM part GROUP BY kind)
SELECT a.kind, b.kind AS other, name AS genre, a.w / x.n AS weight, b.w / y.n AS other_weight,
  a.w * b.w / x.length / y.length AS contribution
FROM part AS a JOIN part AS b USING (genre_id) JOIN size AS x ON x.kind = a.kind JOIN size AS y ON y.kind = b.kind
  JOIN genre ON id = genre_id
WHERE a.kind < b.kind ORDER BY a.kind, b.kind, contribution DESC, name;
