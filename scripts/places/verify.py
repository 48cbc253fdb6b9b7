"""Proofs on the written files: form, cover, named points, agreement with independent data."""

import collections
import datetime
import json
import math
import os
import re
import subprocess
import tempfile
import unicodedata
import zoneinfo

import numpy as np
import shapely
from shapely import STRtree
from shapely.geometry import shape

import towns
from geometry import METRES_PER_DEGREE, owners_of

DECIMALS = {"zones.geojson": 3, "admin1.geojson": 3, "korea.geojson": 4}
MAXIMUM_FILE, MAXIMUM_SUM = 10_000_000, 26_000_000

# name, latitude, longitude, country, and where it matters zone or Korean unit
NAMED = """
Vatican|41.9022,12.4539|VA|
San Marino|43.9424,12.4578|SM|
Monaco|43.7384,7.4246|MC|
Llívia|42.4644,1.9806|ES|
Baarle-Hertog|51.4419,4.9306|BE|
Baarle-Nassau|51.4467,4.9250|NL|
Büsingen|47.6969,8.6903|DE|
Campione|45.9686,8.9714|IT|
Ceuta|35.8894,-5.3213|ES|
Hanoi|21.0285,105.8542|VN|Asia/Bangkok
Ha Long Bay|20.75,107.15|VN|Asia/Bangkok
Bangkok|13.7563,100.5018|TH|Asia/Bangkok
Pristina|42.6629,21.1655|XK|Europe/Belgrade
Belgrade|44.8178,20.4569|RS|Europe/Belgrade
Fiji west of 180|-16.8,179.99|FJ|Pacific/Fiji
Fiji east of 180|-16.8,-179.9|FJ|Pacific/Fiji
Svalbard|78.2232,15.6469|SJ|
South Pole|-90,0|AQ|
Vostok|-78.4645,106.8339|AQ|
Concordia|-75.1,123.35|AQ|
Statue of Liberty|40.6892,-74.0445|US|America/New_York
Sentosa|1.2494,103.8303|SG|
Singapore|1.2868,103.8545|SG|
Mid-Atlantic|0,-30|-|Etc/GMT+2
North Pole|90,10|-|
Near the North Pole|89.9,10|-|Etc/GMT-1
Windsor ON|42.20848,-83.09805|CA|
Maseru|-29.31,27.48|LS|
Tsushima|34.2,129.29|JP|
Fort Pierce|27.405308,-80.016944|-|~America/New_York
Kaesong|37.9708,126.5544|KP|
Panmunjom|37.956,126.677|KR,KP|
Eiffel Tower|48.8584,2.2945|FR|Europe/Paris
Gibraltar|36.1408,-5.3536|GI|
Hong Kong|22.2819,114.1588|HK|
Macao|22.1987,113.5439|MO|
Guam|13.4443,144.7937|GU|
Réunion|-21.1151,55.5364|RE|
El Aaiún|27.15,-13.20|EH|
Gaza|31.5017,34.4668|PS|
Famagusta|35.1174,33.9417|CY|
Simferopol|44.9521,34.1024|UA|
Taipei|25.0330,121.5654|TW|
Dokdo|37.2426,131.8669|KR|울릉군 울릉읍
Samseong-dong|37.5126,127.0588|KR|강남구 삼성동
Samseon|37.5886,127.0068|KR|성북구 동소문동2가 (삼선동)
Hallim|33.4107,126.2692|KR|제주시 한림읍
Haeundae|35.1631,129.1635|KR|해운대구 중동
Baengnyeong|37.955,124.72|KR|옹진군 백령면
Marado|33.117,126.268|KR|서귀포시 대정읍
Sejong|36.4800,127.2890|KR|세종특별자치시 보람동
Gunwi|36.2428,128.5728|KR|대구광역시 군위군 군위읍
Michuhol|37.4639,126.6502|KR|인천광역시 미추홀구 숭의동
Yeoju|37.298,127.637|KR|여주시 홍문동
Cheongju|36.6907,127.4926|KR|청주시 청원구 주중동
Bucheon|37.5034,126.7660|KR|부천시 원미구 중동
Pangyo|37.3948,127.1112|KR|성남시 분당구 백현동
Dongtan|37.2010,127.0980|KR|화성시 동탄구
Haeundae beach|35.158,129.1605|KR|~해운대구 우동
""".strip()


class Proof:
    def __init__(self):
        self.failed = []

    def check(self, holds, text):
        print(("ok    " if holds else "WRONG ") + text, flush=True)
        if not holds:
            self.failed.append(text)


def form(proof, folder, rebuilt, names):
    """The files as files. Returns {name: features}."""
    collections_ = {}
    sizes = {n: (folder / n).stat().st_size for n in names}
    total = sum(p.stat().st_size for p in folder.iterdir())
    proof.check(max(sizes.values()) <= MAXIMUM_FILE and total <= MAXIMUM_SUM, f"sizes {sizes}, folder {total}")
    for name in names:
        raw = (folder / name).read_bytes()
        proof.check(raw == (rebuilt / name).read_bytes(), f"{name}: the same bytes when built again")
        features = json.loads(raw)["features"]
        collections_[name] = features
        one = raw.decode("utf-8").splitlines()
        proof.check(len(one) == len(features) + 2 and all(l[0] == "{" for l in one[:-1]), f"{name}: one feature a line, {len(features)} features")
        if name not in DECIMALS:
            continue
        faults = collections.Counter()
        vertices = 0
        for f in features:
            g = f["geometry"]
            polygons = [g["coordinates"]] if g["type"] == "Polygon" else g["coordinates"]
            for polygon in polygons:
                for index, ring in enumerate(polygon):
                    vertices += len(ring)
                    xy = np.array(ring, dtype=float)
                    faults["ring not closed or short"] += len(ring) < 4 or ring[0] != ring[-1]
                    x, y = xy[:, 0] - xy[0, 0], xy[:, 1] - xy[0, 1]
                    area = float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum())
                    faults["winding"] += (area <= 0) if index == 0 else (area >= 0)
                    faults["repeated vertex"] += bool((np.abs(np.diff(xy, axis=0)).sum(axis=1) == 0).any())
                    faults["out of the globe"] += bool((np.abs(xy[:, 0]) > 180).any() or (np.abs(xy[:, 1]) > 90).any())
                    faults["decimals"] += bool((np.round(xy, DECIMALS[name]) != xy).any())
        proof.check(not +faults, f"{name}: closed rings, winding, decimals; {vertices} vertices {dict(+faults)}")
        shapes = [shape(f["geometry"]) for f in features]
        bad = [shapely.is_valid_reason(s) for s in shapes if not s.is_valid]
        proof.check(not bad, f"{name}: all geometries valid {bad[:3]}")
        proof.check(bool(shapely.coverage_is_valid(shapes)), f"{name}: disjoint, neighbours share all border vertices")
        outside = [f["properties"].get("code") for f, s in zip(features, shapes) if "point" in f["properties"] and not shapely.contains_xy(s, *f["properties"]["point"])]
        proof.check(not outside, f"{name}: points inside their polygons {outside[:5]}")
        if name == "zones.geojson":
            area = math.fsum(s.area for s in shapes)
            proof.check(abs(area - 360 * 180) < 1e-6, f"{name}: covers the globe, area {area:.9f} of 64800")
    return collections_


def relations(proof, files):
    properties = {n: [f["properties"] for f in fs] for n, fs in files.items()}
    for name in ("admin1.geojson", "korea.geojson", "units.geojson"):
        codes = [p["code"] for p in properties[name]]
        twice = [c for c, n in collections.Counter(codes).items() if n > 1]
        proof.check(not twice, f"{name}: codes unique {twice[:5]}")
        empty = [p["code"] for p in properties[name] for k, v in p.items() if v in ("", [], None)]
        proof.check(not empty, f"{name}: no empty value {empty[:5]}")
    zones = [(p["tzid"], p.get("country")) for p in properties["zones.geojson"]]
    proof.check(len(set(zones)) == len(zones), "zones.geojson: one feature for each zone and country")
    unknown = [z for z, _ in zones if z not in zoneinfo.available_timezones()]
    proof.check(not unknown, f"zones.geojson: all zones are in tzdata {unknown}")
    units = {p["code"]: p for p in properties["units.geojson"]}
    needed = {c for _, c in zones if c} | {p["country"] for p in properties["admin1.geojson"]}
    missing = sorted(c for c in needed if units.get(c, {}).get("level") != "country")
    proof.check(not missing, f"units.geojson: a row for each of {len(needed)} countries {missing}")
    rows = properties["korea.geojson"] + [p for p in units.values() if p["level"] != "country"]
    orphans = [p["code"] for p in rows if p["parent"] not in units]
    proof.check(not orphans, f"every parent exists {orphans[:5]}")
    parents = {p["parent"] for p in rows}
    childless = [c for c, p in units.items() if p["level"] != "country" and c not in parents]
    proof.check(not childless, f"every Korean parent has parts {childless[:5]}")
    languages = collections.Counter(len([k for k in p if k.startswith("name:")]) for p in units.values() if p["level"] == "country")
    proof.check(set(languages) == {26}, f"country names by number of languages {dict(languages)}")


class Places:
    """The rule of the reader, plainly."""

    def __init__(self, files):
        self.layers = {}
        for name in DECIMALS:
            shapes = [shape(f["geometry"]) for f in files[name]]
            self.layers[name] = ([f["properties"] for f in files[name]], shapes, STRtree(shapes))
        self.units = {f["properties"]["code"]: f["properties"] for f in files["units.geojson"]}

    def inside(self, name, lat, lon):
        properties, _, tree = self.layers[name]
        hits = tree.query(shapely.Point(lon, lat), predicate="intersects")
        return properties[min(hits)] if len(hits) else None

    def nearest(self, name, lat, lon, metres, key):
        """(properties, metres) of the nearest polygon that has this property."""
        properties, shapes, tree = self.layers[name]
        scale, reach = math.cos(math.radians(lat)), metres / METRES_PER_DEGREE
        window = shapely.box(lon - reach / scale, lat - reach, lon + reach / scale, lat + reach)
        here = shapely.Point(lon * scale, lat)
        near = []
        for i in tree.query(window):
            if key in properties[i]:
                part = shapely.transform(shapes[i].intersection(window), lambda c: c * [scale, 1])
                if not part.is_empty:
                    near.append((part.distance(here) * METRES_PER_DEGREE, int(i)))
        if not near or min(near)[0] > metres:
            return None, None
        return properties[min(near)[1]], min(near)[0]

    def korean(self, lat, lon):
        """(chain of names, metres): nearest within 2 km."""
        found, distance = self.inside("korea.geojson", lat, lon), 0.0
        if not found:
            found, distance = self.nearest("korea.geojson", lat, lon, 2000, "code")
            if not found:
                return None, None
        chain, unit = [found["name"]], found["parent"]
        while unit != "KR":
            chain.insert(0, self.units[unit]["name"])
            unit = self.units[unit]["parent"]
        text = " ".join(chain) + (f" ({found['hangjeong']})" if "hangjeong" in found else "")
        return text, distance


def named_points(proof, places):
    for line in NAMED.splitlines():
        name, position, countries, more = line.split("|")
        lat, lon = map(float, position.split(","))
        zone = places.inside("zones.geojson", lat, lon)
        country = zone.get("country", "-")
        answer, holds = f"{country} {zone['tzid']}", country in countries.split(",")
        if "~" in more and "/" in more:  # past 12 nautical miles: the nearest coast's zone
            near, distance = places.nearest("zones.geojson", lat, lon, 25_000, "country")
            answer += f", {near and near['tzid']} at {distance or 0:.0f} m"
            holds = holds and bool(near) and near["tzid"] == more[1:]
        elif "/" in more:
            holds = holds and zone["tzid"] == more
        elif more:
            text, distance = places.korean(lat, lon)
            wanted = more.lstrip("~")
            answer += f", {text} at {distance or 0:.0f} m"
            holds = holds and wanted in (text or "") and (distance > 0) == more.startswith("~")
        if name in ("Kaesong", "Tsushima"):
            holds = holds and places.korean(lat, lon)[0] is None
        proof.check(holds, f"{name}: {answer}")


def plain(name):
    text = "".join(c for c in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(c))
    return re.sub(r"[^a-z]", "", re.sub(r"\b(prefecture|territory|state|to|fu|ken)\b", "", text.replace("-", " ")))


def offsets(zone, cache={}):
    if zone not in cache:
        try:
            info = zoneinfo.ZoneInfo(zone)
            moments = [datetime.datetime(y, m, 1, tzinfo=datetime.timezone.utc) for y in range(2005, 2025) for m in (1, 7)]
            cache[zone] = [t.astimezone(info).utcoffset() for t in moments]
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            cache[zone] = None
    return cache[zone]


def metres(point, polygon):
    (x, y), (near_x, near_y) = shapely.shortest_line(point, polygon).coords
    return math.hypot((x - near_x) * math.cos(math.radians(y)), y - near_y) * METRES_PER_DEGREE


class Towns:
    """What is said of all towns: by the polygons as they were, as they are, and by the program."""

    def __init__(self, files, layers, cache, program):
        self.rows = towns.all_towns(cache / "wheels")
        names = towns.first_level_names(cache / "debian/usr/share/libtimezonemap/ui")
        self.first_name = [plain(names.get(r[5], "")) for r in self.rows]
        self.points = shapely.points([(r[1], r[0]) for r in self.rows])
        zones = layers["zones"]["exact"]
        self.exact_zone = [zones[i][0] for i in owners_of(self.points, [g for _, g in zones])]
        zones = files["zones.geojson"]
        owners = owners_of(self.points, [shape(f["geometry"]) for f in zones])
        self.zone = [zones[i]["properties"] for i in owners]
        areas = layers["admin1"]["exact"]
        self.exact_first = self.first_levels([p for p, _ in areas], [g for _, g in areas])
        areas = files["admin1.geojson"]
        self.first = self.first_levels([f["properties"] for f in areas], [shape(f["geometry"]) for f in areas])
        if program:
            self.zone, self.first = self.ask(program)

    def first_levels(self, properties, shapes):
        """The names of the area of its country that holds each town of four countries, else is nearest."""
        result = [set()] * len(self.rows)
        for code in COUNTRIES:
            members = [i for i, p in enumerate(properties) if p["country"] == code]
            own = [k for k, r in enumerate(self.rows) if r[2] == code]
            owner = owners_of(self.points[own], [shapes[i] for i in members])
            tree = STRtree([shapes[i] for i in members])
            for k, o in zip(own, owner):
                if o < 0:
                    o = tree.nearest(self.points[k])
                    if metres(self.points[k], shapes[members[o]]) > 25_000:
                        continue
                p = properties[members[o]]
                result[k] = {plain(p["name"]), plain(p.get("name:en", ""))}
        return result

    def ask(self, program):
        lines = "".join(f"{r[0]},{r[1]}\n" for r in self.rows)
        with tempfile.TemporaryDirectory() as home:
            environment = os.environ | {"XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home}
            command = [program, "--locate", "-", "--json"]
            printed = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, env=environment).stdout
        answers = [json.loads(line) for line in printed.splitlines()]
        zone = [{"tzid": a.get("time_zone", ""), "country": a["places"][0]["code"] if a["places"] else None} for a in answers]
        first = [
            {plain(p["name"]), plain(p["names"].get("en", ""))} if (p := (a["places"][1:] or [None])[0]) else set()
            for a in answers
        ]
        return zone, first


COUNTRIES = {"US": 0.99, "CA": 0.99, "AU": 0.99, "JP": 0.97}


def agreement(proof, files, layers, cache, program, log):
    t = Towns(files, layers, cache, program)
    by = f"photoindexd {program}" if program else "the polygons"
    country, exact = [z.get("country") for z in t.zone], [z.get("country") for z in t.exact_zone]
    same = np.mean([a == b for a, b in zip(country, exact)])
    proof.check(same >= 0.9995, f"{len(t.rows)} GeoNames towns by {by}: country as before simplification {same:.5%}")
    same = np.mean([a["tzid"] == b["tzid"] for a, b in zip(t.zone, t.exact_zone)])
    proof.check(same >= 0.9995, f"zone as before simplification {same:.5%}")

    right, before = (np.array([c == r[2] for c, r in zip(x, t.rows)]) for x in (country, exact))
    proof.check(right.mean() >= 0.999, f"country as GeoNames has it {right.mean():.5%} (before simplification {before.mean():.5%})")
    listed(proof, "country", right, before, [(r[2], c) for r, c in zip(t.rows, country)], t.rows)

    wanted = [offsets(r[3]) for r in t.rows]
    right, before = (np.array([offsets(z["tzid"]) == w for z, w in zip(x, wanted)]) for x in (t.zone, t.exact_zone))
    name = np.mean([z["tzid"] == r[3] for z, r in zip(t.zone, t.rows)])
    proof.check(right.mean() >= 0.997, f"UTC offsets 2005 to 2024 equal {right.mean():.5%}; zone name equal {name:.5%}")
    listed(proof, "offset", right, before, [(r[3], z["tzid"]) for r, z in zip(t.rows, t.zone)], t.rows)

    for code, least in COUNTRIES.items():
        own = [k for k, r in enumerate(t.rows) if r[2] == code and t.first_name[k]]
        right, before = (np.array([t.first_name[k] in x[k] for k in own]) for x in (t.first, t.exact_first))
        proof.check(right.mean() >= least, f"first level of {code} as GeoNames has it {right.mean():.3%} of {len(own)} towns")
        kinds = [(t.first_name[k], " or ".join(sorted(t.first[k]))) for k in own]
        listed(proof, f"first level of {code}", right, before, kinds, [t.rows[k] for k in own])

    generator = np.random.default_rng(1)
    units = [g for _, g in layers["korea"]["exact"]]
    left, bottom, right_, top = shapely.total_bounds(units)
    points = shapely.points(generator.uniform([left, bottom], [right_, top], (400_000, 2)))
    a = owners_of(points, units)
    b = owners_of(points, [shape(f["geometry"]) for f in files["korea.geojson"]])
    on = a >= 0
    proof.check((a == b)[on].mean() >= 0.999, f"Korea: {int(on.sum())} random points, unit as before simplification {(a == b)[on].mean():.5%}")


def listed(proof, what, right, before, kinds, rows):
    """The wrong ones by kind, and that the source has them wrong as well."""
    wrong = collections.Counter(k for k, r in zip(kinds, right) if not r)
    print(f"      {sum(wrong.values())} wrong, GeoNames -> here:", ", ".join(f"{a}->{b} {n}" for (a, b), n in wrong.most_common()))
    ours = [(row[4], row[0], row[1], kind) for row, kind, r, b in zip(rows, kinds, right, before) if b and not r]
    proof.check(not ours, f"{what}: none wrong through simplification alone {ours[:20]}")


def run(folder, rebuilt, names, layers, cache, program, log):
    proof = Proof()
    files = form(proof, folder, rebuilt, names)
    relations(proof, files)
    named_points(proof, Places(files))
    agreement(proof, files, layers, cache, program, log)
    log(f"{len(proof.failed)} wrong" if proof.failed else "all proved")
    return 1 if proof.failed else 0
