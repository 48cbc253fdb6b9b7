import SQLite

/// The columns of `photo` that the view `photos` shows, and the names the feed gives them.
private let contractColumns = [
  "size", "media_type", "width", "height", "orientation", "duration_ms", "device_id", "taken_at",
  "taken_local", "taken_offset", "taken_zone", "taken_source", "taken_precision", "latitude",
  "longitude", "altitude", "position_source", "place_id", "place_source", "rating", "is_favorite",
  "content_hash", "companion_of", "device_pending",
]

private let locationColumns = ["root_id", "path", "path_bytes"]

private let now = "CAST(strftime('%s', 'now') AS INTEGER)"

/// An SQL row with one value a column: `(OLD.size, OLD.path)`. Words are compared as they are stored.
private func row(_ table: String, _ columns: [String]) -> String {
  "(" + columns.map { "\(table).\(storedName(of: $0))" }.joined(separator: ", ") + ")"
}

/// Names for UPDATE OF, which is about what is written.
private func list(_ columns: [String]) -> String {
  columns.map(storedName(of:)).joined(separator: ", ")
}

/// An SQL expression for the names of the columns that an update changed, joined by commas.
///
/// In groups, of which most did not change: to join thirty empty texts would cost as much again as
/// the rest of the trigger.
private func changedNames(_ columns: [String]) -> String {
  let groups = stride(from: 0, to: columns.count, by: 6).map { start in
    let group = Array(columns[start..<min(start + 6, columns.count)])
    let names = group.map { name in
      let stored = storedName(of: name)
      return "CASE WHEN OLD.\(stored) IS NOT NEW.\(stored) THEN ',\(name)' ELSE '' END"
    }
    return "CASE WHEN \(row("OLD", group)) IS NOT \(row("NEW", group)) "
      + "THEN \(names.joined(separator: " || ")) ELSE '' END"
  }
  return "substr(" + groups.joined(separator: " || ") + ", 2)"
}

/// The statement that feeds a change; `kind` is an SQL expression for its number.
func feed(_ subject: String, _ kind: String, _ fields: String, of id: String) -> String {
  "\(insertIntoFeed) VALUES (random(), \(feedSubject(subject)), \(id), \(kind), "
    + "nullif(\(fields), 'content_hash'), \(now));"
}

let insertIntoFeed =
  "INSERT INTO change (mark, subject_number, row_id, kind_number, changed, at)"

/// The number of a word, as the feed keeps it.
func feedSubject(_ word: String) -> String { number(word, feedSubjects) }
func feedKind(_ word: String) -> String { number(word, feedKinds) }

private func number(_ word: String, _ words: [String]) -> String {
  guard let number = words.firstIndex(of: word) else {
    preconditionFailure("\(word) is no word of the feed")
  }
  return String(number)
}

/// The change feed is written by triggers: then no edit can miss it, ours or one that a person
/// makes with `sqlite3`, and it commits together with what it tells.
///
/// Photos are inserted by the sync alone, which feeds some at a time (`feedInserts`): a trigger a
/// row would make a first index half as slow again.
let feedTriggersOfVersion1 = """
  CREATE TRIGGER photo_feed_update
  AFTER UPDATE OF \(list(contractColumns)) ON photo
  WHEN OLD.missing_since IS NULL AND OLD.excluded_since IS NULL
    AND NEW.missing_since IS NULL AND NEW.excluded_since IS NULL
    AND \(row("OLD", contractColumns)) IS NOT \(row("NEW", contractColumns))
    AND \(row("OLD", locationColumns)) IS \(row("NEW", locationColumns))
    AND \(isAttached("NEW"))
  BEGIN
    \(feed("photo", feedKind("update"), changedNames(contractColumns), of: "NEW.id"))
  END;

  -- Of its own, for a renamed directory has very many of these, and nothing else about them changes.
  CREATE TRIGGER photo_feed_move
  AFTER UPDATE OF \(list(locationColumns)) ON photo
  WHEN OLD.missing_since IS NULL AND OLD.excluded_since IS NULL
    AND NEW.missing_since IS NULL AND NEW.excluded_since IS NULL
    AND \(row("OLD", locationColumns)) IS NOT \(row("NEW", locationColumns))
    AND \(isAttached("NEW"))
  BEGIN
    \(feed(
      "photo", feedKind("move"),
      "CASE WHEN \(row("OLD", contractColumns)) IS \(row("NEW", contractColumns)) "
        + "AND OLD.path IS NOT NEW.path THEN 'path' "
        + "ELSE \(changedNames(["path"] + contractColumns)) END",
      of: "NEW.id"))
  END;

  CREATE TRIGGER photo_feed_leave AFTER UPDATE OF missing_since, excluded_since ON photo
  WHEN OLD.missing_since IS NULL AND OLD.excluded_since IS NULL
    AND NOT (NEW.missing_since IS NULL AND NEW.excluded_since IS NULL)
    AND \(isAttached("NEW"))
  BEGIN
    \(feed("photo", feedKind("delete"), "NULL", of: "NEW.id"))
  END;

  CREATE TRIGGER photo_feed_return AFTER UPDATE OF missing_since, excluded_since ON photo
  WHEN NOT (OLD.missing_since IS NULL AND OLD.excluded_since IS NULL)
    AND NEW.missing_since IS NULL AND NEW.excluded_since IS NULL
    AND \(isAttached("NEW"))
  BEGIN
    \(feed("photo", feedKind("restore"), "NULL", of: "NEW.id"))
  END;

  CREATE TRIGGER photo_feed_delete AFTER DELETE ON photo
  WHEN OLD.missing_since IS NULL AND OLD.excluded_since IS NULL
    AND \(isAttached("OLD"))
  BEGIN
    \(feed("photo", feedKind("delete"), "NULL", of: "OLD.id"))
  END;

  CREATE TRIGGER photo_rating_feed_insert AFTER INSERT ON photo_rating
  WHEN \(isPresent("NEW.photo_id"))
  BEGIN
    \(feed("photo", feedKind("update"), "'rating'", of: "NEW.photo_id"))
  END;

  CREATE TRIGGER photo_rating_feed_update AFTER UPDATE OF rating ON photo_rating
  WHEN OLD.rating IS NOT NEW.rating AND \(isPresent("NEW.photo_id"))
  BEGIN
    \(feed("photo", feedKind("update"), "'rating'", of: "NEW.photo_id"))
  END;

  CREATE TRIGGER photo_rating_feed_delete AFTER DELETE ON photo_rating
  WHEN \(isPresent("OLD.photo_id"))
  BEGIN
    \(feed("photo", feedKind("update"), "'rating'", of: "OLD.photo_id"))
  END;

  CREATE TRIGGER device_feed_insert AFTER INSERT ON device
  BEGIN
    \(feed("device", feedKind("insert"), "NULL", of: "NEW.id"))
  END;

  CREATE TRIGGER device_feed_update 
  AFTER UPDATE OF make, model, serial, name, is_registered ON device
  WHEN \(row("OLD", ["make", "model", "serial", "name", "is_registered"]))
    IS NOT \(row("NEW", ["make", "model", "serial", "name", "is_registered"]))
  BEGIN
    \(feed(
      "device", feedKind("update"), changedNames(["make", "model", "serial", "name", "is_registered"]),
      of: "NEW.id"))
  END;

  CREATE TRIGGER place_feed_insert AFTER INSERT ON place
  BEGIN
    \(feed("place", feedKind("insert"), "NULL", of: "NEW.id"))
  END;

  CREATE TRIGGER place_feed_update
  AFTER UPDATE OF \(fedPlaceColumns.joined(separator: ", ")) ON place
  WHEN \(row("OLD", fedPlaceColumns)) IS NOT \(row("NEW", fedPlaceColumns))
  BEGIN
    \(feed("place", feedKind("update"), changedNames(fedPlaceColumns), of: "NEW.id"))
  END;

  CREATE TRIGGER root_changes
  AFTER UPDATE OF name, path, owner, state ON root
  WHEN \(shownOfRoot("OLD")) IS NOT \(shownOfRoot("NEW"))
    AND NOT (OLD.state = 'detached' AND NEW.state = 'detached')
  BEGIN
    SELECT RAISE(ABORT, 'root: the feed has not told of the last change of it yet')
      WHERE OLD.told_through IS NOT NULL;
    UPDATE root SET told_through = 0, old_name = OLD.name, old_path = OLD.path,
        old_owner = OLD.owner, was_attached = OLD.state <> 'detached'
      WHERE id = NEW.id;
  END;
  """

/// What the photos of a root have from it.
private func shownOfRoot(_ root: String) -> String {
  "(\(root).name, \(root).path, \(root).owner, \(root).state = 'detached')"
}

/// Whether the root of a photo is attached, as far as the feed has told.
func isAttached(root: String, photo: String) -> String {
  "iif(\(photo) > \(root).told_through, \(root).was_attached, \(root).state <> 'detached')"
}

/// The feed has told that all others are gone.
func isPresent(_ id: String) -> String {
  "EXISTS (SELECT 1 FROM photo JOIN root ON root.id = root_id WHERE photo.id = \(id) "
    + "AND missing_since IS NULL AND excluded_since IS NULL "
    + "AND \(isAttached(root: "root", photo: "photo.id")))"
}

private func isAttached(_ row: String) -> String {
  "EXISTS (SELECT 1 FROM root WHERE id = \(row).root_id "
    + "AND \(isAttached(root: "root", photo: "\(row).id")))"
}

/// What the feed shows of a place, and what `photos` has from it.
private let fedPlaceColumns = [
  "parent_id", "name", "label", "latitude", "longitude", "country", "admin1", "admin2", "admin3",
  "admin4", "admin5", "custom", "search",
]

/// Feeds the photos that were inserted from the id ?1 on, at ?2, before anything else happens to
/// them.
let feedInserts = SQL(
  """
  \(insertIntoFeed)
  SELECT random(), \(feedSubject("photo")), id, \(feedKind("insert")), NULL, ?2 FROM photo WHERE id >= ?1
  """)

/// Where what people write refers to.
private let references: [(table: String, column: String, parent: String)] = [
  ("album_photo", "album_id", "album"), ("album_photo", "photo_id", "photo"),
  ("photo_place", "photo_id", "photo"), ("photo_place", "place_id", "place"),
  ("photo_time", "photo_id", "photo"), ("photo_rating", "photo_id", "photo"),
  ("device_clock", "device_id", "device"),
]

/// The `sqlite3` shell opens with foreign keys off, so these triggers keep what people write
/// sound.
let userTriggersOfVersion1 = [
  """
  CREATE TRIGGER retry_begins AFTER INSERT ON retry
  BEGIN
    UPDATE photo SET device_pending = 1 WHERE id = NEW.photo_id AND device_pending = 0;
  END;

  CREATE TRIGGER retry_ends AFTER DELETE ON retry
  BEGIN
    UPDATE photo SET device_pending = 0 WHERE id = OLD.photo_id AND device_pending = 1;
  END;

  CREATE TRIGGER photo_companion_due
  AFTER UPDATE OF \(list(shotColumns)) ON photo
  WHEN (OLD.content_identifier IS NOT NULL OR NEW.content_identifier IS NOT NULL)
    AND \(row("OLD", shotColumns)) IS NOT \(row("NEW", shotColumns))
  BEGIN
    INSERT OR IGNORE INTO companion_due (root_id, content_identifier)
      SELECT OLD.root_id, OLD.content_identifier WHERE OLD.content_identifier IS NOT NULL;
    INSERT OR IGNORE INTO companion_due (root_id, content_identifier)
      SELECT NEW.root_id, NEW.content_identifier WHERE NEW.content_identifier IS NOT NULL;
  END;

  CREATE TRIGGER photo_back_from_heirs AFTER UPDATE OF missing_since, removal_held_since ON photo
  WHEN (OLD.missing_since IS NOT NULL OR OLD.removal_held_since IS NOT NULL)
    AND NEW.missing_since IS NULL AND NEW.removal_held_since IS NULL
  BEGIN
    DELETE FROM heir WHERE gone_id = NEW.id;
  END;

  CREATE TRIGGER place_in_use BEFORE DELETE ON place
  WHEN EXISTS (SELECT 1 FROM photo_place WHERE place_id = OLD.id)
  BEGIN
    SELECT RAISE(ABORT, 'photo_place names this place');
  END;
  """,
  references.map(refusals).joined(separator: "\n"),
  derivations("photo_place", "id = ROW.photo_id"),
  derivations("photo_time", "id = ROW.photo_id"),
  derivations("device_clock", "device_id = ROW.device_id"),
  """
  CREATE TRIGGER photo_place_set AFTER INSERT ON photo_place
  BEGIN
    \(placeByUser)
  END;

  CREATE TRIGGER photo_place_changed AFTER UPDATE ON photo_place
  BEGIN
    \(placeByUser)
  END;
  """,
].joined(separator: "\n")

/// What decides whether the film and the picture of a shot find each other by their identifier. The
/// film of a raw is that of the raw's picture, once this has one.
private let shotColumns = [
  "content_identifier", "root_id", "path", "path_bytes", "media_type", "missing_since",
  "excluded_since", "companion_of",
]

/// Shown at once; what follows from it, the next sync derives.
private let placeByUser = """
  UPDATE photo SET place_id = NEW.place_id,
      \(placeSources.storedName) = \(placeSources.literal("user")), place_distance_m = NULL,
      place_margin_m = NULL, place_neighbour_id = NULL
    WHERE id = NEW.photo_id;
  """

private func refusals(table: String, column: String, parent: String) -> String {
  let name = "\(table)_\(column)_refused"
  return [("insert", "INSERT"), ("update", "UPDATE OF \(column)")].map { verb, event in
    """
    CREATE TRIGGER \(name)_\(verb) BEFORE \(event) ON \(table)
    WHEN NOT EXISTS (SELECT 1 FROM \(parent) WHERE id = NEW.\(column))
    BEGIN
      SELECT RAISE(ABORT, '\(table).\(column): there is no such \(parent)');
    END;
    """
  }.joined(separator: "\n")
}

/// What the user says of a photo wins over the file's own word, once the row is derived anew.
private func derivations(_ table: String, _ condition: String) -> String {
  [("INSERT", "NEW"), ("UPDATE", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")].map { event, row in
    """
    CREATE TRIGGER \(table)_derives_\(event.lowercased())_\(row.lowercased()) AFTER \(event) ON \(table)
    BEGIN
      UPDATE photo SET derive_due = 1 WHERE \(condition.replacing("ROW", with: row));
    END;
    """
  }.joined(separator: "\n")
}
