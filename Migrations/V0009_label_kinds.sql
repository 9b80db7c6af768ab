-- What a label means may depend on the kind of thing it is said of, and the file knows which meanings are a person's.

-- One row for each source, kind and key. The tables that speak of labels are made anew, because a constraint changes.
CREATE TABLE label_before AS SELECT * FROM genre_label;
CREATE TABLE target_before AS SELECT * FROM genre_label_target;
CREATE TABLE item_label_before AS SELECT item_label.*, kind FROM item_label JOIN item ON item.id = item_id;
DROP TABLE item_label;
DROP TABLE genre_label_target;
DROP TABLE genre_label;

-- What sources call genres. One label may stand for several genres ('Action & Adventure'); known noise stands for none.
CREATE TABLE genre_label (
  id INTEGER PRIMARY KEY,
  -- 'any': what a person said of it for every source.
  source TEXT NOT NULL,
  -- What the items are that came with it; '': what a person said of it for every kind.
  kind TEXT NOT NULL DEFAULT '' CHECK (kind IN ('', 'movie', 'book', 'vinyl')),
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  -- 0: no mapping knew it when it came. Noise is known, and has no target.
  is_known INTEGER NOT NULL DEFAULT 1 CHECK (is_known IN (0, 1)),
  -- 1: a person said what it means, and no later version of the program changes it.
  by_hand INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
  UNIQUE (source, kind, key)
) STRICT;
CREATE INDEX genre_label_by_hand ON genre_label (key) WHERE by_hand;

CREATE TABLE genre_label_target (
  label_id INTEGER NOT NULL REFERENCES genre_label (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position > 0),
  genre_id INTEGER NOT NULL REFERENCES genre (id) ON DELETE CASCADE,
  PRIMARY KEY (label_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX genre_label_target_genre ON genre_label_target (genre_id);

-- The labels that an item came with, whatever became of them.
CREATE TABLE item_label (
  item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position > 0),
  label_id INTEGER NOT NULL REFERENCES genre_label (id) ON DELETE RESTRICT,
  PRIMARY KEY (item_id, position)
) STRICT, WITHOUT ROWID;

-- What a person said of a label holds for every kind, as before. Who said what a label of items means was not kept: it is taken
-- for a person's, unless nobody knew it, or it is what versions before said and this one says otherwise. What this one
-- says just so is found out when the labels are next looked at.
CREATE TABLE came AS SELECT DISTINCT label_id, kind FROM item_label_before;
INSERT INTO genre_label (id, source, kind, key, label, is_known, by_hand)
SELECT id, source, coalesce(min(came.kind), ''), key, label, is_known,
  source = 'any' OR is_known AND (key, (
    SELECT coalesce(group_concat(name, '; '), '') FROM (
      SELECT name FROM target_before JOIN genre ON genre.id = genre_id
      WHERE target_before.label_id = label_before.id ORDER BY position)
  )) NOT IN (VALUES
    ('animation', 'Animation'), ('anime', 'Anime'), ('ballet', 'Performing Arts'),
    ('biographical', 'Biography & Memoir'), ('biographicalfilm', 'Biography & Memoir'),
    ('biography', 'Biography & Memoir'), ('biopic', 'Biography & Memoir'), ('breakin', 'Pop'), ('broadway', 'Musical'),
    ('cabaret', 'Musical'), ('child', 'Family & Relationships'), ('children', 'Children''s'), ('childrens', 'Children''s'),
    ('christian', 'Religion & Spirituality'), ('christianity', 'Religion & Spirituality'), ('christmas', 'Holiday'),
    ('christmasstories', 'Holiday'), ('classic', 'Classics'), ('classics', 'Classics'), ('comedy', 'Comedy'),
    ('comedyrap', 'Hip-Hop'), ('comedyrock', 'Pop Rock'), ('concert', ''), ('concertfilm', 'Documentary; Music'),
    ('concertfilms', 'Documentary; Music'), ('disaster', 'Thriller'), ('disasterfilm', 'Thriller'),
    ('documentary', 'Documentary'), ('drama', 'Drama'), ('education', 'Education'),
    ('education', 'Spoken Word; Education'), ('educational', 'Education'), ('educational', 'Spoken Word; Education'),
    ('fairytale', 'Fairy Tales'), ('fairytales', 'Fairy Tales'), ('fictiondisaster', 'Thriller'),
    ('fictiongay', 'Fiction'), ('fictionlesbian', 'Fiction'), ('fictionlgbtqandgeneral', 'Fiction'),
    ('fictionnoir', 'Crime'), ('fictionpolitical', 'Fiction; Politics'), ('fictionromanceerotica', 'Erotica'),
    ('fictionromancehistorical', 'Historical Fiction'), ('fictionromancehistoricalgeneral', 'Historical Fiction'),
    ('fictionromancehistoricalregency', 'Historical Fiction'), ('fictionromancenewadult', 'Romance'),
    ('fictionromanceparanormal', 'Paranormal'), ('fictionromanceparanormalgeneral', 'Paranormal'),
    ('fictionromancesuspense', 'Romance'), ('fictionromancetimetravel', 'Time Travel'),
    ('fictionromancewestern', 'Romance'), ('fictionsciencefictionsteampunk', 'Science Fiction'),
    ('fictionsports', 'Fiction'), ('film', 'Film'), ('folkworldandcountry', 'Folk; World; Country'),
    ('funksoul', 'Funk; Soul'), ('game', 'Games'), ('games', 'Games'), ('gaming', 'Games'), ('gayandlesbian', 'Society'),
    ('gothicromance', 'Gothic'), ('hankookrock', 'Rock'), ('health', 'Health'), ('healthfitness', 'Health'),
    ('historicalromance', 'Historical Fiction'), ('historie', 'History'), ('history', 'History'), ('holiday', 'Holiday'), ('holidays', 'Holiday'),
    ('humor', 'Humor'), ('humour', 'Humor'), ('inspirational', 'Religion & Spirituality'), ('jrock', 'J-Pop'),
    ('juvenile', 'Children''s'), ('kids', 'Children''s'), ('koreanfiction', 'Literary Fiction'),
    ('koreanliterature', 'Literary Fiction'), ('krock', 'K-Pop'), ('language', 'Language'), ('lgbt', 'Society'),
    ('lgbtq', 'Society'), ('lgbtqiaand', 'Society'), ('love', 'Romance'), ('military', 'War'),
    ('militaryfiction', 'War'), ('music', 'Music'), ('musica', 'Music'), ('musical', 'Musical'), ('musicals', 'Musical'),
    ('musicaltheater', 'Musical'), ('musicaltheatre', 'Musical'), ('musicdocumentaries', 'Documentary; Music'),
    ('musicfeaturefilms', 'Musical'), ('musik', 'Music'), ('musique', 'Music'), ('nativeamerican', 'World'),
    ('neonoir', 'Film Noir'), ('newadult', 'Young Adult'), ('news', 'News'), ('noir', 'Film Noir'),
    ('noirfiction', 'Crime'), ('noirfictionamerican', 'Crime'), ('novelty', 'Pop'), ('office', 'Productivity'),
    ('paranormalromance', 'Paranormal'), ('parodies', 'Satire'), ('parody', 'Satire'), ('parodyrock', 'Rock'),
    ('performance', 'Performing Arts'), ('play', 'Plays'), ('plays', 'Plays'), ('poem', 'Poetry'), ('poetry', 'Poetry'),
    ('political', 'Politics'), ('politics', 'Politics'), ('popculture', 'Entertainment'),
    ('popularculture', 'Entertainment'), ('productivity', 'Productivity'), ('regencyromance', 'Romance'),
    ('religion', 'Religion & Spirituality'), ('religious', 'Religion & Spirituality'), ('romance', 'Romance'),
    ('satire', 'Satire'), ('sermon', 'Religion & Spirituality'), ('shortstorieskorean', 'Short Stories'),
    ('showtunes', 'Musical'), ('silent', ''), ('silentfilm', ''), ('slasher', 'Horror'), ('slasherfilm', 'Horror'),
    ('spiritual', 'Religion & Spirituality'), ('spirituality', 'Religion & Spirituality'), ('spoof', 'Satire'),
    ('sport', 'Sports'), ('sports', 'Sports'), ('sportsfilm', 'Sports'), ('standup', 'Comedy'),
    ('standupcomedy', 'Comedy'), ('steampunk', 'Science Fiction'), ('theater', 'Performing Arts'),
    ('theatre', 'Performing Arts'), ('therapy', 'Health'), ('videogame', 'Games'), ('videogames', 'Games'),
    ('visualkei', 'J-Pop'), ('volksmusik', 'Schlager'), ('war', 'War'), ('xmas', 'Holiday'), ('게임', 'Games'),
    ('고전', 'Classics'), ('교육', 'Education'), ('기독교', 'Religion & Spirituality'), ('누아르', 'Film Noir'),
    ('느와르', 'Film Noir'), ('대중문화', 'Entertainment'), ('뮤지컬', 'Musical'), ('뮤직', 'Music'), ('발레', 'Performing Arts'),
    ('생산성', 'Productivity'), ('스포츠', 'Sports'), ('슬래셔', 'Horror'), ('시', 'Poetry'), ('아트록', 'Progressive Rock'),
    ('애니메이션', 'Animation'), ('어린이', 'Children''s'), ('어린이및가족', 'Children''s; Family'), ('역사', 'History'), ('영화', 'Film'),
    ('음악', 'Music'), ('음악다큐멘터리', 'Documentary; Music'), ('음악영화', 'Musical'), ('재난', 'Thriller'),
    ('전기', 'Biography & Memoir'), ('정치', 'Politics'), ('종교', 'Religion & Spirituality'), ('코미디', 'Comedy'),
    ('콘서트영화', 'Documentary; Music'), ('콘서트필름', 'Documentary; Music'), ('크리스마스', 'Holiday'), ('키즈', 'Children''s'),
    ('한국문학', 'Literary Fiction'), ('한국소설', 'Fiction'), ('홀리데이', 'Holiday'), ('self', 'Self-Help'), ('women', 'Society'), ('문학', 'Fiction'), ('youngadultfantasy', 'Young Adult'),
    ('youngadultromance', 'Young Adult'), ('youngadultdystopian', 'Young Adult'), ('youngadultparanormal', 'Young Adult')
  )
FROM label_before LEFT JOIN came ON label_id = id GROUP BY id;
INSERT INTO genre_label_target SELECT * FROM target_before;
-- A label that came with things of several kinds is as many from now on.
INSERT INTO genre_label (source, kind, key, label, is_known, by_hand)
SELECT source, came.kind, key, label, is_known, by_hand
FROM came JOIN genre_label ON genre_label.id = label_id AND came.kind <> genre_label.kind;
INSERT INTO genre_label_target
SELECT other.id, position, genre_id
FROM genre_label AS other JOIN genre_label AS first ON first.source = other.source AND first.key = other.key
  JOIN target_before ON label_id = first.id
WHERE other.id NOT IN (SELECT id FROM label_before);
INSERT INTO item_label
SELECT item_id, position, other.id
FROM item_label_before JOIN genre_label AS first ON first.id = label_id
  JOIN genre_label AS other ON other.source = first.source AND other.key = first.key AND other.kind = item_label_before.kind;
-- What no item has and no person said is of no use.
DELETE FROM genre_label WHERE kind = '' AND NOT by_hand;
DROP TABLE label_before;
DROP TABLE target_before;
DROP TABLE item_label_before;
DROP TABLE came;

-- Two genres get another place, where nobody moved them, and one a name that says which of two it is.
UPDATE genre SET parent_id = (SELECT id FROM genre WHERE key = 'nonfiction')
WHERE key = 'reference' AND parent_id = (SELECT id FROM genre WHERE key = 'podcastsandapps')
  AND EXISTS (SELECT 1 FROM genre WHERE key = 'nonfiction');
INSERT INTO genre (name, key, parent_id)
SELECT 'Noir', 'noir', id FROM genre WHERE key = 'crime'
  AND NOT EXISTS (SELECT 1 FROM genre WHERE key = 'noir')
  AND NOT EXISTS (SELECT 1 FROM genre_label WHERE source = 'any' AND key = 'noir');
UPDATE genre SET parent_id = (SELECT id FROM genre WHERE key = 'noir')
WHERE key = 'filmnoir' AND parent_id = (SELECT id FROM genre WHERE key = 'crime')
  AND EXISTS (SELECT 1 FROM genre WHERE key = 'noir');
UPDATE genre SET name = 'Hardcore Punk', key = 'hardcorepunk'
WHERE key = 'hardcore' AND NOT EXISTS (SELECT 1 FROM genre WHERE key = 'hardcorepunk')
  AND NOT EXISTS (SELECT 1 FROM genre_label WHERE source = 'any' AND key = 'hardcorepunk');
