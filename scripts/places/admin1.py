"""admin1.geojson: first-level areas of the world, without Korea and Antarctica."""

import difflib
import json
import re
import unicodedata

import shapely
from shapely import STRtree
from shapely.geometry import shape

import overrides
from geometry import (
    drop_specks, feature, geojson_geometry, in_detail, inner_point, joined, partition, polygonal,
    simplify,
)  # fmt: skip

DECIMALS = 3
TOLERANCE = 0.017
GENERIC = re.compile(
    r"\b(province|prefecture|state|region|county|district|oblast|krai|kray|governorate|department"
    r"|municipality|of|the|de|del|la|el|al|ad|ar|as|ash|at|az|an|provincia|departamento|city|sheng"
    r"|voivodeship|wojewodztwo|canton|republic|parish|division|federal|capital|territory|autonomous"
    r"|area|island|islands|is|emirate|borough|metropolitan|royal|council|london|kraj|ken|fu|to|do"
    r"|province de|regiao|distrito|cercado|saint|st|judet|judetul|muhafazat|lan|metropole|dhe|and"
    r"|rayon|raion|novads|pagasts|opstina|obcina|okrug|oblysy|viloyati|veloyati)\b"
)
PLAIN = str.maketrans({"ı": "i", "ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "ə": "e", "ð": "d", "þ": "th"})


def keys_of(name):
    """Spellings under which a name is looked up, strictest first."""
    text = unicodedata.normalize("NFKD", (name or "").lower().translate(PLAIN))
    text = "".join(c for c in text if not unicodedata.combining(c))
    strict = re.sub(r"[^a-z0-9]", "", text)
    loose = re.sub(r"[^a-z0-9]", "", GENERIC.sub(" ", re.sub(r"[-'’`/(),.]", " ", text)))
    return strict, loose or strict


class Codes:
    """ISO 3166-2 codes by country and name."""

    def __init__(self, iso_3166_2, subdivisions):
        self.known = {e["code"] for e in iso_3166_2}
        self.names = {}
        self.types = {e["code"]: e["type"] for e in iso_3166_2}
        self.parents = {e.get("parent") for e in iso_3166_2}
        self.index = [{}, {}]
        for entry in iso_3166_2:
            for name in re.split(r"[\[\]/]", entry["name"]):
                self._add(entry["code"], name.strip())
        for language in sorted(subdivisions):
            for code, name in subdivisions[language].items():
                if code in self.known:
                    self._add(code, name)

    def _add(self, code, name):
        if not name:
            return
        self.names.setdefault(code, set()).update(k for k in keys_of(name) if k)
        for level, key in enumerate(keys_of(name)):
            if key:
                self.index[level].setdefault((code[:2], key), set()).add(code)

    def find(self, countries, name, hasc):
        """One code, or None where the name is unknown or stays ambiguous."""
        guess = hasc.replace(".", "-") if hasc and "~" not in hasc else None
        for country in countries:
            for level, key in enumerate(keys_of(name)):
                found = self.index[level].get((country, key), set())
                if len(found) > 1:  # the leaf of the two, else the one that HASC names
                    found = {c for c in found if c not in self.parents} or found
                    if guess in found:
                        found = {guess}
                if len(found) == 1:
                    return next(iter(found))
        return None


    def resembling(self, country, name, taken):
        """The one free code whose name is nearly the same (Trengganu, Terengganu), or None."""
        if country in overrides.ADMIN1_NOT_LIKE:
            return None
        _, key = keys_of(name)
        ratios = []
        for code in sorted(self.known - taken):
            if code[:2] == country and code not in overrides.ADMIN1_NOT_LIKE:
                spellings = sorted(self.names.get(code, ()))
                ratio = max((difflib.SequenceMatcher(None, key, s).ratio() for s in spellings), default=0)
                ratios.append((ratio, code))
        ratios = sorted(ratios, reverse=True)[:2] + [(0, None)]
        if 0.82 <= ratios[0][0] < 1 and ratios[0][0] - ratios[1][0] > 0.08:
            return ratios[0][1]
        return None


def source_areas(folder):
    areas = []
    for path in sorted(folder.glob("admin1-*.json")):
        for item in json.loads(path.read_text("utf-8"))["features"]:
            p = item["properties"]
            if p["adm0_a3"] in ("KOR", "ATA") or not p["name"]:
                continue
            areas.append((p, polygonal(shape(item["geometry"]))))
    areas.sort(key=lambda a: a[0]["_id"])
    return areas


def countries_of(geometries, stated, zones):
    """The source's country where the zones give it a share (all of a speck's, a tenth of a
    larger area's, since coarse borders blur), else the one with the largest share."""
    shapes = [g for p, g in zones if "country" in p]
    codes = [p["country"] for p, g in zones if "country" in p]
    for g in shapes:
        shapely.prepare(g)
    tree = STRtree(shapes)
    result = []
    for g, own in zip(geometries, stated):
        share = {}
        hits = sorted(tree.query(g, predicate="intersects"))
        if len({codes[i] for i in hits}) == 1:
            result.append(codes[hits[0]])
            continue
        for i in hits:
            share[codes[i]] = share.get(codes[i], 0.0) + shapes[i].intersection(g).area
        if share.get(own, 0) > (0.1 * g.area if g.area > 0.001 else 0):
            result.append(own)
        else:
            result.append(max(sorted(share), key=share.get) if share else None)
    return result


def assign_once(rows, codes):
    """A code that several areas claim stays with the one exact spelling, else with none."""
    claims = {}
    for row in rows:
        claims.setdefault(row[4], []).append(row)
    for code, same in claims.items():
        if code and len(same) > 1:  # two areas, one name: the code stays with the exact spelling
            exactly = [r for r in same if r[0]["_id"] in overrides.ADMIN1_CODES]
            exactly = exactly or [r for r in same if keys_of(r[0]["name"])[0] in codes.names[code]]
            keep = exactly[0] if len(exactly) == 1 else None
            for row in same:
                if row is not keep:
                    row[4] = None


def build(folder, iso_3166_2, subdivisions, zones, log):
    codes = Codes(iso_3166_2, subdivisions)
    areas = source_areas(folder)
    exact = partition([g for _, g in areas], 1e-6, 300, log=log)
    coarse = simplify(exact, TOLERANCE)
    coarse = [drop_specks(g, 1e-5) for g in coarse]
    detail = in_detail(exact, overrides.ADMIN1_DETAIL)
    order = [i for i, _ in detail] + list(range(len(coarse)))
    parts = partition([g for _, g in detail] + coarse, 10**-DECIMALS, 100, log=log)
    final = joined(order, parts, len(coarse))
    kept = [(p, a, b) for (p, _), a, b in zip(areas, exact, final) if not b.is_empty]
    log(f"{len(areas)} areas, {len(areas) - len(kept)} too small for the grid")
    country = countries_of([b for _, _, b in kept], [p["iso_a2"] for p, _, _ in kept], zones)
    layers = {"exact": [], "final": []}
    rows = []
    for (p, a, b), c in zip(kept, country):
        if c is None or c in overrides.ADMIN1_LEFT_OUT:
            continue
        iso = codes.find([c] + ([p["iso_a2"]] if p["iso_a2"] not in (None, c) else []), p["name"], p["hasc"])
        iso = overrides.ADMIN1_CODES.get(p["_id"], iso)
        rows.append([p, a, b, c, iso])
    assign_once(rows, codes)
    taken = {row[4] for row in rows if row[4]}
    guesses = {}
    for row in rows:
        if row[4] is None:
            guess = codes.resembling(row[3], row[0]["name"], taken)
            guesses.setdefault(guess, []).append(row)
    for guess, same in guesses.items():
        if guess and len(same) == 1:
            same[0][4] = guess
    log(f"{sum(row[4] is not None for row in rows)} of {len(rows)} areas have an ISO 3166-2 code")
    for p, a, b, c, iso in rows:
        name = p["name"].strip()
        mended = iso and (p["_id"] in overrides.ADMIN1_CODES or iso in guesses or "?" in name)
        if mended:  # misspelt or outdated: the name that goes with the code
            name = overrides.ADMIN1_NAMES.get(iso, {}).get("en") or subdivisions["en"].get(iso, name)
        properties = {"country": c, "code": iso or p["_id"], "name": name}
        for language in ("en", "ko", "ja"):
            text = subdivisions[language].get(iso) if iso else None
            text = overrides.ADMIN1_NAMES.get(iso, {}).get(language, text)
            if language == "en":
                text = text or name
            if text:
                properties["name:" + language] = text
        properties["point"] = inner_point(b, DECIMALS)
        layers["exact"].append((properties, a))
        layers["final"].append((properties, b))
    for layer in layers.values():
        layer.sort(key=lambda f: (f[0]["country"], f[0]["code"]))
    return layers


def features(layer):
    return [feature(p, geojson_geometry(g, DECIMALS)) for p, g in layer]
