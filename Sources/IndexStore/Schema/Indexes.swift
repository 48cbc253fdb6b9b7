/// The indexes that a first load does not need. It makes them at its end, at a third of what it costs to keep them right row by row.
///
/// Nor need a first load make sure that random identifiers differ before its end.
let deferredIndexesOfVersion1 = [
  "CREATE UNIQUE INDEX IF NOT EXISTS photo_local_identifier ON photo (local_identifier)",
  """
  CREATE INDEX IF NOT EXISTS photo_sort ON photo (sort_time, root_id)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_day ON photo (local_date, device_id, clock_second, root_id)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_month_day ON photo (month_day)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_device ON photo (device_id, sort_time, root_id)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_place_index ON photo (place_id, sort_time, root_id, device_id)
    WHERE place_id IS NOT NULL AND missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_content ON photo (content_start)
    WHERE content_start IS NOT NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_inode ON photo (inode)
    WHERE missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_margin ON photo (place_margin_m)
    WHERE place_margin_m IS NOT NULL AND missing_since IS NULL AND excluded_since IS NULL
  """,
  """
  CREATE INDEX IF NOT EXISTS photo_scrub ON photo (root_id, hash_due, hashed_at)
    WHERE content_hash IS NOT NULL AND missing_since IS NULL AND excluded_since IS NULL
  """,
  "CREATE INDEX IF NOT EXISTS exposure_lens ON exposure (lens_id)",
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
  CREATE INDEX photo_nearby ON photo (nearby_photo_id) WHERE nearby_photo_id IS NOT NULL;
  CREATE INDEX photo_content_identifier ON photo (root_id, content_identifier)
    WHERE content_identifier IS NOT NULL AND missing_since IS NULL AND excluded_since IS NULL;
  CREATE INDEX photo_companion ON photo (companion_of) WHERE companion_of IS NOT NULL;
  CREATE INDEX keyword_word ON keyword (keyword);
  CREATE INDEX device_name ON device (name);
  CREATE INDEX place_parent ON place (parent_id);
  CREATE INDEX place_name_name ON place_name (name);
  CREATE INDEX place_ancestor_place ON place_ancestor (place_id);
  CREATE INDEX hash_history_photo ON hash_history (photo_id);
  CREATE INDEX hash_history_content ON hash_history (content_hash);
  CREATE INDEX heir_photo ON heir (photo_id);
  CREATE INDEX heir_open ON heir (gone_id) WHERE newest_id IS NULL;
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
    ('photo', 'photo_local_identifier', '1000000 1'),
    ('photo', 'photo_path', '1000000 500000 1'),
    ('photo', 'photo_missing', '1000 500 1'),
    ('photo', 'photo_excluded', '1000 500 1'),
    ('photo', 'photo_removal_held', '1000 500 1'),
    ('photo', 'photo_derive', '1000 1'),
    ('photo', 'photo_content', '1000000 2'),
    ('photo', 'photo_inode', '1000000 1'),
    ('photo', 'photo_sort', '1000000 2 2'),
    ('photo', 'photo_day', '1000000 200 40 1 1'),
    ('photo', 'photo_month_day', '1000000 2500'),
    ('photo', 'photo_device', '1000000 10000 1 1'),
    ('photo', 'photo_place_index', '1000000 500 1 1 1'),
    ('photo', 'photo_favorite', '10000 2'),
    ('photo', 'photo_companion', '100000 1'),
    ('photo', 'photo_content_identifier', '100000 50000 2'),
    ('sidecar', 'sidecar_photo', '1000000 1'),
    ('photo', 'photo_nearby', '100000 10'),
    ('photo', 'photo_scrub', '1000000 500000 250000 100'),
    ('photo', 'photo_margin', '200000 10'),
    ('lens', 'sqlite_autoindex_lens_1', '100 1'),
    ('exposure', 'exposure_lens', '800000 8000'),
    ('exposure', 'exposure_focal', '800000 5000'),
    ('retry', 'retry_next', '100 1'),
    ('album', 'sqlite_autoindex_album_1', '100 1'),
    ('album_photo', 'album_photo', '10000 100 1'),
    ('album_photo', 'album_photo_photo', '10000 2 1'),
    ('photo_rating', 'photo_rating_rating', '10000 2000');
  """
