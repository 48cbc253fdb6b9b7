/// A condition that a column holds one of these words, or NULL.
///
/// Not by IN: for more than two values SQLite makes a table of its own for them, anew for each
/// statement and each run of a trigger, which costs more than the insert that is checked.
private func oneOf(_ column: String, _ words: String...) -> String {
  words.map { "\(column) = '\($0)'" }.joined(separator: " OR ")
}

/// What the numbers stand for that `change` keeps in their place, from 0.
let feedSubjects = ["photo", "device", "place"]
let feedKinds = ["insert", "update", "move", "delete", "restore"]

private func word(_ number: String, _ words: [String]) -> String {
  let cases = words.enumerated().map { "WHEN \($0) THEN '\($1)'" }
  return "CASE \(number) \(cases.joined(separator: " ")) END"
}

/// How much longer a row gets by its hashes and their time, in bytes.
let hashRoom = 52

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
      CHECK (\(oneOf("state", "online", "offline", "held", "detached"))),
    state_reason TEXT,
    last_scan_at INTEGER,
    last_scan_day INTEGER, -- days since 1970 at the last good scan of it all
    removals_confirmed_at INTEGER, -- what was missing by then is no removal of this day
    scrubbed_at INTEGER, -- by when as many files were verified as were due by then
    disk_errors_since INTEGER, -- nothing is read again or hashed until a person says so
    watch TEXT CHECK (watch IN ('full', 'partial', 'polled')), -- NULL: nothing watches it now
    watch_reason TEXT,
    -- A change of the root is one of all its photos, of which there may be a million. The feed tells
    -- of them some thousand at a time, in the order of their ids; those behind this one are still what
    -- the columns below say. NULL: all is told.
    told_through INTEGER,
    old_name TEXT,
    old_path TEXT,
    old_owner TEXT,
    was_attached INTEGER CHECK (was_attached IN (0, 1)),
    CHECK ((told_through IS NULL) = (was_attached IS NULL))
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
    level TEXT NOT NULL CHECK (\(oneOf("level", "country", "admin1", "admin2", "admin3", "admin4", "admin5", "custom"))),
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
    kind TEXT NOT NULL CHECK (\(oneOf("kind", "official", "administrative", "alias"))),
    name TEXT NOT NULL,
    PRIMARY KEY (place_id, language, kind, name)
  ) STRICT, WITHOUT ROWID;

  -- Each place with itself and every place around it.
  CREATE TABLE place_ancestor (
    ancestor_id INTEGER NOT NULL REFERENCES place (id) ON DELETE CASCADE,
    place_id INTEGER NOT NULL REFERENCES place (id) ON DELETE CASCADE,
    PRIMARY KEY (ancestor_id, place_id)
  ) STRICT, WITHOUT ROWID;

  -- What the indexes are made of stands first: to make one, SQLite takes each row apart as far as
  -- the last column that it needs.
  CREATE TABLE photo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root_id INTEGER NOT NULL REFERENCES root (id),
    missing_since INTEGER,
    excluded_since INTEGER,
    device_id INTEGER REFERENCES device (id),
    place_id INTEGER REFERENCES place (id),
    place_margin_m REAL,
    inode INTEGER NOT NULL,
    taken_at INTEGER,
    taken_local TEXT,
    taken_offset INTEGER,
    \(takenSources.definition),
    \(takenPrecisions.definition),
    local_date TEXT AS (substr(taken_local, 1, 10)) VIRTUAL,
    month_day TEXT AS (substr(taken_local, 6, 5)) VIRTUAL,
    -- Stored, for three indexes are made of it, and each would work it out anew for every row.
    sort_time INTEGER AS (
      coalesce(taken_at, CAST(strftime('%s', substr(taken_local, 1, 19)) AS INTEGER)) * 1000
      + CAST(substr(substr(taken_local, 21) || '000', 1, 3) AS INTEGER)
    ) STORED,
    -- What the clock of the device showed, in seconds since its midnight; NULL where it did not tell
    -- the time.
    clock_second INTEGER AS (CASE WHEN device_id IS NOT NULL AND taken_precision_code = 0
      AND \(isByClock) THEN ((coalesce(taken_at + 60 * taken_offset,
        CAST(strftime('%s', substr(taken_local, 1, 19)) AS INTEGER)) % 86400) + 86400) % 86400
      END) VIRTUAL,
    content_hash BLOB CHECK (length(content_hash) = 32),
    content_start BLOB AS (substr(content_hash, 1, 8)) VIRTUAL, -- keeps its index small
    hash_due INTEGER NOT NULL DEFAULT 0 CHECK (hash_due IN (0, 1)),
    hashed_at INTEGER,
    local_identifier TEXT NOT NULL, -- unique by an index
    path TEXT NOT NULL,
    path_bytes BLOB,
    path_key BLOB NOT NULL AS (coalesce(path_bytes, CAST(path AS BLOB))) VIRTUAL,
    search_path TEXT, -- folded; NULL where lower(path) is the same
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    reader_version INTEGER NOT NULL,
    image_hash BLOB CHECK (length(image_hash) = 16),
    \(mediaTypes.definition),
    width INTEGER,
    height INTEGER,
    orientation INTEGER CHECK (orientation BETWEEN 1 AND 8),
    duration_ms INTEGER,
    taken_zone TEXT,
    taken_raw TEXT,
    added_at INTEGER NOT NULL,
    is_favorite INTEGER NOT NULL DEFAULT 0 CHECK (is_favorite IN (0, 1)),
    rating INTEGER CHECK (rating BETWEEN -1 AND 5),
    latitude REAL,
    longitude REAL,
    altitude REAL,
    \(positionSources.definition),
    nearby_photo_id INTEGER,
    device_pending INTEGER NOT NULL DEFAULT 0 CHECK (device_pending IN (0, 1)),
    \(placeSources.definition),
    place_distance_m REAL,
    place_neighbour_id INTEGER REFERENCES place (id),
    sidecar_state INTEGER, -- a digest of its sidecars' names and stamps; NULL where there are none
    content_identifier TEXT, -- what Apple's devices write into both files of a shot with a film
    has_motion INTEGER NOT NULL DEFAULT 0 CHECK (has_motion IN (0, 1)), -- the film is in the file
    companion_of INTEGER,
    companion_evidence TEXT
      CHECK (\(oneOf("companion_evidence", "name+time", "content-identifier", "name+motion"))),
    missing_scan_day INTEGER, -- the newest scan_day when a good scan first saw it missing
    removal_held_since INTEGER, -- would have turned missing, but its root is held
    derive_due INTEGER NOT NULL DEFAULT 0 CHECK (derive_due IN (0, 1)), -- no file read needed
    -- As much as the hashes will need, which come when the page is full: without, pages would be
    -- split, and a fifth of the table stay empty.
    hash_room BLOB DEFAULT (zeroblob(\(hashRoom))),
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    -- That taken_at + 60 * taken_offset is taken_local, a test holds: here it would double the
    -- cost of an insert.
    CHECK ((taken_at IS NULL) = (taken_offset IS NULL))
  ) STRICT;

  CREATE TABLE lens (
    id INTEGER PRIMARY KEY,
    name TEXT UNIQUE -- NULL is that of 0, which stands for none: then a query may begin here
  ) STRICT;
  INSERT INTO lens (id) VALUES (0);

  CREATE TABLE exposure (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    lens_id INTEGER NOT NULL REFERENCES lens (id),
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
    kind TEXT NOT NULL CHECK (\(oneOf("kind", "title", "caption", "label"))),
    language TEXT NOT NULL,
    source TEXT NOT NULL,
    -- Behind the key: before it, SQLite 3.40's integrity_check takes it for NULL.
    text TEXT NOT NULL,
    PRIMARY KEY (photo_id, kind, language, source)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE hash_history (
    id INTEGER PRIMARY KEY,
    photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    size INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT;

  -- Who has inherited what the user said of a photo that is gone.
  CREATE TABLE heir (
    gone_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    newest_id INTEGER, -- no younger photo is an heir; NULL until the end of the pass
    PRIMARY KEY (gone_id, photo_id)
  ) STRICT, WITHOUT ROWID;

  -- A file that is beside several photos has a row for each. It lies in the directory of its photo,
  -- and so its path need not follow when that moves.
  CREATE TABLE sidecar (
    id INTEGER PRIMARY KEY,
    photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    file_bytes BLOB, -- the exact bytes, where file cannot spell them
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (\(oneOf("kind", "xmp", "xmp-shot", "xmp-version", "takeout"))),
    raw TEXT, -- what it says, as JSON; NULL where another counts instead, or nothing could be read
    note TEXT -- why nothing could be read
  ) STRICT;

  -- The identifiers of shots whose files came, went or changed: their links are to be found anew.
  CREATE TABLE companion_due (
    root_id INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
    content_identifier TEXT NOT NULL,
    PRIMARY KEY (root_id, content_identifier)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE retry (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    reason TEXT NOT NULL CHECK (\(oneOf("reason", "busy", "truncated", "permission", "io", "decoder"))),
    errno INTEGER,
    message TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    first_failed_at INTEGER NOT NULL,
    next_attempt_at INTEGER, -- NULL: given up
    lacks TEXT NOT NULL DEFAULT 'metadata'
      CHECK (\(oneOf("lacks", "metadata", "hash", "both")))
  ) STRICT;

  -- Readings of the last hour that failed for the disk's sake.
  CREATE TABLE disk_error (
    filesystem TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;

  -- A photo has at least two of these, that it came and that it was hashed: the words for that take
  -- no room.
  CREATE TABLE change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    mark INTEGER NOT NULL,
    subject_number INTEGER NOT NULL CHECK (subject_number BETWEEN 0 AND 2),
    row_id INTEGER NOT NULL,
    kind_number INTEGER NOT NULL CHECK (kind_number BETWEEN 0 AND 4),
    changed TEXT, -- the fields; NULL where it is the content hash alone
    at INTEGER NOT NULL,
    subject TEXT NOT NULL AS (\(word("subject_number", feedSubjects))) VIRTUAL,
    kind TEXT NOT NULL AS (\(word("kind_number", feedKinds))) VIRTUAL,
    fields TEXT AS (iif(kind_number = 1, coalesce(changed, 'content_hash'), changed)) VIRTUAL
  ) STRICT;

  CREATE TABLE suspect (
    photo_id INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (\(oneOf("kind", "corrupt", "replaced", "damaged"))),
    old_hash BLOB,
    new_hash BLOB,
    found_at INTEGER NOT NULL,
    is_held INTEGER NOT NULL DEFAULT 0 CHECK (is_held IN (0, 1)), -- photo is still as before
    -- The stamps of the file that made it so: as long as they are these, it is not read again.
    seen_size INTEGER,
    seen_mtime_ns INTEGER,
    seen_ctime_ns INTEGER,
    seen_inode INTEGER
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
      CHECK (\(oneOf("precision", "second", "minute", "hour", "day", "month", "year"))),
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
