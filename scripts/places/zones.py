"""zones.geojson: time zone and country, a disjoint cover of the globe."""

import json
import math

import shapely
import tzfpy
from shapely.geometry import box, shape

import overrides
from geometry import feature, geojson_geometry, in_detail, joined, partition, polygonal, simplify

DECIMALS = 3
TOLERANCE = 0.006
SMALL = 0.02  # square degrees, about 200 km2


def source_zones():
    zones = {}
    for name in sorted(set(tzfpy.timezonenames())):
        data = json.loads(tzfpy.get_tz_polygon_geojson(name))
        geometry = data["features"][0]["geometry"] if "features" in data else data.get("geometry", data)
        zones[name] = polygonal(shape(geometry))
    return zones


def zone_countries(zone_tab):
    lines = (l.split("\t") for l in zone_tab.splitlines() if l and not l.startswith("#"))
    return {columns[2].strip(): columns[0] for columns in lines}


def pieces(zones, countries, ne):
    """(tzid, country or None, geometry) in order of precedence, before the southern cut."""
    first = []
    # North Viet Nam has no zone of its own; Laos lies between it and Thailand, so whole
    # parts of the zone (territorial sea included) belong to one of the two.
    parts = list(zones["Asia/Bangkok"].geoms)
    north = [p for p in parts if p.distance(ne["VN"]) < p.distance(ne["TH"])]
    first.append(("Asia/Bangkok", "VN", shapely.MultiPolygon(north)))
    # Kosovo: NE's polygon, drawn out over the outer border (which NE has only coarsely)
    # wherever the land behind is not NE's Serbia.
    kosovo = ne["XK"].union(ne["XK"].buffer(0.05).difference(ne["RS"]))
    first.append(("Europe/Belgrade", "XK", polygonal(zones["Europe/Belgrade"].intersection(kosovo))))
    for clock, country, _ in overrides.ZONE_SPLITS:
        both = polygonal(zones[clock].intersection(zones[country]))
        first.append((clock, countries[country], both))
    winners = [w for w, _, _ in overrides.ZONE_PREFERENCES]
    losers = {l for _, l, _ in overrides.ZONE_PREFERENCES}
    chain = [w for w in winners if w not in losers] + [w for w in winners if w in losers]
    order = sorted(zones, key=lambda n: (n.startswith("Etc/"), chain.index(n) if n in chain else 99, n))
    return first + [(n, countries.get(n), zones[n]) for n in order]


def cut_south(items):
    """South of -60 the country is AQ, whatever the zone."""
    south, north = box(-180, -90, 180, -60), box(-180, -60, 180, 90)
    result = []
    for tzid, country, geometry in items:
        if geometry.bounds[1] >= -60:
            result.append((tzid, country, geometry))
            continue
        for country, half in ((country, north), ("AQ", south)):
            part = polygonal(geometry.intersection(half))
            if not part.is_empty:
                result.append((tzid, country, part))
    return result


def build(zone_tab, ne, log):
    items = cut_south(pieces(source_zones(), zone_countries(zone_tab), ne))
    globe = box(-180, -90, 180, 90).boundary
    exact = partition([g for _, _, g in items], 1e-6, math.inf, [globe], log)
    coarse = simplify(exact, TOLERANCE)
    # The smallest (Vatican, Monaco, Gibraltar) keep every vertex and come first.
    small = [i for i, g in enumerate(exact) if 0 < g.area < SMALL]
    detail = in_detail(exact, overrides.ZONE_DETAIL)
    order = [i for i, _ in detail] + small + [i for i in range(len(exact)) if i not in small]
    shapes = [g for _, g in detail] + [exact[i] if i in small else coarse[i] for i in order[len(detail) :]]
    parts = partition(shapes, 10**-DECIMALS, math.inf, [globe], log)
    final = joined(order, parts, len(exact))
    layers = {"exact": [], "final": []}
    for (tzid, country, _), a, b in zip(items, exact, final):
        properties = {"tzid": tzid} | ({"country": country} if country else {})
        layers["exact"].append((properties, a))
        if not b.is_empty:
            layers["final"].append((properties, b))
    for layer in layers.values():
        layer.sort(key=lambda f: (f[0]["tzid"], f[0].get("country", "")))
    return layers


def features(layer):
    return [feature(p, geojson_geometry(g, DECIMALS)) for p, g in layer]
