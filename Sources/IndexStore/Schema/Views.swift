/// The views are the contract with whoever queries the index: README lists their columns, and a
/// test holds them. They are made anew at each migration.
let views = photoViews + libraryViews

private let photoViews: [(name: String, definition: String)] = [
  (
    "photos",
    "SELECT \(selectedColumns)\n\(photoJoins)\nWHERE \(isShown)"
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
    \(photoJoins)
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
    WHERE \(isShown) AND photo.companion_of IS NULL
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
    WHERE \(isShown)
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
    WHERE \(isShown)
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
    WHERE copies > 1 AND photo.size > 0 AND \(isShown)
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
        SELECT DISTINCT rtrim(\(shownRoot("path", of: "part")), '/') || '/'
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
