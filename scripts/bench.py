#!/usr/bin/env python3
"""Take the measurements of scripts/bench, which builds what this needs, and print them as a table."""
import argparse
import glob
import os
import pathlib
import platform
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# A file must have rested this long before its stamps are trusted; see `settle`.
REST = 2.5
POSITIONS = 200_000
# How long the service waits after a file was closed.
QUIET = 0.2


class Bench:
    def __init__(self, arguments):
        self.program = arguments.program
        self.floor = arguments.floor
        self.work = pathlib.Path(arguments.work)
        self.peak = 0

    def timed(self, *command, **options):
        """Seconds that the command takes; it must succeed."""
        start = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, **options)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            sys.exit(f"{' '.join(map(str, command))}: exit status {child.returncode}")
        if command[0] == self.program:
            self.peak = max(self.peak, usage.ru_maxrss)
        return seconds

    def index(self, *words):
        state = self.work / "state"
        environment = dict(os.environ, XDG_DATA_HOME=state, XDG_CONFIG_HOME=state)
        environment.pop("STATE_DIRECTORY", None)
        return self.timed(self.program, "--rescan", *words, env=environment, stderr=subprocess.DEVNULL)

    def first_index(self, *words):
        """As on the first day, but for the places, which are compiled once for a machine."""
        for path in glob.glob(str(self.work / "state/photoindexd/index.sqlite*")):
            os.unlink(path)
        return self.index(*words)

    def measure(self, count, repetitions):
        library = self.work / f"library-{count}"
        subprocess.run([HERE / "bench-library.py", library, str(count)], check=True)
        time.sleep(REST)
        find = ["find", library, "-type", "f", "-printf", "%T@ %s\n"]
        sums = ["sh", "-c", 'find "$0" -type f -print0 | xargs -0 -n 200 -P 2 sha256sum', library]
        floor = [self.floor, library, self.work / "floor.sqlite", "all"]
        self.timed(*sums)
        self.first_index("--no-hash", library)
        self.peak = 0
        rows = []

        def compare(name, other, first, second):
            # Taken in turns, so that what else the machine does befalls both.
            pairs = [(first(), second()) for _ in range(repetitions)]
            rows.append((name, other, [pair[0] for pair in pairs], [pair[1] for pair in pairs]))

        compare("first index, no hashes", "floor, one thread",
                lambda: self.first_index("--no-hash", library), lambda: self.timed(*floor))  # fmt: skip
        compare("first index with hashes", "sha256sum, two at a time",
                lambda: self.first_index(library), lambda: self.timed(*sums))  # fmt: skip
        compare("rescan, nothing changed", "find -printf",
                lambda: self.index(library), lambda: self.timed(*find))  # fmt: skip

        def rescan_after_change():
            with open(next(iter(sorted(library.glob("*/*/*.JPG")))), "ab") as photo:
                photo.write(b"\0")
            time.sleep(REST)
            return self.index(library)

        compare("rescan, one file changed", "find -printf", rescan_after_change, lambda: self.timed(*find))
        report(f"{count:,} photos", rows, repetitions)
        print(f"  peak memory {self.peak / 1024:.0f} MB\n", flush=True)
        shutil.rmtree(library)

    def events(self, count):
        """From the end of the wait that follows a close to the row, with the service at rest."""
        library = self.work / "library-events"
        subprocess.run([HERE / "bench-library.py", library, "1000"], check=True)
        source = next(iter(sorted(library.glob("*/*/*.JPG")))).read_bytes()
        state = self.work / "events"
        environment = dict(os.environ, XDG_DATA_HOME=state, XDG_CONFIG_HOME=state, XDG_RUNTIME_DIR=state)
        environment.pop("STATE_DIRECTORY", None)
        if (self.work / "state").exists():
            # The places are compiled once for a machine.
            shutil.copytree(self.work / "state", state, ignore=shutil.ignore_patterns("index.sqlite*"))
        service = subprocess.Popen([self.program, library], env=environment, stderr=subprocess.DEVNULL)
        try:
            index = self.await_rows(state / "photoindexd/index.sqlite", 1000)
            delays = []
            for number in range(count):
                time.sleep(0.3)
                with open(library / f"event-{number}.jpg", "wb") as photo:
                    photo.write(source)
                start = time.perf_counter()
                while not index.execute("SELECT 1 FROM photo WHERE path = ?", [f"event-{number}.jpg"]).fetchall():
                    time.sleep(0.001)
                delays.append(time.perf_counter() - start - QUIET)
        finally:
            service.terminate()
            service.wait()
        print(f"close to row, beyond the wait of {QUIET} s: median {statistics.median(delays) * 1000:.0f} ms,"
              f" worst of {count} {max(delays) * 1000:.0f} ms\n", flush=True)  # fmt: skip

    @staticmethod
    def await_rows(path, count):
        """A connection to the index, as soon as the service is at rest with so many rows."""
        while True:
            try:
                index = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10, isolation_level=None)
                hashed = index.execute("SELECT count(content_hash) FROM photo").fetchone()[0]
                if hashed >= count:
                    return index
            except sqlite3.OperationalError:
                pass
            time.sleep(0.2)

    def places(self, repetitions):
        """Positions a second through `--locate -`, reading and printing included."""
        rng = random.Random(1)
        lines = self.work / "positions"
        lines.write_text(
            "".join(f"{rng.uniform(-60, 75):.5f},{rng.uniform(-180, 180):.5f}\n" for _ in range(POSITIONS)))  # fmt: skip
        state = self.work / "state"
        environment = dict(os.environ, XDG_DATA_HOME=state, XDG_CONFIG_HOME=state)

        def locate(path):
            with open(path) as positions:
                return self.timed(self.program, "--locate", "-", stdin=positions, env=environment)

        start = min(locate(os.devnull) for _ in range(repetitions))
        best = min(locate(lines) for _ in range(repetitions))
        print(f"places: {POSITIONS / (best - start):,.0f} a second on one core, through --locate -, text in and out")
        print(f"start: {start * 1000:.0f} ms to a ready atlas")


def report(title, rows, repetitions):
    print(f"{title}, best and median of {repetitions} (seconds)")
    print(f"  {'':26}{'best':>8}{'median':>8}   {'against':26}{'best':>8}{'median':>8}{'ratio':>8}")
    for name, other, first, second in rows:
        print(
            f"  {name:26}{min(first):8.2f}{statistics.median(first):8.2f}   {other:26}{min(second):8.2f}"
            f"{statistics.median(second):8.2f}{min(first) / min(second):8.2f}", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(usage="scripts/bench [--quick | --events | COUNT...]")
    parser.add_argument("--program", required=True)
    parser.add_argument("--floor", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--events", action="store_true")
    parser.add_argument("counts", type=int, nargs="*", metavar="COUNT")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    counts = arguments.counts or ([2000] if arguments.quick else [] if arguments.events else [20_000, 200_000])
    with open("/proc/loadavg") as file:
        load = file.read().split()[:3]
    print(f"{platform.machine()}, {os.cpu_count()} cores, load before: {' '.join(load)}\n", flush=True)
    for count in counts:
        bench.measure(count, 3 if count > 50_000 else 5)
    bench.events(20 if arguments.quick else 200)
    if not arguments.events:
        bench.places(2 if arguments.quick else 5)
    with open("/proc/loadavg") as file:
        print("load after:", *file.read().split()[:3])


if __name__ == "__main__":
    main()
