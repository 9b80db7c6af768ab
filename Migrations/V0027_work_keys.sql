-- What items are called, whatever the spelling (docs/editions.md): items that may be one work share a key. Derived; the program
-- writes it with the search index.
CREATE TABLE work_key (
  -- A hash of the kind and a title, or a part of one.
  key INTEGER NOT NULL,
  item_id INTEGER NOT NULL,
  -- The year, and how the makers' names begin, which tell most other works apart.
  facts INTEGER NOT NULL,
  PRIMARY KEY (key, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_key_item ON work_key (item_id);

DROP TRIGGER item_pending_update;
CREATE TRIGGER item_pending_update BEFORE UPDATE OF id, title, original_title, other_titles, year, note ON item BEGIN
  INSERT INTO search_pending (item_id) VALUES (OLD.id), (NEW.id) ON CONFLICT DO NOTHING;
END;

-- The keys of the items that are there are written at the next search.
INSERT INTO search_pending (item_id, old_text, old_own)
SELECT item_id, text, own FROM item_text WHERE item_id NOT IN (SELECT item_id FROM search_pending);
