/// The number of the contract that the views keep; it rises when a view's meaning changes.
package let contractVersion = 1

private let folder = "rtrim(photo.path, replace(photo.path, '/', ''))"

/// The columns of `photos` and `photos_all`, in order, with what each is computed from.
private let photoColumns: [(name: String, expression: String)] = [
  ("id", "photo.id"),
  ("local_identifier", "photo.local_identifier"),
  ("root", shown("name", of: "photo")),
  ("owner", shown("owner", of: "photo")),
  ("path", absolutePath),
  ("folder", "rtrim(\(folder), '/')"),
  ("file", "substr(photo.path, length(\(folder)) + 1)"),
  ("media_type", "photo.media_type"),
  ("size", "photo.size"),
  ("width", "photo.width"),
  ("height", "photo.height"),
  ("orientation", "photo.orientation"),
  ("duration_ms", "photo.duration_ms"),
  ("device_id", "photo.device_id"),
  ("device", "device.name"),
  ("make", "device.make"),
  ("model", "device.model"),
  ("taken_at", "photo.taken_at"),
  ("taken_local", "photo.taken_local"),
  ("taken_offset", "photo.taken_offset"),
  ("taken_zone", "photo.taken_zone"),
  ("taken_source", "photo.taken_source"),
  ("taken_precision", "photo.taken_precision"),
  ("sort_time", "photo.sort_time"),
  ("local_date", "photo.local_date"),
  ("month_day", "photo.month_day"),
  ("latitude", "photo.latitude"),
  ("longitude", "photo.longitude"),
  ("altitude", "photo.altitude"),
  ("position_source", "photo.position_source"),
  ("place_id", "photo.place_id"),
  ("place", "place.label"),
  ("country", "place.country"),
  ("admin1", "place.admin1"),
  ("admin2", "place.admin2"),
  ("admin3", "place.admin3"),
  ("admin4", "place.admin4"),
  ("admin5", "place.admin5"),
  ("custom", "place.custom"),
  ("place_source", "photo.place_source"),
  ("rating", "coalesce(photo_rating.rating, photo.rating)"),
  ("is_favorite", "photo.is_favorite"),
  ("content_hash", "lower(hex(photo.content_hash))"),
  ("companion_of", "photo.companion_of"),
  ("device_pending", "photo.device_pending"),
  (
    "search",
    "coalesce(photo.search_path, lower(photo.path)) || coalesce(' ' || place.search, '')"
  ),
]

/// hex(NULL) is '', so the hash needs a guard of its own.
private let selectedColumns = photoColumns.map { column in
  column.name == "content_hash"
    ? "CASE WHEN photo.content_hash IS NOT NULL THEN \(column.expression) END AS content_hash"
    : "\(column.expression) AS \(column.name)"
}.joined(separator: ",\n    ")

private let joins = """
  FROM photo
  JOIN root ON root.id = +photo.root_id
  LEFT JOIN device ON device.id = photo.device_id
  LEFT JOIN place ON place.id = photo.place_id
  LEFT JOIN photo_rating ON photo_rating.photo_id = photo.id
  """

private let isThere = "photo.missing_since IS NULL AND photo.excluded_since IS NULL"

/// What the view `photos` shows, as a condition on `photo`.
///
/// Nearly all photos can lie in one root, so no query gains by going through it: the plus signs
/// here and at each join with `root` keep SQLite from that.
private let present = """
  \(isThere) AND \(isOfAttachedRoot("photo"))
  """

private let absolutePath = fullPath(of: "photo")

private func fullPath(of photo: String) -> String {
  "rtrim(\(shown("path", of: photo)), '/') || '/' || \(photo).path"
}

/// A column of `root` as it is for a photo: what the feed has not told yet, no view shows.
private func shown(_ column: String, of photo: String) -> String {
  "iif(\(photo).id > root.told_through, root.old_\(column), root.\(column))"
}

/// Nearly always the first condition decides, which needs no look at a row of `root`.
private func isOfAttachedRoot(_ photo: String) -> String {
  """
  (+\(photo).root_id IN (SELECT id FROM root WHERE state <> 'detached' AND told_through IS NULL)
      OR EXISTS (SELECT 1 FROM root WHERE id = \(photo).root_id AND told_through IS NOT NULL
        AND \(isAttached(root: "root", photo: "\(photo).id"))))
  """
}

/// Whether a present photo lies in the directory of a row of `sync_state`, or anywhere below it:
/// a range of the index by path. No name has more than 255 bytes, so that none is above 256 of ff.
private let isBelowFolder = """
  photo.root_id = sync_state.root_id
        AND photo.missing_since IS NULL AND photo.excluded_since IS NULL
        AND photo.path_key >= CASE sync_state.directory_bytes WHEN x'' THEN x''
          ELSE CAST(sync_state.directory_bytes || '/' AS BLOB) END
        AND photo.path_key < CASE sync_state.directory_bytes
          WHEN x'' THEN x'\(String(repeating: "ff", count: 256))'
          ELSE CAST(sync_state.directory_bytes || '0' AS BLOB) END
  """

/// Whether no directory lies between the photo and that directory.
private let isInFolder = """
  instr(substr(photo.path_key, iif(sync_state.directory_bytes = x'', 1,
          length(sync_state.directory_bytes) + 2)), x'2f') = 0
  """

/// The views are the contract with whoever queries the index: README lists their columns, and a
/// test holds them. They are made anew at each migration.
let views: [(name: String, definition: String)] = [
  (
    "photos",
    "SELECT \(selectedColumns)\n\(joins)\nWHERE \(present)"
  ),
  (
    "photos_all",
    """
    SELECT \(selectedColumns),
      CASE
        WHEN NOT \(isAttached(root: "root", photo: "photo.id")) THEN 'detached'
        WHEN photo.excluded_since IS NOT NULL THEN 'excluded'
        WHEN photo.missing_since IS NOT NULL THEN 'missing'
        ELSE 'present'
      END AS state
    \(joins)
    """
  ),
  (
    "shots",
    """
    SELECT photo.id AS id, photo.sort_time AS sort_time, photo.taken_local AS taken_local,
      \(shotPath("jpeg", "NOT \(isRaw) AND NOT \(isVideo)")),
      \(shotPath("raw", isRaw)),
      \(shotPath("video", isVideo)),
      \(sidecarPaths) AS sidecar_paths
    FROM photo
    WHERE \(present) AND photo.companion_of IS NULL
    """
  ),
  (
    "photo_in_place",
    """
    SELECT photo.id AS photo_id, around.id AS place_id, around.level AS level,
      place_name.name AS name, place_name.language AS language
    FROM place_name
    JOIN place AS around ON around.id = place_name.place_id
    JOIN place_ancestor ON place_ancestor.ancestor_id = around.id
    JOIN photo ON photo.place_id = place_ancestor.place_id
    WHERE \(present)
    """
  ),
  (
    "place_in_place",
    """
    SELECT place_ancestor.place_id AS id, around.id AS place_id, around.level AS level,
      place_name.name AS name, place_name.language AS language
    FROM place_name
    JOIN place AS around ON around.id = place_name.place_id
    JOIN place_ancestor ON place_ancestor.ancestor_id = around.id
    """
  ),
  (
    "pending",
    """
    SELECT photo.id AS id, \(absolutePath) AS path, retry.reason AS reason,
      retry.errno AS errno, retry.message AS message, retry.attempts AS attempts,
      retry.first_failed_at AS first_failed_at, retry.next_attempt_at AS next_attempt_at,
      retry.lacks AS lacks
    FROM retry
    JOIN photo ON photo.id = retry.photo_id
    JOIN root ON root.id = +photo.root_id
    WHERE \(present)
    """
  ),
  (
    "missing",
    """
    SELECT photo.id AS id, \(absolutePath) AS path, photo.missing_since AS missing_since,
      photo.taken_local AS taken_local, photo.is_favorite AS is_favorite,
      (SELECT twin.id FROM photo AS twin
        WHERE twin.content_start = photo.content_start
          AND twin.content_hash = photo.content_hash AND twin.size > 0
          AND twin.missing_since IS NULL AND twin.excluded_since IS NULL
          AND \(isOfAttachedRoot("twin"))
        ORDER BY twin.id LIMIT 1) AS same_as_photo_id
    FROM photo
    JOIN root ON root.id = +photo.root_id
    WHERE photo.missing_since IS NOT NULL AND photo.excluded_since IS NULL
      AND \(isAttached(root: "root", photo: "photo.id"))
    """
  ),
  (
    "duplicates",
    """
    SELECT lower(hex(photo.content_hash)) AS content_hash, photo.size AS size, photo.id AS id,
      \(absolutePath) AS path,
      (SELECT count(*) FROM photo AS twin
        WHERE twin.content_start = photo.content_start
          AND twin.content_hash = photo.content_hash
          AND twin.missing_since IS NULL AND twin.excluded_since IS NULL
          AND \(isOfAttachedRoot("twin"))) AS copies
    FROM (SELECT content_start FROM photo WHERE content_start IS NOT NULL
      GROUP BY content_start HAVING count(*) > 1) AS candidate
    JOIN photo ON photo.content_start = candidate.content_start
    JOIN root ON root.id = +photo.root_id
    WHERE copies > 1 AND photo.size > 0 AND \(present)
    """
  ),
  (
    "devices",
    """
    SELECT device.id AS id, device.name AS name, device.make AS make, device.model AS model,
      device.serial AS serial, device.is_registered AS is_registered,
      (SELECT count(*) FROM photo WHERE photo.device_id = device.id AND \(present)) AS photos
    FROM device
    """
  ),
  (
    "places",
    """
    SELECT place.id AS id, place.parent_id AS parent_id, place.source AS source,
      place.level AS level, place.code AS code, place.name AS name, place.label AS label,
      place.latitude AS latitude, place.longitude AS longitude,
      (SELECT count(*) FROM place_ancestor JOIN photo ON photo.place_id = place_ancestor.place_id
        WHERE place_ancestor.ancestor_id = place.id AND \(present)) AS photos
    FROM place
    """
  ),
  (
    "days",
    """
    SELECT photo.local_date AS local_date, count(*) AS photos FROM photo
    WHERE photo.local_date IS NOT NULL AND \(present) GROUP BY photo.local_date
    """
  ),
  (
    "albums",
    """
    SELECT album.id AS id, album.name AS name, album.created_at AS created_at,
      (SELECT count(*) FROM album_photo JOIN photo ON photo.id = album_photo.photo_id
        WHERE album_photo.album_id = album.id AND \(present)) AS photos
    FROM album
    """
  ),
  (
    "folder_albums",
    """
    SELECT root.name AS root, sync_state.directory AS folder,
      CASE sync_state.directory WHEN '' THEN root.name ELSE substr(sync_state.directory,
        length(rtrim(sync_state.directory, replace(sync_state.directory, '/', ''))) + 1)
      END AS name,
      (SELECT count(*) FROM photo WHERE \(isBelowFolder) AND \(isInFolder)) AS photos,
      (SELECT count(*) FROM photo WHERE \(isBelowFolder)) AS photos_below
    FROM sync_state
    JOIN root ON root.id = +sync_state.root_id
    WHERE root.state <> 'detached' AND EXISTS (SELECT 1 FROM photo WHERE \(isBelowFolder))
    """
  ),
  (
    "photo_in_folder",
    """
    SELECT photo.id AS photo_id, \(shown("name", of: "photo")) AS root,
      sync_state.directory AS folder
    FROM sync_state
    JOIN root ON root.id = +sync_state.root_id
    CROSS JOIN photo ON \(isBelowFolder) AND \(isInFolder) -- in this order
    WHERE \(isAttached(root: "root", photo: "photo.id"))
    """
  ),
  (
    "roots",
    """
    SELECT root.id AS id, root.name AS name, root.path AS path, root.owner AS owner,
      root.state AS state, root.state_reason AS state_reason, root.filesystem AS filesystem,
      root.last_scan_at AS last_scan_at,
      (SELECT lower(hex(sync_state.change_token)) FROM sync_state
        WHERE sync_state.root_id = root.id AND sync_state.directory_bytes = x''
          AND sync_state.change_token IS NOT NULL) AS change_token,
      (SELECT lower(hex(sync_state.content_token)) FROM sync_state
        WHERE sync_state.root_id = root.id AND sync_state.directory_bytes = x''
          AND sync_state.content_token IS NOT NULL) AS content_token,
      root.watch AS watch, root.watch_reason AS watch_reason
    FROM root
    """
  ),
  (
    "changes",
    """
    SELECT change.seq AS seq, change.subject AS subject, change.row_id AS row_id,
      change.kind AS kind, change.fields AS fields, change.at AS at
    FROM change
    """
  ),
  (
    "exposures",
    """
    SELECT exposure.photo_id AS id, \(absolutePath) AS path, lens.name AS lens,
      exposure.focal_mm AS focal_mm, exposure.focal35_mm AS focal35_mm,
      exposure.f_number AS f_number, exposure.exposure_s AS exposure_s, exposure.iso AS iso
    FROM exposure
    JOIN lens ON lens.id = exposure.lens_id
    CROSS JOIN photo ON photo.id = exposure.photo_id -- in this order
    JOIN root ON root.id = +photo.root_id
    WHERE \(present)
    """
  ),
  (
    "coverage",
    """
    -- Each only if it is asked for, and from an index that has all it needs where there is one.
    WITH known AS MATERIALIZED (
      SELECT root.id AS id, count(photo.latitude) AS positioned, count(photo.taken_at) AS timed
      FROM root JOIN photo ON photo.root_id = root.id AND \(isThere) GROUP BY root.id
    )
    SELECT root.name AS root,
      (SELECT count(*) FROM photo WHERE photo.root_id = root.id AND \(isThere)) AS photos,
      (SELECT count(*) FROM photo WHERE photo.root_id = root.id AND \(isThere)
        AND photo.content_hash IS NOT NULL) AS hashed,
      coalesce((SELECT positioned FROM known WHERE known.id = root.id), 0) AS positioned,
      coalesce((SELECT placed.photos FROM (SELECT root_id, count(*) AS photos FROM photo
          WHERE photo.place_id > 0 AND \(isThere) GROUP BY +root_id) AS placed
        WHERE placed.root_id = root.id), 0) AS placed,
      coalesce((SELECT timed FROM known WHERE known.id = root.id), 0) AS timed,
      (SELECT count(*) FROM retry JOIN photo ON photo.id = retry.photo_id
        WHERE photo.root_id = root.id AND \(isThere)) AS pending
    FROM root
    WHERE root.state <> 'detached'
    """
  ),
  (
    "doubtful_places",
    """
    SELECT photo.id AS id, \(absolutePath) AS path, place.label AS place,
      photo.place_source AS place_source, photo.place_distance_m AS distance_m,
      photo.place_margin_m AS margin_m, photo.place_neighbour_id AS neighbour_id,
      neighbour.label AS neighbour
    FROM photo
    JOIN root ON root.id = +photo.root_id
    JOIN place ON place.id = photo.place_id
    LEFT JOIN place AS neighbour ON neighbour.id = photo.place_neighbour_id
    WHERE photo.place_margin_m IS NOT NULL AND \(present)
    """
  ),
  (
    "guesses",
    """
    SELECT photo.id AS id, \(absolutePath) AS path, place.label AS place,
      photo.taken_at AS taken_at, nearby.id AS nearby_id,
      (SELECT \(fullPath(of: "nearby")) FROM root
        WHERE root.id = nearby.root_id) AS nearby_path,
      nearby.taken_at AS nearby_taken_at
    FROM photo
    JOIN root ON root.id = +photo.root_id
    JOIN photo AS nearby ON nearby.id = photo.nearby_photo_id
    LEFT JOIN place ON place.id = photo.place_id
    WHERE photo.nearby_photo_id IS NOT NULL AND \(present)
    """
  ),
  (
    "suspects",
    """
    SELECT photo.id AS id, \(absolutePath) AS path, suspect.kind AS kind,
      CASE WHEN suspect.old_hash IS NOT NULL THEN lower(hex(suspect.old_hash)) END AS old_hash,
      CASE WHEN suspect.new_hash IS NOT NULL THEN lower(hex(suspect.new_hash)) END AS new_hash,
      suspect.found_at AS found_at
    FROM suspect
    JOIN photo ON photo.id = suspect.photo_id
    JOIN root ON root.id = +photo.root_id
    WHERE \(present)
    """
  ),
  (
    "clock_suspects",
    """
    WITH span AS MATERIALIZED (
      -- All from the index photo_day, in its order.
      SELECT local_date, device_id, count(*) AS photos,
        min(clock_second) AS first, max(clock_second) AS last
      FROM photo
      WHERE local_date IS NOT NULL AND clock_second IS NOT NULL AND \(present)
      GROUP BY local_date, device_id HAVING count(*) > 2
    )
    SELECT span.local_date AS local_date, span.device_id AS device_id, device.name AS device,
      span.photos AS photos, other.device_id AS other_id, named.name AS other,
      other.photos AS other_photos,
      CASE WHEN other.first > span.first
        THEN min(other.first - span.first, other.last - span.last)
        ELSE max(other.first - span.first, other.last - span.last)
      END AS shift_s
    FROM span
    JOIN span AS other ON other.local_date = span.local_date AND other.device_id <> span.device_id
    JOIN device ON device.id = span.device_id
    JOIN device AS named ON named.id = other.device_id
    WHERE (other.first > span.first AND other.last - span.last >= 60
        AND other.first - span.first >= 60)
      OR (span.first - other.first >= 60 AND span.last - other.last >= 60)
    """
  ),
  (
    "held_removals",
    """
    SELECT root.name AS root, rtrim(\(folder), '/') AS folder, count(*) AS photos,
      min(photo.removal_held_since) AS since
    FROM photo JOIN root ON root.id = +photo.root_id
    WHERE photo.removal_held_since IS NOT NULL AND \(present)
    GROUP BY root.id, rtrim(\(folder), '/')
    """
  ),
]

private let isRaw = """
  coalesce(part.media_type LIKE 'image/x-%' AND part.media_type NOT IN
    ('image/x-icon', 'image/x-tiff-big', 'image/x-j2c'), 0)
  """
private let isVideo = "coalesce(part.media_type LIKE 'video/%', 0)"

/// Those of all its files, each once: one of a shot is beside each of them.
private let sidecarPaths = """
  (SELECT group_concat(path, char(10)) FROM (
        SELECT DISTINCT rtrim(\(shown("path", of: "part")), '/') || '/'
          || rtrim(part.path, replace(part.path, '/', '')) || sidecar.file AS path
        FROM photo AS part JOIN sidecar ON sidecar.photo_id = part.id
        JOIN root ON root.id = +part.root_id
        WHERE (part.id = photo.id OR part.companion_of = photo.id)
          AND part.missing_since IS NULL AND part.excluded_since IS NULL
        ORDER BY 1))
  """

private func shotPath(_ kind: String, _ condition: String) -> String {
  """
  (SELECT group_concat(\(fullPath(of: "part")), char(10))
        FROM photo AS part JOIN root ON root.id = +part.root_id
        WHERE (part.id = photo.id OR part.companion_of = photo.id) AND \(condition)
          AND part.missing_since IS NULL AND part.excluded_since IS NULL) AS \(kind)_paths
  """
}
