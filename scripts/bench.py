#!/usr/bin/env python3
"""Take the measurements of scripts/bench, which builds what this needs, and print them as a table."""
import argparse
import dataclasses
import pathlib
import platform
import os
import re
import time

from speed import comparisons, plot, queries, scale, service
from speed.runs import SCRIPTS, Runs
from speed.table import Table

SECTIONS = ["comparisons", "hashes", "exiftool", "tracker", "scale", "crowd", "events", "places"]


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is measured, and on how many photos."""

    counts: list
    sections: list
    # Photos of the size that a camera makes, for hashes alone.
    large: int
    # For what takes others minutes.
    exiftool: int
    tracker: int
    # Libraries of tiny photos.
    sizes: list
    crowd: int
    events: int
    # How often two programs are compared at most, while their ratio varies.
    turns: int


FULL = Plan([20_000, 200_000], SECTIONS, 1000, 20_000, 20_000, [20_000, 100_000, 200_000, 1_000_000], 200_000, 200, 5)
# A tenth of the photos, and nothing that takes its time.
QUICK = Plan([20_000], [s for s in SECTIONS if s != "tracker"], 300, 1_000, 0, [2_000, 10_000, 20_000, 100_000],
             20_000, 30, 3)  # fmt: skip


# 2 GB. Those of FULL are 18 GB, which nobody wants to keep without being asked.
QUICK_CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "photoindexd-bench"


def measure(plan, runs, table):
    runs.compile_places()
    if "comparisons" in plan.sections:
        for count in plan.counts:
            on(count, runs, table, comparisons.Comparisons.all)
    if "hashes" in plan.sections:
        on(plan.large, runs, table, comparisons.Comparisons.hashes, comparisons.PHOTO_BYTES)
    if "exiftool" in plan.sections:
        on(plan.exiftool, runs, table, comparisons.Comparisons.exiftool)
    if "tracker" in plan.sections:
        on(plan.tracker, runs, table, comparisons.Comparisons.tracker)
    if "scale" in plan.sections:
        grow(plan, runs, table)
    if "crowd" in plan.sections:
        scale.crowd(runs, table, plan.crowd, 1000)
    if "events" in plan.sections:
        service.events(runs, table, plan.events)
    if "places" in plan.sections:
        comparisons.places(runs)


def on(count, runs, table, compare, body=None):
    compared = comparisons.Comparisons(runs, table, count, body)
    begin = time.monotonic()
    compare(compared)
    compared.drop()
    print(f"({time.monotonic() - begin:.0f} s)\n", flush=True)


def grow(plan, runs, table):
    figures, library = scale.grow(runs, table, plan.sizes)
    if plan.sizes == FULL.sizes:
        plot.draw(figures, SCRIPTS.parent / "docs/scale.svg", scale.MOST_MEMORY)
    service.start(runs, table, library, plan.sizes[-1])
    queries.run(runs, table, library, plan.sizes[-1])
    runs.drop(library)


def processor():
    """As the kernel calls it."""
    names = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def load():
    return " ".join(pathlib.Path("/proc/loadavg").read_text().split()[:3])


def main():
    parser = argparse.ArgumentParser(usage="scripts/bench [--quick | --full] [--only SECTION] [--cache DIR] [COUNT...]")
    parser.add_argument("--program", required=True)
    parser.add_argument("--floor", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--cache")
    parser.add_argument("--quick", action="store_const", dest="plan", const=QUICK, default=FULL)
    parser.add_argument("--full", action="store_const", dest="plan", const=FULL)
    parser.add_argument("--only", choices=SECTIONS)
    parser.add_argument("counts", type=int, nargs="*", metavar="COUNT")
    arguments = parser.parse_args()
    plan = arguments.plan
    cache = arguments.cache or (QUICK_CACHE if plan is QUICK else None)
    if arguments.only or arguments.counts:
        plan = dataclasses.replace(plan, sections=[arguments.only or "comparisons"])
    if arguments.counts:
        first = arguments.counts[0]
        plan = dataclasses.replace(plan, counts=arguments.counts, large=first, exiftool=first, tracker=first)
    runs = Runs(arguments.program, arguments.floor, arguments.work, cache, plan.turns)
    table = Table()
    before, begin = load(), time.monotonic()
    measure(plan, runs, table)
    minutes = (time.monotonic() - begin) / 60
    print(f"{processor()}; load average {before} before, {load()} after; {minutes:.1f} min\n")
    table.show()


if __name__ == "__main__":
    main()
