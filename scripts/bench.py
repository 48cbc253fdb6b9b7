#!/usr/bin/env python3
"""Take the measurements of scripts/bench, which builds what this needs, and print them as a table."""
import argparse
import dataclasses
import pathlib
import platform
import os

from speed import comparisons, plot, queries, scale, service
from speed.runs import SCRIPTS, Runs
from speed.table import Table

SECTIONS = ["comparisons", "exiftool", "tracker", "scale", "crowd", "events", "places"]


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is measured, and on how many photos."""

    counts: list
    repetitions: int
    sections: list
    # Libraries of tiny photos.
    sizes: list
    crowd: int
    events: int


FULL = Plan([20_000, 200_000], 3, SECTIONS, [20_000, 100_000, 300_000, 1_000_000], 200_000, 200)
# A tenth of the photos, and nothing that takes its time.
QUICK = Plan([2_000, 20_000], 3, [s for s in SECTIONS if s != "tracker"], [2_000, 10_000, 30_000, 100_000], 20_000, 40)


def measure(plan, runs, table):
    runs.compile_places()
    for count in plan.counts:
        compare(plan, comparisons.Comparisons(runs, table, count, plan.repetitions))
    if "scale" in plan.sections:
        grow(plan, runs, table)
    if "crowd" in plan.sections:
        scale.crowd(runs, table, plan.crowd, 1000)
    if "events" in plan.sections:
        service.events(runs, table, plan.events)
    if "places" in plan.sections:
        comparisons.places(runs, plan.repetitions)


def compare(plan, compared):
    if "comparisons" in plan.sections:
        compared.all()
    if compared.count == plan.counts[0]:
        if "exiftool" in plan.sections:
            compared.exiftool()
        if "tracker" in plan.sections:
            compared.tracker()
    compared.drop()


def grow(plan, runs, table):
    figures, library = scale.grow(runs, table, plan.sizes)
    if plan.sizes == FULL.sizes:
        plot.draw(figures, SCRIPTS.parent / "docs/scale.svg", scale.MOST_MEMORY)
    service.start(runs, table, library, plan.sizes[-1])
    queries.run(runs, table, library, plan.sizes[-1])
    runs.drop(library)


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
    if arguments.only or arguments.counts:
        plan = dataclasses.replace(plan, sections=[arguments.only or "comparisons"])
    if arguments.counts:
        plan = dataclasses.replace(plan, counts=arguments.counts)
    runs = Runs(arguments.program, arguments.floor, arguments.work, arguments.cache)
    table = Table()
    print(f"{platform.machine()}, {os.cpu_count()} cores, load before: {load()}\n", flush=True)
    measure(plan, runs, table)
    print(f"load after: {load()}\n")
    table.show()


if __name__ == "__main__":
    main()
