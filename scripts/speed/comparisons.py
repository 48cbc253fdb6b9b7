"""Against other programs, on the same photos in the same minutes: first index, rescan, places."""
import functools
import os
import random
import statistics
import subprocess
import time

from speed.runs import REST, SCRIPTS

POSITIONS = 200_000


# Of the first kind of library, about, and of those that stay until the end at most.
BENCH_BYTES = 36_000
MOST_KEPT = 1_000_000_000
# Of the second kind of library: about what a phone makes of a photo.
PHOTO_BYTES = 3_000_000


class Comparisons:
    """On one library of photos, of 36 KB each unless another size is named."""

    def __init__(self, runs, table, count, body=None):
        self.runs = runs
        self.table = table
        self.count = count
        self.body = body
        self.photos = f"{count:,} photos" + (f" of {body / 1e6:g} MB" if body else "")

    @functools.cached_property
    def library(self):
        return self.runs.library(self.count, body=self.body)

    def all(self):
        """First index, with and without hashes, and rescans."""
        runs, library = self.runs, self.library
        find = ["find", library, "-type", "f", "-printf", "%T@ %s\n"]
        floor = [runs.floor, library, runs.work / "floor.sqlite", "all"]
        self.begin()
        self.compare("first index", lambda: runs.first_index("--no-hash", library),
                     "floor `all`, one thread", lambda: runs.timed(*floor), 1)  # fmt: skip
        self.compare_hashes()
        self.compare("unchanged rescan", lambda: runs.index(library),
                     "find -printf", lambda: runs.timed(*find), 1.5, 200_000)  # fmt: skip
        self.compare_changed()
        print()

    def hashes(self):
        """First index with hashes alone."""
        self.begin()
        self.compare_hashes()
        print()

    def begin(self):
        print(f"{self.photos}, medians", flush=True)
        # So that all that follows finds the files in the page cache.
        self.runs.timed(*self.sums)

    @property
    def sums(self):
        return ["sh", "-c", 'find "$0" -type f -print0 | xargs -0 -n 50 -P 2 sha256sum', self.library]

    def compare_hashes(self):
        self.compare("first index with hashes", lambda: self.runs.first_index(self.library),
                     "sha256sum, two at a time", lambda: self.runs.timed(*self.sums), 0.5)  # fmt: skip

    def compare_changed(self):
        changed = {}
        try:
            self.compare("rescan, one file changed", lambda: self.rescan_after_change(changed),
                         "unchanged rescan", lambda: self.runs.index(self.library), 1.05, 200_000,
                         # A twentieth is less than what two runs of one program differ by.
                         least=2 * self.runs.most_turns - 1)  # fmt: skip
        finally:
            for photo, size in changed.items():
                os.truncate(photo, size)
            # Nobody shall find them younger than `settle`.
            time.sleep(REST)

    def asked_of(self, count):
        """Where what is asked is asked of a larger library: what a start costs weighs more in this one."""
        return f" of {count:,}" if self.count < count else ""

    def compare(self, what, run, against, other, most, asked_of=0, least=3):
        pairs = self.runs.in_turns(run, other, least=least)
        print(f"  {what:26}{pairs.ours:8.3f} s   {against:26}{pairs.theirs:8.3f} s   {pairs.ratio:.2f}×"
              f" in {pairs.count} turns", flush=True)  # fmt: skip
        self.table.at_most(f"{what}, {self.photos}", pairs, against, most, self.asked_of(asked_of))

    def rescan_after_change(self, changed):
        """One photo has grown by a byte since the last scan, in a directory that chance picks, and rested."""
        photo = random.choice(list(random.choice(list(self.library.glob("*/*"))).iterdir()))
        changed.setdefault(photo, photo.stat().st_size)
        with open(photo, "ab") as file:
            file.write(b"\0")
        # Its own wait for `settle` is not part of what is measured: the file has rested by then.
        time.sleep(REST)
        return self.runs.index(self.library)

    def exiftool(self):
        """Once: it takes minutes."""
        ours = self.first_index()
        theirs = self.runs.timed("exiftool", "-fast2", "-r", "-json", "-q", self.library).seconds
        self.table.faster(f"first index, {self.count:,} photos", ours, "exiftool -fast2 -r -json", theirs, 100,
                          self.asked_of(20_000))  # fmt: skip

    def tracker(self):
        """Once: GNOME's indexer, until each photo with EXIF has its device."""
        ours = self.first_index()
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

    def first_index(self):
        return statistics.median(self.runs.first_index("--no-hash", self.library).seconds for _ in range(3))

    def drop(self):
        """A small one is kept: another measurement will want it."""
        if "library" in vars(self) and self.count * (self.body or BENCH_BYTES) > MOST_KEPT:
            self.runs.drop(self.library)


def places(runs, repetitions=3):
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
