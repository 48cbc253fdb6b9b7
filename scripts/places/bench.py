"""The atlas against GEOS: see scripts/bench-places."""

import json
import math
import subprocess
import sys
import time

import numpy as np
import shapely
from shapely import STRtree
from shapely.geometry import shape

import towns

LAYERS = ("korea.geojson", "zones.geojson", "admin1.geojson")
COUNT = 200_000
ROUNDS = 3


def read_layers(folder):
    return [
        [shape(f["geometry"]) for f in json.loads((folder / name).read_bytes())["features"]]
        for name in LAYERS
    ]


class Tree:
    """Polygons behind an STR tree, prepared: the fastest that GEOS has for many points."""

    def __init__(self, polygons):
        self.tree = STRtree(polygons)
        shapely.prepare(self.tree.geometries)

    def hits(self, points):
        """(numbers of points, of the polygons that hold them)"""
        point, polygon = self.tree.query(shapely.points(points))
        holds = shapely.intersects_xy(self.tree.geometries[polygon], points[point, 0], points[point, 1])
        return point[holds], polygon[holds]


def only_land(points, layers):
    return points[np.unique(Tree(layers[0] + layers[2]).hits(points)[0])]


def on_land(layers, rng):
    """Points spread over the land, each square kilometre alike."""
    tree = Tree(layers[0] + layers[2])
    points = np.empty((0, 2))
    while len(points) < COUNT:
        lon = rng.uniform(-180, 180, COUNT)
        lat = np.degrees(np.arcsin(rng.uniform(math.sin(math.radians(-60)), 1, COUNT)))
        tried = np.column_stack([lon, lat])
        points = np.concatenate([points, tried[np.unique(tree.hits(tried)[0])]])
    return points[:COUNT]


def near_borders(layers, rng):
    """Points within 1 km of borders: a third of each layer, anywhere along its borders."""
    parts = []
    for layer in layers:
        lines = shapely.get_coordinates([shapely.boundary(g) for g in layer])
        ends = lines[rng.integers(0, len(lines), COUNT // len(layers) + 1)]
        ends = ends[np.abs(ends[:, 1]) < 85]
        metres, bearing = rng.uniform(0, 1000, len(ends)), rng.uniform(0, 2 * math.pi, len(ends))
        scale = 111_195 * np.cos(np.radians(ends[:, 1]))
        shift = np.column_stack([metres * np.sin(bearing) / scale, metres * np.cos(bearing) / 111_195])
        parts.append(ends + shift)
    points = np.concatenate(parts)
    points[:, 0] = (points[:, 0] + 180) % 360 - 180
    return points[rng.permutation(len(points))]


def best(body):
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        body()
        times.append(time.process_time() - start)
    return min(times)


def timed(*command):
    """(seconds, what it printed)"""
    start = time.perf_counter()
    child = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, text=True)
    if child.returncode:
        sys.exit(f"{command[0]}: exit status {child.returncode}")
    return time.perf_counter() - start, child.stdout


def run(program, resources, cache, work):
    rng = np.random.default_rng(1)
    layers = read_layers(resources)
    border = near_borders(layers, rng)
    sets = {
        "random points on land": on_land(layers, rng),
        "towns of GeoNames": np.array([(r[1], r[0]) for r in towns.all_towns(cache / "wheels")], dtype=float),
        "within 1 km of borders": only_land(border, layers),
        # There the atlas looks for what is nearest, too, which GEOS is not asked for.
        "the same, coasts too": border,
    }
    files = []
    for number, points in enumerate(sets.values()):
        files.append(work / f"points-{number}")
        files[-1].write_text("".join(f"{lat:.6f},{lon:.6f}\n" for lon, lat in points))

    seconds, printed = timed(program, resources, work)
    failed = report("compiling the atlas", seconds, 10, "s")
    failed += report("memory for that", int(printed.split()[3]) / 1024, 400, "MB")
    starts = [timed(program, resources, work) for _ in range(20)]
    opened = [s[1].split() for s in starts]
    failed += report("start with a compiled atlas, whole process", min(s[0] for s in starts) * 1000, 20, "ms")
    print(f"  of that opening it {min(float(o[1]) for o in opened):.1f} ms")
    failed += report("memory of its own", max(int(o[2]) for o in opened) / 1024, 10, "MB")

    _, printed = timed(program, resources, work, *files)
    ours = [line.split() for line in printed.splitlines() if line.startswith("set")]
    trees = [Tree(layer) for layer in layers]
    print(f"\nlook-ups a second on one core; GEOS {shapely.geos_version_string}, all three layers")
    for (name, points), (_, lookups, margins, found) in zip(sets.items(), ours):
        geos = best(lambda: [tree.hits(points) for tree in trees])
        us = len(points) / float(lookups)
        ratio = geos / float(lookups)
        print(f"  {name:24}{us:12,.0f}   GEOS {len(points) / geos:10,.0f}   {ratio:6.1f} times as fast;"
              f" with margins {len(points) / float(margins):10,.0f}; {int(found) / len(points):.1%} placed")  # fmt: skip
        failed += ratio < 10 and not name.startswith("the same")
        if name.startswith("towns"):
            failed += us < 1_000_000
    print("\nall as wanted" if not failed else f"\n{failed} not as wanted")
    return 1 if failed else 0


def report(name, value, most, unit):
    print(f"{name}: {value:.1f} {unit} (at most {most})", flush=True)
    return value > most
