-- Words with letters that people type as others are found as they type them: stanislaw finds Stanisław. Their items get these words
-- beside those that the indexes know.

INSERT INTO item_search (rowid, words)
SELECT item_id, catalog_respelled(text) FROM item_text
WHERE text GLOB '*[łŁøØđĐæÆœŒßẞþÞðÐħĦı]*' AND item_id NOT IN (SELECT item_id FROM search_pending);
INSERT INTO item_search_own (rowid, words)
SELECT item_id, catalog_respelled(own) FROM item_text
WHERE own GLOB '*[łŁøØđĐæÆœŒßẞþÞðÐħĦı]*' AND item_id NOT IN (SELECT item_id FROM search_pending);
