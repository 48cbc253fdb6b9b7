"""How time and memory grow with the library, from thousands of photos to a million."""
import dataclasses
import os
import statistics

from speed.runs import Run

# In MB, whatever the size.
MOST_MEMORY = 150


@dataclasses.dataclass(frozen=True)
class Size:
    count: int
    first: Run
    rescan: Run


def grow(runs, table, sizes):
    """First index and rescan at each size, of tiny photos; the largest library and its index stay."""
    figures = []
    for count in sizes:
        library = runs.library(count, tiny=True, per_directory=1000)
        first = runs.first_index("--no-hash", library)
        rescan = runs.index("--no-hash", library)
        figures.append(Size(count, first, rescan))
        print(f"{count:>9,} tiny photos: first index {first.seconds:.2f} s, {memory(first)};"
              f" rescan {rescan.seconds:.2f} s, {memory(rescan)}", flush=True)  # fmt: skip
    compare(table, figures)
    measure_size(runs, table, library, sizes[-1])
    return figures, library


def memory(run):
    return f"{run.peak:.0f} MB (with decoders {run.peak_of_all:.0f} MB)"


def compare(table, figures):
    """The largest against the one that has a tenth as many photos."""
    largest = figures[-1]
    tenth = next(figure for figure in figures if figure.count * 10 == largest.count)
    for name, ours, theirs in [
        ("first index", largest.first, tenth.first),
        ("rescan", largest.rescan, tenth.rescan),
    ]:
        what = f"{name}, {largest.count:,} tiny photos: peak memory"
        table.limit(what, ours.peak, "MB", MOST_MEMORY)
        table.growth(what, ours.peak, f"{tenth.count:,}", theirs.peak, "MB", 1.3)


def measure_size(runs, table, library, count):
    """With all hashes, and the log written back into the file."""
    run = runs.index(library)
    print(f"{count:>9,} tiny photos: hashes {run.seconds:.2f} s, {memory(run)}", flush=True)
    size = os.path.getsize(runs.database)
    print(f"{count:>9,} tiny photos: index {size / 1e6:.1f} MB, by what takes most of it:")
    for name, bytes_a_photo in largest_parts(runs, count):
        print(f"{bytes_a_photo:>9.1f} bytes a photo: {name}")
    print(flush=True)
    table.limit(f"index size, {count:,} tiny photos, hashes included", size / count, "bytes a photo", 700)


def largest_parts(runs, count):
    """Tables and indexes with their bytes a photo; those that matter."""
    index = runs.open_index()
    try:
        rows = index.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC").fetchall()
    finally:
        index.close()
    return [(name, size / count) for name, size in rows if size / count >= 1]


def medians(ours, against, theirs):
    return statistics.median(ours), against, statistics.median(theirs)


def crowd(runs, table, count, per_directory):
    """One directory of many files, against as many in directories of a common size."""
    one, many = (runs.library(count, tiny=True, per_directory=each) for each in (count, per_directory))
    peaks = {one: [], many: []}

    def index(library):
        run = runs.first_index("--no-hash", library)
        peaks[library].append(run.peak)
        return run

    pairs = runs.in_turns(lambda: index(one), lambda: index(many))
    what = f"one directory of {count:,} files"
    against = f"{count // per_directory:,} of {per_directory:,}"
    table.at_most(f"{what}: first index", pairs, against, 1.2)
    table.growth(f"{what}: peak memory", *medians(peaks[one], against, peaks[many]), "MB", 1.5)
    runs.drop(one)
