-- Words with an apostrophe are found as people type them without it: kikis finds Kiki's. Both indexes begin anew where there are
-- such words; the items are indexed at the next search.

CREATE TEMP TABLE joined AS
SELECT 1 FROM item_text WHERE text GLOB '*[''’‘ʼ`´′＇]*' OR own GLOB '*[''’‘ʼ`´′＇]*' LIMIT 1;
INSERT INTO item_search (item_search) SELECT 'delete-all' FROM joined;
INSERT INTO item_search_own (item_search_own) SELECT 'delete-all' FROM joined;
DELETE FROM search_pending WHERE EXISTS (SELECT 1 FROM joined);
INSERT INTO search_pending (item_id, old_text, old_own) SELECT id, '', '' FROM item, joined;
DROP TABLE joined;
