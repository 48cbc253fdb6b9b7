"""Planar geometry shared by all layers.

A layer is a *coverage*: polygons that share borders and do not overlap. The sources are
not (slivers, overlaps, gaps), and rounding coordinates breaks what was one. So each layer
goes through `partition` twice: all borders are noded together on a grid, the faces between
them are found, and every face is given to exactly one owner. Between the two passes
`shapely.coverage_simplify` moves shared borders as one. The result is disjoint and shares
every border vertex by construction, on coordinates that are exactly those written.
"""

import json
import math

import numpy as np
import shapely
from shapely import STRtree

METRES_PER_DEGREE = 111_320.0
DETAIL_DEGREES = 0.03


def polygonal(geometry):
    """The valid polygonal part of a geometry, as a MultiPolygon."""
    geometry = shapely.make_valid(geometry)
    parts = []
    stack = [geometry]
    while stack:
        g = stack.pop()
        if g.geom_type == "Polygon":
            if not g.is_empty:
                parts.append(g)
        elif hasattr(g, "geoms"):
            stack.extend(reversed(g.geoms))
    return shapely.MultiPolygon(parts)


def square_metres(geometry):
    """Approximate area, good for comparing small areas."""
    return geometry.area * math.cos(math.radians(geometry.centroid.y)) * METRES_PER_DEGREE**2


def owners_of(points, geometries):
    """For each point the index of the first geometry that holds it, or -1."""
    owner = np.full(len(points), -1)
    tree = STRtree(points)
    for index, geometry in enumerate(geometries):
        shapely.prepare(geometry)
        hits = tree.query(geometry, predicate="intersects")
        hits = hits[owner[hits] < 0]
        owner[hits] = index
    return owner


def partition(geometries, grid, gap_metres=0.0, extra_lines=(), log=None):
    """Turn polygons into a coverage on a grid; an earlier polygon wins over a later one.

    `gap_metres`: holes between polygons thinner than this are given to the neighbour with
    the longest common border (math.inf: all of them). `extra_lines` are noded in as well.
    Returns one MultiPolygon per input, in order (possibly empty).
    """
    lines = shapely.union_all(
        np.array([g.boundary for g in geometries] + list(extra_lines)), grid_size=grid
    )
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(lines)))
    owner = owners_of(shapely.point_on_surface(faces), geometries)
    gaps = np.flatnonzero(owner < 0)
    filled = 0
    if gap_metres and len(gaps):
        thick = 2 * shapely.area(faces[gaps]) / shapely.length(faces[gaps]) * METRES_PER_DEGREE
        gaps = gaps[thick < gap_metres]
        tree = STRtree(faces)
        for _ in range(8):
            left = [f for f in gaps if owner[f] < 0]
            if not left:
                break
            for face in left:
                shared = {}
                for other in tree.query(faces[face], predicate="touches"):
                    if owner[other] >= 0:
                        common = shapely.intersection(
                            faces[face].boundary, faces[other].boundary
                        ).length
                        if common:
                            shared[owner[other]] = shared.get(owner[other], 0.0) + common
                if shared:
                    owner[face] = max(sorted(shared), key=shared.get)
                    filled += 1
    if log:
        log(f"{len(faces)} faces, {int((owner < 0).sum())} without owner, {filled} gaps closed")
    order = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[order], np.arange(len(geometries) + 1))
    return [
        polygonal(shapely.coverage_union_all(faces[order[bounds[i] : bounds[i + 1]]]))
        for i in range(len(geometries))
    ]


def simplify(coverage, tolerance):
    """Simplify a coverage; empty members stay empty."""
    full = [i for i, g in enumerate(coverage) if not g.is_empty]
    result = list(coverage)
    for i, g in zip(full, shapely.coverage_simplify([coverage[i] for i in full], tolerance)):
        result[i] = polygonal(g)
    return result


def in_detail(exact, spots):
    """The parts of exact polygons around some (latitude, longitude, name): (index, geometry) of each.

    Put before simplified polygons into `partition`, they keep the borders there as they were.
    """
    around = shapely.union_all([shapely.Point(lon, lat).buffer(DETAIL_DEGREES) for lat, lon, _ in spots])
    parts = ((i, polygonal(g.intersection(around))) for i, g in enumerate(exact) if g.intersects(around))
    return [(i, part) for i, part in parts if not part.is_empty]


def joined(owners, parts, count):
    """One geometry for each owner, of the disjoint parts that are its own."""
    own = [[] for _ in range(count)]
    for owner, part in zip(owners, parts):
        if not part.is_empty:
            own[owner].append(part)
    return [
        g[0] if len(g) == 1 else polygonal(shapely.coverage_union_all(g)) if g else shapely.MultiPolygon()
        for g in own
    ]


def drop_specks(geometry, square_degrees):
    """Leave out parts and holes smaller than this, never the largest part."""
    parts = sorted(shapely.get_parts(geometry), key=lambda p: -p.area)
    return shapely.MultiPolygon(
        [p for i, p in enumerate(parts) if i == 0 or p.area >= square_degrees]
    )


def inner_point(geometry, decimals):
    """A rounded point well inside: the centre of the largest inscribed circle."""
    part = max(shapely.get_parts(geometry), key=lambda p: p.area)
    width = math.sqrt(part.area)
    x, y = shapely.maximum_inscribed_circle(part, tolerance=max(width / 200, 1e-5)).coords[0]
    for digits in (decimals, decimals + 2, 9):
        point = [round(x, digits) + 0.0, round(y, digits) + 0.0]
        if shapely.contains_xy(part, *point):
            return point
    raise ValueError("no inner point found")


def geojson_geometry(geometry, decimals):
    """RFC 7946: outer rings counterclockwise, holes clockwise, closed, stable order."""
    geometry = shapely.orient_polygons(shapely.normalize(geometry), exterior_cw=False)

    def ring(r):
        return [[round(x, decimals) + 0.0, round(y, decimals) + 0.0] for x, y in r.coords]

    polygons = [
        [ring(p.exterior)] + [ring(h) for h in p.interiors] for p in shapely.get_parts(geometry)
    ]
    polygons.sort()
    if len(polygons) == 1:
        return {"type": "Polygon", "coordinates": polygons[0]}
    return {"type": "MultiPolygon", "coordinates": polygons}


def _numbers(value):
    """-0.0 and 12.0 become 0 and 12: shorter and the same number."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_numbers(v) for v in value]
    if isinstance(value, dict):
        return {k: _numbers(v) for k, v in value.items()}
    return value


def write_collection(path, features):
    """One feature a line, minified, UTF-8."""
    lines = [
        json.dumps(_numbers(f), ensure_ascii=False, separators=(",", ":")) for f in features
    ]
    text = '{"type":"FeatureCollection","features":[\n' + ",\n".join(lines) + "\n]}\n"
    path.write_bytes(text.encode("utf-8"))


def feature(properties, geometry):
    return {"type": "Feature", "properties": properties, "geometry": geometry}
