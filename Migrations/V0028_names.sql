-- A name has one key, by which it is kept and asked for: c# is not c, and Sci-Fi is scifi. Two tags of one key become one.
-- The old keys go first, as one may be the new key of another name.
UPDATE tag SET key = char(1) || key WHERE key <> catalog_name_key(name);
UPDATE pile SET key = char(1) || key WHERE key <> catalog_name_key(name);
UPDATE saved_query SET key = char(1) || key WHERE key <> catalog_name_key(name);
UPDATE OR IGNORE tag SET key = catalog_name_key(name) WHERE key <> catalog_name_key(name);
INSERT OR IGNORE INTO item_tag (item_id, tag_id)
SELECT item_id, other.id FROM item_tag JOIN tag ON tag.id = tag_id JOIN tag AS other ON other.key = catalog_name_key(tag.name)
WHERE tag.key <> catalog_name_key(tag.name);
DELETE FROM item_tag WHERE tag_id IN (SELECT id FROM tag WHERE key <> catalog_name_key(name));
DELETE FROM tag WHERE key <> catalog_name_key(name);
UPDATE OR IGNORE pile SET key = catalog_name_key(name) WHERE key <> catalog_name_key(name);
UPDATE OR IGNORE saved_query SET key = catalog_name_key(name) WHERE key <> catalog_name_key(name);
-- A pile or query that has the key of another keeps its content under a name of its own.
UPDATE pile SET name = name || ' = ' || substr(key, 2), key = catalog_name_key(name || ' = ' || substr(key, 2))
WHERE key <> catalog_name_key(name);
UPDATE saved_query SET name = name || ' = ' || substr(key, 2), key = catalog_name_key(name || ' = ' || substr(key, 2))
WHERE key <> catalog_name_key(name);
UPDATE OR IGNORE genre SET key = catalog_name_key(name) WHERE key <> catalog_name_key(name);
UPDATE OR IGNORE genre_label SET key = catalog_name_key(label) WHERE key <> catalog_name_key(label);

-- Wide letters, ligatures and half-width kana are found by the plain ones, and ё by е. Both indexes begin anew where there are such
-- letters; the items are indexed, and get the keys of their titles, at the next search.
CREATE TEMP TABLE wide AS
SELECT 1 FROM item_text WHERE text GLOB '*[　！-～･-ﾟﬀ-ﬆёЁйЙўЎїЇ]*' OR own GLOB '*[　！-～･-ﾟﬀ-ﬆёЁйЙўЎїЇ]*' LIMIT 1;
INSERT INTO item_search (item_search) SELECT 'delete-all' FROM wide;
INSERT INTO item_search_own (item_search_own) SELECT 'delete-all' FROM wide;
DELETE FROM search_pending WHERE EXISTS (SELECT 1 FROM wide);
INSERT INTO search_pending (item_id, old_text, old_own) SELECT id, '', '' FROM item, wide;
DROP TABLE wide;
