-- Words with letters that people type as others were left out of the indexes by V0021, where their item waited to be indexed. Both indexes
-- begin anew where there are such words; the items are indexed at the next search.

CREATE TEMP TABLE respelled AS
SELECT 1 FROM item_text WHERE text GLOB '*[łŁøØđĐæÆœŒßẞþÞðÐħĦı]*' OR own GLOB '*[łŁøØđĐæÆœŒßẞþÞðÐħĦı]*' LIMIT 1;
INSERT INTO item_search (item_search) SELECT 'delete-all' FROM respelled;
INSERT INTO item_search_own (item_search_own) SELECT 'delete-all' FROM respelled;
DELETE FROM search_pending WHERE EXISTS (SELECT 1 FROM respelled);
INSERT INTO search_pending (item_id, old_text, old_own) SELECT id, '', '' FROM item, respelled;
DROP TABLE respelled;
