/// The album of favourites is there from the beginning, and stays: it has this id.
private let favourites = 0
let nameOfFavourites = "Favourites"

/// Keeps the albums sound, whatever is written with the `sqlite3` shell, and tells in the feed which
/// photos have come into an album, gone out of one, or see theirs renamed.
///
/// What REPLACE takes away no trigger hears of, so what it leaves behind is looked for afterwards.
let albumTriggersOfVersion1 = """
  INSERT INTO album (id, name) VALUES (\(favourites), '\(nameOfFavourites)');

  CREATE TRIGGER album_deleted AFTER DELETE ON album
  BEGIN
    DELETE FROM album_photo WHERE album_id = OLD.id;
  END;

  CREATE TRIGGER album_favourites_stay BEFORE DELETE ON album WHEN OLD.id = \(favourites)
  BEGIN
    SELECT RAISE(ABORT, 'album: the favourites cannot be deleted; empty the album, or rename it');
  END;

  CREATE TRIGGER album_id_stays BEFORE UPDATE OF id ON album WHEN OLD.id IS NOT NEW.id
  BEGIN
    SELECT RAISE(ABORT, 'album.id: an album keeps its id; change its name');
  END;

  CREATE TRIGGER album_made AFTER INSERT ON album
  BEGIN
    \(afterReplacing)
  END;

  CREATE TRIGGER album_renamed AFTER UPDATE OF name ON album WHEN OLD.name IS NOT NEW.name
  BEGIN
    \(afterReplacing)
    \(insertIntoFeed)
      SELECT random(), \(feedSubject("photo")), photo_id, \(feedKind("update")), 'albums',
        CAST(strftime('%s', 'now') AS INTEGER)
      FROM album_photo WHERE album_id = NEW.id AND \(isPresent("photo_id"));
  END;

  CREATE TRIGGER album_photo_added AFTER INSERT ON album_photo
  WHEN NEW.album_id <> \(favourites) AND \(isPresent("NEW.photo_id"))
  BEGIN
    \(feed("photo", feedKind("update"), "'albums'", of: "NEW.photo_id"))
  END;

  CREATE TRIGGER album_photo_removed AFTER DELETE ON album_photo
  WHEN OLD.album_id <> \(favourites) AND \(isPresent("OLD.photo_id"))
  BEGIN
    \(feed("photo", feedKind("update"), "'albums'", of: "OLD.photo_id"))
  END;

  CREATE TRIGGER album_photo_moved AFTER UPDATE OF album_id, photo_id ON album_photo
  WHEN (OLD.album_id, OLD.photo_id) IS NOT (NEW.album_id, NEW.photo_id)
  BEGIN
    \(insertIntoFeed)
      SELECT random(), \(feedSubject("photo")), id, \(feedKind("update")), 'albums',
        CAST(strftime('%s', 'now') AS INTEGER)
      FROM photo WHERE id IN (OLD.photo_id, NEW.photo_id) AND \(isPresent("photo.id"));
  END;

  \(favouriteTriggers)
  """

private let afterReplacing = """
  SELECT RAISE(ABORT, 'album: the favourites cannot be replaced; use another name')
    WHERE NOT EXISTS (SELECT 1 FROM album WHERE id = \(favourites));
  DELETE FROM album_photo WHERE album_id NOT IN (SELECT id FROM album);
  """

/// A photo is in the album of favourites if, and only if, `is_favorite` is 1, whichever of the two
/// is written.
private let favouriteTriggers = """
  CREATE TRIGGER photo_favourite AFTER UPDATE OF is_favorite ON photo
  WHEN OLD.is_favorite = 0 AND NEW.is_favorite = 1
  BEGIN
    INSERT INTO album_photo (album_id, photo_id) SELECT \(favourites), NEW.id
      WHERE NOT EXISTS (
        SELECT 1 FROM album_photo WHERE album_id = \(favourites) AND photo_id = NEW.id);
  END;

  CREATE TRIGGER photo_no_favourite AFTER UPDATE OF is_favorite ON photo
  WHEN OLD.is_favorite = 1 AND NEW.is_favorite = 0
  BEGIN
    DELETE FROM album_photo WHERE album_id = \(favourites) AND photo_id = NEW.id;
  END;

  CREATE TRIGGER album_photo_favourite AFTER INSERT ON album_photo
  WHEN NEW.album_id = \(favourites)
  BEGIN
    \(favour("NEW", true))
  END;

  CREATE TRIGGER album_photo_no_favourite AFTER DELETE ON album_photo
  WHEN OLD.album_id = \(favourites)
  BEGIN
    \(favour("OLD", false))
  END;

  CREATE TRIGGER album_photo_moved_out AFTER UPDATE OF album_id, photo_id ON album_photo
  WHEN OLD.album_id = \(favourites)
    AND (OLD.album_id, OLD.photo_id) IS NOT (NEW.album_id, NEW.photo_id)
  BEGIN
    \(favour("OLD", false))
  END;

  CREATE TRIGGER album_photo_moved_in AFTER UPDATE OF album_id, photo_id ON album_photo
  WHEN NEW.album_id = \(favourites)
    AND (OLD.album_id, OLD.photo_id) IS NOT (NEW.album_id, NEW.photo_id)
  BEGIN
    \(favour("NEW", true))
  END;
  """

private func favour(_ row: String, _ isFavourite: Bool) -> String {
  let (old, new) = isFavourite ? (0, 1) : (1, 0)
  return """
    UPDATE photo SET is_favorite = \(new) WHERE id = \(row).photo_id AND is_favorite = \(old);
    """
}
