/// The tables of version 1. What a column means, the README and DESIGN's words say; the comments
/// here tell what neither would guess.
let tablesOfVersion1 = """
  CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE root (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    path_bytes BLOB, -- the exact bytes, where path cannot spell them
    owner TEXT,
    time_zone TEXT, -- the zone that its rows were derived with
    filesystem TEXT,
    state TEXT NOT NULL DEFAULT 'online'
      CHECK (state IN ('online', 'offline', 'held', 'detached')),
    state_reason TEXT,
    last_scan_at INTEGER,
    last_scan_day INTEGER, -- days since 1970 at the last good scan of it all
    removals_confirmed_at INTEGER -- what was missing by then is no removal of this day
  ) STRICT;

  -- Keyed by the exact bytes: two names that are not UTF-8 can have one spelling.
  CREATE TABLE sync_state (
    root_id INTEGER NOT NULL REFERENCES root (id),
    directory_bytes BLOB NOT NULL,
    directory TEXT NOT NULL,
    change_token BLOB CHECK (length(change_token) = 16),
    content_token BLOB CHECK (length(content_token) = 16),
    -- All is hashed that the settings want hashed, although there is no token.
    is_hashed INTEGER NOT NULL DEFAULT 0 CHECK (is_hashed IN (0, 1)),
    filesystem TEXT NOT NULL,
    mtime_ns INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    scanned_at INTEGER NOT NULL,
    PRIMARY KEY (root_id, directory_bytes)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    make TEXT,
    model TEXT,
    serial TEXT,
    name TEXT NOT NULL,
    is_registered INTEGER NOT NULL DEFAULT 0 CHECK (is_registered IN (0, 1))
  ) STRICT;
  CREATE UNIQUE INDEX device_identity
    ON device (coalesce(make, ''), coalesce(model, ''), coalesce(serial, ''));

  CREATE TABLE place (
    id INTEGER PRIMARY KEY,
    parent_id INTEGER REFERENCES place (id),
    source TEXT NOT NULL,
    level TEXT NOT NULL CHECK (
      level IN ('country', 'admin1', 'admin2', 'admin3', 'admin4', 'admin5', 'custom')),
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    label TEXT NOT NULL,
    latitude REAL,
    longitude REAL,
    -- Its own name and those of the places around it, so that a list needs no climbing.
    country TEXT, admin1 TEXT, admin2 TEXT, admin3 TEXT, admin4 TEXT, admin5 TEXT, custom TEXT,
    search TEXT NOT NULL,
    UNIQUE (source, level, code)
  ) STRICT;

  CREATE TABLE place_name (
    place_id INTEGER NOT NULL REFERENCES place (id) ON DELETE CASCADE,
    language TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('official', 'administrative', 'alias')),
    name TEXT NOT NULL,
    PRIMARY KEY (place_id, language, kind, name)
  ) STRICT, WITHOUT ROWID;

  -- Each place with itself and every place around it.
  CREATE TABLE place_ancestor (
    ancestor_id INTEGER NOT NULL REFERENCES place (id) ON DELETE CASCADE,
    place_id INTEGER NOT NULL REFERENCES place (id) ON DELETE CASCADE,
    PRIMARY KEY (ancestor_id, place_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE photo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root_id INTEGER NOT NULL REFERENCES root (id),
    local_identifier TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    path_bytes BLOB,
    path_key BLOB NOT NULL AS (coalesce(path_bytes, CAST(path AS BLOB))) VIRTUAL,
    search_path TEXT, -- folded; NULL where lower(path) is the same
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    reader_version INTEGER NOT NULL,
    content_hash BLOB CHECK (length(content_hash) = 32),
    content_start BLOB AS (substr(content_hash, 1, 8)) VIRTUAL, -- keeps its index small
    image_hash BLOB CHECK (length(image_hash) = 32),
    hashed_at INTEGER,
    hash_due INTEGER NOT NULL DEFAULT 0 CHECK (hash_due IN (0, 1)),
    media_type TEXT,
    width INTEGER,
    height INTEGER,
    orientation INTEGER CHECK (orientation BETWEEN 1 AND 8),
    duration_ms INTEGER,
    taken_at INTEGER,
    taken_local TEXT,
    taken_offset INTEGER,
    taken_zone TEXT,
    taken_source TEXT,
    taken_precision TEXT
      CHECK (taken_precision IN ('second', 'minute', 'hour', 'day', 'month', 'year')),
    local_date TEXT AS (substr(taken_local, 1, 10)) VIRTUAL,
    month_day TEXT AS (substr(taken_local, 6, 5)) VIRTUAL,
    sort_time INTEGER AS (
      coalesce(taken_at, CAST(strftime('%s', substr(taken_local, 1, 19)) AS INTEGER)) * 1000
      + CAST(substr(substr(taken_local, 21) || '000', 1, 3) AS INTEGER)
    ) VIRTUAL,
    taken_raw TEXT,
    added_at INTEGER NOT NULL,
    is_favorite INTEGER NOT NULL DEFAULT 0 CHECK (is_favorite IN (0, 1)),
    rating INTEGER CHECK (rating BETWEEN -1 AND 5),
    latitude REAL,
    longitude REAL,
    altitude REAL,
    position_source TEXT,
    nearby_photo_id INTEGER,
    device_id INTEGER REFERENCES device (id),
    device_pending INTEGER NOT NULL DEFAULT 0 CHECK (device_pending IN (0, 1)),
    place_id INTEGER REFERENCES place (id),
    place_source TEXT CHECK (place_source IN ('polygon', 'nearest', 'nearby', 'user')),
    place_distance_m REAL,
    place_margin_m REAL,
    place_neighbour_id INTEGER REFERENCES place (id),
    companion_of INTEGER,
    companion_evidence TEXT,
    missing_since INTEGER,
    missing_scan_day INTEGER, -- the newest scan_day when a good scan first saw it missing
    excluded_since INTEGER,
    removal_held_since INTEGER, -- would have turned missing, but its root is held
    derive_due INTEGER NOT NULL DEFAULT 0 CHECK (derive_due IN (0, 1)), -- no file read needed
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    -- That taken_at + 60 * taken_offset is taken_local, a test holds: here it would double the
    -- cost of an insert.
    CHECK ((taken_at IS NULL) = (taken_offset IS NULL))
  ) STRICT;

  CREATE TABLE exposure (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    lens TEXT,
    focal_mm REAL,
    focal35_mm REAL,
    f_number REAL,
    exposure_s REAL,
    iso INTEGER
  ) STRICT;

  CREATE TABLE keyword (
    photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    keyword TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (photo_id, keyword, source)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE text (
    photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('title', 'caption')),
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (photo_id, kind, language, source)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE hash_history (
    id INTEGER PRIMARY KEY,
    photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    size INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE sidecar (
    id INTEGER PRIMARY KEY,
    photo_id INTEGER REFERENCES photo (id) ON DELETE SET NULL,
    root_id INTEGER NOT NULL REFERENCES root (id),
    path TEXT NOT NULL,
    path_bytes BLOB,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    kind TEXT NOT NULL,
    raw TEXT
  ) STRICT;

  CREATE TABLE retry (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    reason TEXT NOT NULL CHECK (reason IN ('busy', 'truncated', 'permission', 'io', 'decoder')),
    errno INTEGER,
    message TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    first_failed_at INTEGER NOT NULL,
    next_attempt_at INTEGER -- NULL: given up
  ) STRICT;

  CREATE TABLE change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    mark INTEGER NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('photo', 'device', 'place')),
    row_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('insert', 'update', 'move', 'delete', 'restore')),
    fields TEXT,
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE suspect (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('corrupt', 'replaced', 'damaged')),
    old_hash BLOB,
    new_hash BLOB,
    found_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE scan (
    id INTEGER PRIMARY KEY,
    root_id INTEGER NOT NULL REFERENCES root (id),
    kind TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    result TEXT, -- NULL: under way, or cut short
    directories INTEGER NOT NULL DEFAULT 0,
    files INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL DEFAULT 0,
    updated INTEGER NOT NULL DEFAULT 0,
    moved INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0,
    bytes_read INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- The dates with a good scan of the whole root, in the order in which they came: by them a
  -- missing photo's time runs out. They are kept longer than the scans.
  CREATE TABLE scan_day (
    number INTEGER PRIMARY KEY,
    root_id INTEGER NOT NULL REFERENCES root (id),
    day INTEGER NOT NULL,
    UNIQUE (root_id, day)
  ) STRICT;

  CREATE TABLE unreadable (
    root_id INTEGER NOT NULL REFERENCES root (id),
    directory_bytes BLOB NOT NULL,
    directory TEXT NOT NULL,
    errno INTEGER,
    message TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (root_id, directory_bytes)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE album (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (name <> ''),
    created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
  ) STRICT;

  CREATE TABLE album_photo (
    album_id INTEGER NOT NULL REFERENCES album (id) ON DELETE CASCADE,
    photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    position REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (album_id, photo_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE photo_place (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    place_id INTEGER NOT NULL REFERENCES place (id)
  ) STRICT;

  CREATE TABLE photo_time (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    -- As much of '2024-05-01T13:45:10.123' as is known. '+0 days' makes strftime() put a
    -- 30 February on 1 March; length() ends at a NUL. Neither text is what it would be read as.
    local TEXT NOT NULL CHECK (local >= '1826' AND local < '2100'
      AND length(CAST(local AS BLOB)) = length(local)
      AND (length(local) IN (4, 7, 10, 13, 16, 19)
        OR (length(local) BETWEEN 21 AND 29 AND substr(local, 20, 1) = '.'
          AND substr(local, 21) NOT GLOB '*[^0-9]*'))
      AND strftime('%Y-%m-%dT%H:%M:%S',
          substr(local, 1, 19) || substr('0000-01-01T00:00:00', length(local) + 1), '+0 days')
        IS replace(substr(local, 1, 19), ' ', 'T')
          || substr('0000-01-01T00:00:00', length(local) + 1)),
    precision TEXT -- NULL: by how much of local is written
      CHECK (precision IN ('second', 'minute', 'hour', 'day', 'month', 'year')),
    zone TEXT
  ) STRICT;

  CREATE TABLE photo_rating (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    rating INTEGER NOT NULL CHECK (rating BETWEEN -1 AND 5)
  ) STRICT;

  CREATE TABLE device_clock (
    id INTEGER PRIMARY KEY,
    device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
    from_local TEXT NOT NULL DEFAULT '',
    to_local TEXT NOT NULL DEFAULT '9999',
    shift_s INTEGER NOT NULL DEFAULT 0 CHECK (shift_s BETWEEN -9999999999 AND 9999999999),
    zone TEXT
  ) STRICT;
  """

/// The indexes that queries need and a sync does not. A first load makes them at its end, at a
/// third of what it costs to keep them right row by row.
let queryIndexesOfVersion1 = [
  """
  CREATE INDEX IF NOT EXISTS photo_sort ON photo (sort_time, root_id)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_day ON photo (local_date, root_id)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_month_day ON photo (month_day)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_device ON photo (device_id, root_id)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_place_index ON photo (place_id, root_id)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_content ON photo (content_start)
    WHERE content_start IS NOT NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS exposure_lens ON exposure (lens)
    WHERE lens IS NOT NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS exposure_focal ON exposure (focal_mm)
    WHERE focal_mm IS NOT NULL
  """,
]

/// Each index serves a query of the README or a step of a sync; a test holds each to its plan.
///
/// "Present" rows are neither missing nor excluded. Those indexes carry the root, because the
/// view `photos` asks for its state, and then a summary needs no row of the table.
let indexesOfVersion1 = """
  CREATE UNIQUE INDEX photo_path ON photo (root_id, path_key)
    WHERE missing_since IS NULL AND excluded_since IS NULL;
  CREATE INDEX photo_missing ON photo (root_id, path_key) WHERE missing_since IS NOT NULL;
  CREATE INDEX photo_excluded ON photo (root_id, path_key) WHERE excluded_since IS NOT NULL;
  CREATE INDEX photo_derive ON photo (id) WHERE derive_due = 1;
  CREATE INDEX photo_removal_held ON photo (root_id, path_key) WHERE removal_held_since IS NOT NULL;
  CREATE INDEX photo_favorite ON photo (sort_time)
    WHERE is_favorite = 1 AND missing_since IS NULL AND excluded_since IS NULL;
  CREATE INDEX photo_companion ON photo (companion_of) WHERE companion_of IS NOT NULL;
  CREATE INDEX keyword_word ON keyword (keyword);
  CREATE INDEX device_name ON device (name);
  CREATE INDEX place_parent ON place (parent_id);
  CREATE INDEX place_name_name ON place_name (name);
  CREATE INDEX place_ancestor_place ON place_ancestor (place_id);
  CREATE INDEX hash_history_photo ON hash_history (photo_id);
  CREATE INDEX hash_history_content ON hash_history (content_hash);
  CREATE INDEX sidecar_photo ON sidecar (photo_id);
  CREATE INDEX retry_next ON retry (next_attempt_at);
  CREATE INDEX scan_root ON scan (root_id, started_at);
  CREATE INDEX album_photo_photo ON album_photo (photo_id);
  CREATE INDEX photo_rating_rating ON photo_rating (rating);
  CREATE INDEX photo_place_place ON photo_place (place_id);
  CREATE INDEX device_clock_device ON device_clock (device_id);
  """

/// What SQLite's planner takes for the size of each table, as ANALYZE would find it in a large
/// library. Without, it thinks all tables equally long, and would walk all photos to find those of
/// a device or a place. Fixed numbers keep the plan of a query the same on every index, every day.
let statisticsOfVersion1 = """
  ANALYZE sqlite_schema;
  DELETE FROM sqlite_stat1;
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('root', 'sqlite_autoindex_root_1', '3 1'),
    ('device', 'device_identity', '100 4 2 1'),
    ('device', 'device_name', '100 1'),
    ('place', 'sqlite_autoindex_place_1', '3000 800 400 1'),
    ('place', 'place_parent', '3000 10'),
    ('place_name', 'place_name', '60000 20 1 1 1'),
    ('place_name', 'place_name_name', '60000 2 1'),
    ('place_ancestor', 'place_ancestor', '12000 4 1'),
    ('place_ancestor', 'place_ancestor_place', '12000 4 1'),
    ('photo', 'sqlite_autoindex_photo_1', '1000000 1'),
    ('photo', 'photo_path', '1000000 500000 1'),
    ('photo', 'photo_missing', '1000 500 1'),
    ('photo', 'photo_excluded', '1000 500 1'),
    ('photo', 'photo_removal_held', '1000 500 1'),
    ('photo', 'photo_derive', '1000 1'),
    ('photo', 'photo_content', '1000000 2'),
    ('photo', 'photo_sort', '1000000 2 2'),
    ('photo', 'photo_day', '1000000 200 150'),
    ('photo', 'photo_month_day', '1000000 2500'),
    ('photo', 'photo_device', '1000000 10000 9000'),
    ('photo', 'photo_place_index', '1000000 500 400'),
    ('photo', 'photo_favorite', '10000 2'),
    ('photo', 'photo_companion', '100000 1'),
    ('exposure', 'exposure_lens', '800000 8000'),
    ('exposure', 'exposure_focal', '800000 5000'),
    ('retry', 'retry_next', '100 1'),
    ('album', 'sqlite_autoindex_album_1', '100 1'),
    ('album_photo', 'album_photo', '10000 100 1'),
    ('album_photo', 'album_photo_photo', '10000 2 1'),
    ('photo_rating', 'photo_rating_rating', '10000 2000');
  """
