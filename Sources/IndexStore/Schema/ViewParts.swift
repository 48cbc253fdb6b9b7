/// The number of the contract that the views keep; it rises when a view's meaning changes.
package let contractVersion = 1

let photoFolder = "rtrim(photo.path, replace(photo.path, '/', ''))"

/// The columns of `photos` and `photos_all`, in order, with what each is computed from.
private let photoColumns: [(name: String, expression: String)] = [
  ("id", "photo.id"),
  ("local_identifier", "photo.local_identifier"),
  ("root", shownRoot("name", of: "photo")),
  ("owner", shownRoot("owner", of: "photo")),
  ("path", absolutePath),
  ("folder", "rtrim(\(photoFolder), '/')"),
  ("file", "substr(photo.path, length(\(photoFolder)) + 1)"),
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
let selectedColumns = photoColumns.map { column in
  column.name == "content_hash"
    ? "CASE WHEN photo.content_hash IS NOT NULL THEN \(column.expression) END AS content_hash"
    : "\(column.expression) AS \(column.name)"
}.joined(separator: ",\n    ")

let photoJoins = """
  FROM photo
  JOIN root ON root.id = +photo.root_id
  LEFT JOIN device ON device.id = photo.device_id
  LEFT JOIN place ON place.id = photo.place_id
  LEFT JOIN photo_rating ON photo_rating.photo_id = photo.id
  """

let isThere = "photo.missing_since IS NULL AND photo.excluded_since IS NULL"

/// What the view `photos` shows, as a condition on `photo`.
///
/// Nearly all photos can lie in one root, so no query gains by going through it: the plus signs
/// here and at each join with `root` keep SQLite from that.
let isShown = """
  \(isThere) AND \(isOfAttachedRoot("photo"))
  """

let absolutePath = fullPath(of: "photo")

func fullPath(of photo: String) -> String {
  "rtrim(\(shownRoot("path", of: photo)), '/') || '/' || \(photo).path"
}

/// A column of `root` as it is for a photo: what the feed has not told yet, no view shows.
func shownRoot(_ column: String, of photo: String) -> String {
  "iif(\(photo).id > root.told_through, root.old_\(column), root.\(column))"
}

/// Nearly always the first condition decides, which needs no look at a row of `root`.
func isOfAttachedRoot(_ photo: String) -> String {
  """
  (+\(photo).root_id IN (SELECT id FROM root WHERE state <> 'detached' AND told_through IS NULL)
      OR EXISTS (SELECT 1 FROM root WHERE id = \(photo).root_id AND told_through IS NOT NULL
        AND \(isAttached(root: "root", photo: "\(photo).id"))))
  """
}
