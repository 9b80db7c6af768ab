-- What was popular in a week, by the source that says so. The weeks before are kept.

-- The movies that are or were on a list, as the source last told of them.
CREATE TABLE trending_movie (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL CHECK (source <> ''),
  source_id TEXT NOT NULL CHECK (source_id <> ''),
  title TEXT NOT NULL CHECK (trim(title) <> ''),
  original_title TEXT,
  year INTEGER CHECK (year BETWEEN -3000 AND 2200 AND year <> 0),
  released TEXT CHECK ((length(released) = 4 OR length(released) = 7 OR length(released) = 10)
    AND released || substr('-01-01', length(released) - 3) IS date(released || substr('-01-01', length(released) - 3), '+0 days')),
  -- The source's labels, '; ' between them.
  genres TEXT,
  description TEXT,
  url TEXT,
  artwork TEXT,
  public_rating REAL CHECK (public_rating BETWEEN 0 AND 100),
  public_votes INTEGER CHECK (public_votes >= 0),
  UNIQUE (source, source_id)
) STRICT;

CREATE TABLE trending (
  -- ISO 8601: 2026-W47.
  iso_week TEXT NOT NULL CHECK (iso_week GLOB '[0-9][0-9][0-9][0-9]-W[0-5][0-9]'),
  movie_id INTEGER NOT NULL REFERENCES trending_movie (id) ON DELETE CASCADE,
  rank INTEGER NOT NULL CHECK (rank > 0),
  PRIMARY KEY (iso_week, movie_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX trending_of_movie ON trending (movie_id);

-- The pictures of the newest week's movies.
CREATE TABLE trending_cover (
  movie_id INTEGER PRIMARY KEY REFERENCES trending_movie (id) ON DELETE CASCADE,
  bytes BLOB NOT NULL CHECK (length(bytes) > 0),
  media_type TEXT NOT NULL,
  width INTEGER CHECK (width > 0),
  height INTEGER CHECK (height > 0),
  source_url TEXT,
  etag TEXT
) STRICT;
