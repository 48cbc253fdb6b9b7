/// What is said of devices, places, albums, roots and the feed.
let libraryViews: [(name: String, definition: String)] = [
  (
    "devices",
    """
    SELECT device.id AS id, device.name AS name, device.make AS make, device.model AS model,
      device.serial AS serial, device.is_registered AS is_registered,
      (SELECT count(*) FROM photo WHERE photo.device_id = device.id AND \(isShown)) AS photos
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
        WHERE place_ancestor.ancestor_id = place.id AND \(isShown)) AS photos
    FROM place
    """
  ),
  (
    "days",
    """
    SELECT photo.local_date AS local_date, count(*) AS photos FROM photo
    WHERE photo.local_date IS NOT NULL AND \(isShown) GROUP BY photo.local_date
    """
  ),
  (
    "albums",
    """
    SELECT album.id AS id, album.name AS name, album.created_at AS created_at,
      (SELECT count(*) FROM album_photo JOIN photo ON photo.id = album_photo.photo_id
        WHERE album_photo.album_id = album.id AND \(isShown)) AS photos
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
    SELECT photo.id AS photo_id, \(shownRoot("name", of: "photo")) AS root,
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
    WHERE \(isShown)
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
    WHERE photo.place_margin_m IS NOT NULL AND \(isShown)
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
    WHERE photo.nearby_photo_id IS NOT NULL AND \(isShown)
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
    WHERE \(isShown)
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
      WHERE local_date IS NOT NULL AND clock_second IS NOT NULL AND \(isShown)
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
    SELECT root.name AS root, rtrim(\(photoFolder), '/') AS folder, count(*) AS photos,
      min(photo.removal_held_since) AS since
    FROM photo JOIN root ON root.id = +photo.root_id
    WHERE photo.removal_held_since IS NOT NULL AND \(isShown)
    GROUP BY root.id, rtrim(\(photoFolder), '/')
    """
  ),
]

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
