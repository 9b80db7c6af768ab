-- The words of an item are made of its wishes, too, and who removes an item removes these: without an index all wishes of the
-- catalog are read for each item. The open ones have an index of their own, which sees to it that there is one of each thing.
CREATE INDEX wish_item ON wish (item_id);
