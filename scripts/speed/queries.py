"""The queries of the README, on an index of many rows."""
import re
import sqlite3
import time

from speed.runs import SCRIPTS

# What the user wrote: some of the queries are about that.
MARKS = """
    BEGIN;
    UPDATE photo SET is_favorite = 1 WHERE id % 100 = 0;
    INSERT INTO photo_rating (photo_id, rating) SELECT id, id % 6 FROM photo WHERE id % 100 = 1;
    INSERT INTO album (name) VALUES ('Jeju 2024');
    INSERT INTO album_photo (album_id, photo_id) SELECT album.id, photo.id FROM album, photo
      WHERE album.name = 'Jeju 2024' AND photo.id % 1000 = 2;
    COMMIT;
"""
# Views that count or compare all photos, whatever a condition lets through.
SUMMARIES = ("albums", "clock_suspects", "coverage", "days", "devices", "duplicates", "folder_albums", "places")


def run(runs, table, root, count):
    """Those for some photos get a LIMIT; a summary has to look at everything."""
    writer = sqlite3.connect(runs.database, isolation_level=None)
    writer.executescript(MARKS)
    writer.close()
    index = runs.open_index()
    slowest = {"with a filter and LIMIT": (0, ""), "summaries over all": (0, "")}
    print(f"README's queries on {count:,} rows:")
    for query in readme_queries(root):
        kind = "summaries over all" if is_summary(query) else "with a filter and LIMIT"
        if kind != "summaries over all" and "LIMIT" not in query:
            query += " LIMIT 50"
        seconds = min(timed(index, query) for _ in range(3))
        slowest[kind] = max(slowest[kind], (seconds, query))
        print(f"{seconds * 1000:>9.1f} ms  {query}", flush=True)
    print()
    index.close()
    for (kind, (seconds, query)), most in zip(slowest.items(), (0.05, 1.5)):
        what = f"README's queries, {count:,} rows: {kind}, the slowest: `{query.split(' FROM ', 1)[1]}`"
        table.limit(what, seconds, "s", most)


def readme_queries(root):
    """The SELECTs of the chapter on querying, with the name of the root that is there."""
    text = (SCRIPTS.parent / "README.md").read_text()
    chapter = re.search(r"^## Querying\n(.*?)^### Views", text, re.S | re.M).group(1)
    for block in re.findall(r"```sql\n(.*?)```", chapter, re.S):
        for statement in re.sub(r"^\..*$", "", block, flags=re.M).split(";"):
            if statement.strip().startswith("SELECT"):
                yield " ".join(statement.split()).replace("'family'", f"'{root}'")


def is_summary(query):
    view = re.search(r" FROM (\w+)", query).group(1)
    return view in SUMMARIES or " WHERE " not in query or " GROUP BY " in query


def timed(index, query):
    begin = time.perf_counter()
    index.execute(query).fetchall()
    return time.perf_counter() - begin
