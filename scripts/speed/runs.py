"""Runs of programs, with their times and memory, and the libraries and indexes that they run on."""
import dataclasses
import glob
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
# A file must have rested this long before its stamps are trusted; see `settle`.
REST = 2.5
# How often the memory of a program and its decoders is looked at.
SAMPLE_INTERVAL = 0.2


@dataclasses.dataclass(frozen=True)
class Run:
    seconds: float
    # Of the program itself, at most, as the kernel counts it.
    peak: float
    # With its decoders, each shared page once, at most whenever it was looked at.
    peak_of_all: float


class Pairs:
    """What was measured in turns."""

    def __init__(self, pairs):
        self.count = len(pairs)
        self.ours, self.theirs = (statistics.median(each) for each in zip(*pairs))
        # Not the ratio of those two: what a pair had in common is out of its own.
        self.ratio = statistics.median(ratios(pairs))


def ratios(pairs):
    return [ours / theirs for ours, theirs in pairs]


def is_steady(pairs):
    """Whether the middle half of the ratios lies within a tenth."""
    low, middle, high = statistics.quantiles(ratios(pairs), n=4)
    return high - low <= 0.1 * middle


class Runs:
    def __init__(self, program, floor, work, cache, most_turns):
        self.program = program
        self.floor = floor
        self.work = pathlib.Path(work)
        # Where libraries are kept for the next time; None: nowhere.
        self.cache = pathlib.Path(cache) if cache else None
        self.most_turns = most_turns

    @property
    def state(self):
        return self.work / "state"

    @property
    def database(self):
        return self.state / "photoindexd/index.sqlite"

    def environment(self, **more):
        """That of a user of whom the program knows nothing yet."""
        environment = dict(os.environ, XDG_DATA_HOME=self.state, XDG_CONFIG_HOME=self.state, **more)
        environment.pop("STATE_DIRECTORY", None)
        return environment

    def library(self, count, *, tiny=False, per_directory=500, body=None):
        """A library of photos that have rested; one that was kept is as good as a new one."""
        name = f"{'tiny' if tiny else 'photos'}-{count}-{per_directory}{f'-{body}' if body else ''}"
        path = (self.cache or self.work) / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(name + ".part")
            shutil.rmtree(part, ignore_errors=True)
            words = [SCRIPTS / "bench-library.py", part, str(count), "--per-dir", str(per_directory)]
            words += (["--tiny"] if tiny else []) + (["--body", str(body)] if body else [])
            subprocess.run(words, check=True)
            part.rename(path)
            time.sleep(REST)
        else:
            # What was kept may have left the page cache since.
            subprocess.run(["grep", "-r", "-q", "no photo holds this", path])
        return path

    def drop(self, library):
        if not self.cache:
            shutil.rmtree(library)

    def in_turns(self, run, other, key=lambda run: run.seconds, least=3):
        """Two measurements, one after the other and again, so that what else the machine does befalls
        both: `least` pairs, and more, up to `most_turns`, as long as their ratios are far from each other."""
        pairs = []
        while len(pairs) < least or (len(pairs) < self.most_turns and not is_steady(pairs)):
            pairs.append((key(run()), key(other())))
        return Pairs(pairs)

    def timed(self, *command, **options):
        """Runs a command, which must succeed."""
        start = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, **options)
        memory = FamilyMemory(child.pid)
        if command[0] == self.program:
            memory.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        memory.stop()
        if child.returncode:
            sys.exit(f"{' '.join(map(str, command))}: exit status {child.returncode}")
        return Run(seconds, usage.ru_maxrss / 1024, memory.peak)

    def index(self, *words):
        return self.timed(self.program, "--rescan", *words, env=self.environment(), stderr=subprocess.DEVNULL)

    def first_index(self, *words):
        """As on the first day, but for the places, which are compiled once for a machine."""
        for path in glob.glob(f"{self.database}*"):
            os.unlink(path)
        return self.index(*words)

    def compile_places(self):
        """So that no later run has to."""
        return self.timed(self.program, "--locate", "0,0", env=self.environment())

    def open_index(self):
        return sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=10, isolation_level=None)


class FamilyMemory:
    """The memory of a process and its children in MB, looked at again and again."""

    def __init__(self, process):
        self.process = process
        self.peak = 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.look)

    def start(self):
        self.thread.start()

    def stop(self):
        self.ended.set()
        if self.thread.ident:
            self.thread.join()

    def look(self):
        while not self.ended.wait(SAMPLE_INTERVAL):
            self.peak = max(self.peak, sum(memory(member, "Pss") for member in family(self.process)))


def family(process):
    """A process and its children."""
    yield process
    for path in glob.glob(f"/proc/{process}/task/*/children"):
        yield from read(path).split()


def memory(process, kind):
    """Memory of a process in MB, of one kind that smaps_rollup knows; 0 if it has ended."""
    sizes = re.findall(rf"^{kind}:\s+(\d+) kB", read(f"/proc/{process}/smaps_rollup"), re.M)
    return sum(map(int, sizes)) / 1024


def read(path):
    """A file of /proc; nothing if its process has ended."""
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""
