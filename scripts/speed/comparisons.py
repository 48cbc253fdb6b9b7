"""Against other programs, on the same photos in the same minutes: first index, rescan, places."""
import functools
import os
import random
import statistics
import subprocess
import time

from speed.runs import REST, SCRIPTS

POSITIONS = 200_000


class Comparisons:
    """On one library of photos of 36 KB each."""

    def __init__(self, runs, table, count, repetitions):
        self.runs = runs
        self.table = table
        self.count = count
        self.repetitions = repetitions

    @functools.cached_property
    def library(self):
        return self.runs.library(self.count)

    def all(self):
        runs, library = self.runs, self.library
        find = ["find", library, "-type", "f", "-printf", "%T@ %s\n"]
        sums = ["sh", "-c", 'find "$0" -type f -print0 | xargs -0 -n 200 -P 2 sha256sum', library]
        floor = [runs.floor, library, runs.work / "floor.sqlite", "all"]
        print(f"{self.count:,} photos, best and median of {self.repetitions}", flush=True)
        # So that all that follows finds the files in the page cache.
        runs.timed(*sums)
        self.compare("first index", lambda: runs.first_index("--no-hash", library),
                     "floor `all`, one thread", lambda: runs.timed(*floor), 1)  # fmt: skip
        self.compare("first index with hashes", lambda: runs.first_index(library),
                     "sha256sum, two at a time", lambda: runs.timed(*sums), 0.5)  # fmt: skip
        self.compare("unchanged rescan", lambda: runs.index(library),
                     "find -printf", lambda: runs.timed(*find), 1.5)  # fmt: skip
        self.compare("rescan, one file changed", self.rescan_after_change,
                     "unchanged rescan", lambda: runs.index(library), 1.05)  # fmt: skip
        print()

    def compare(self, what, run, against, other, most):
        # In turns, so that what else the machine does befalls both.
        pairs = [(run().seconds, other().seconds) for _ in range(self.repetitions)]
        ours, theirs = zip(*pairs)
        print(f"  {what:26}{min(ours):8.3f}{statistics.median(ours):8.3f} s   {against:26}{min(theirs):8.3f}"
              f"{statistics.median(theirs):8.3f} s   {min(ours) / min(theirs):.2f}×", flush=True)  # fmt: skip
        self.table.at_most(f"{what}, {self.count:,} photos", min(ours), against, min(theirs), most)

    def rescan_after_change(self):
        """One photo has grown by a byte since the last scan, in a directory that chance picks."""
        photo = random.choice(list(random.choice(list(self.library.glob("*/*"))).iterdir()))
        size = photo.stat().st_size
        with open(photo, "ab") as file:
            file.write(b"\0")
        time.sleep(REST)
        run = self.runs.index(self.library)
        # The scan that is compared with this one must find nothing changed.
        os.truncate(photo, size)
        time.sleep(REST)
        self.runs.index(self.library)
        return run

    def exiftool(self):
        """Once: it takes minutes."""
        ours = min(self.runs.first_index("--no-hash", self.library).seconds for _ in range(3))
        theirs = self.runs.timed("exiftool", "-fast2", "-r", "-json", "-q", self.library).seconds
        self.table.faster(f"first index, {self.count:,} photos", ours, "exiftool -fast2 -r -json", theirs, 100)

    def tracker(self):
        """Once: GNOME's indexer, until each photo with EXIF has its device."""
        ours = min(self.runs.first_index("--no-hash", self.library).seconds for _ in range(3))
        index = self.runs.open_index()
        devices = index.execute("SELECT count(device_id) FROM photo").fetchone()[0]
        index.close()
        words = [SCRIPTS / "speed/tracker", self.library, str(devices), self.runs.work / "tracker"]
        answer = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        found, seconds = answer.split()
        print(f"tracker-miner-fs: {found} of {devices} devices in {seconds} s. It runs under SCHED_IDLE, so that"
              " this means something on a machine without other work only.\n", flush=True)  # fmt: skip
        what = f"first index, {self.count:,} photos"
        self.table.faster(what, ours, "tracker-miner-fs 3", float(seconds), 30)

    def drop(self):
        if "library" in vars(self):
            self.runs.drop(self.library)


def places(runs, repetitions):
    """Positions a second through `--locate -`, reading and printing included."""
    rng = random.Random(1)
    lines = runs.work / "positions"
    lines.write_text(
        "".join(f"{rng.uniform(-60, 75):.5f},{rng.uniform(-180, 180):.5f}\n" for _ in range(POSITIONS)))  # fmt: skip

    def locate(path):
        with open(path) as positions:
            return runs.timed(runs.program, "--locate", "-", stdin=positions, env=runs.environment()).seconds

    start = min(locate(os.devnull) for _ in range(repetitions))
    best = min(locate(lines) for _ in range(repetitions))
    print(f"places: {POSITIONS / (best - start):,.0f} a second on one core, through --locate -, text in and out;"
          f" {start * 1000:.0f} ms to a ready atlas\n", flush=True)  # fmt: skip
