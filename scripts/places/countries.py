"""The countries' rows of units.geojson: codes and short everyday names in 26 languages."""

import overrides
from cldr import territories
from geometry import inner_point, polygonal
import shapely

# Natural Earth's languages; CLDR's file name -> BCP 47 tag in the property name.
LANGUAGES = {
    "ar": "ar", "bn": "bn", "de": "de", "el": "el", "en": "en", "es": "es", "fa": "fa", "fr": "fr",
    "he": "he", "hi": "hi", "hu": "hu", "id": "id", "it": "it", "ja": "ja", "ko": "ko", "nl": "nl",
    "pl": "pl", "pt": "pt", "ru": "ru", "sv": "sv", "tr": "tr", "uk": "uk", "ur": "ur", "vi": "vi",
    "zh": "zh", "zh_Hant": "zh-Hant",
}  # fmt: skip
NE_FIELDS = {"zh_Hant": "NAME_ZHT"}


def build(cldr_root, zones, admin1, ne_records, log):
    """Rows for every country that the zones or the first level name."""
    names = {file: territories(cldr_root, file) for file in LANGUAGES}
    shapes = {}
    for properties, geometry in zones:
        if "country" in properties:
            shapes.setdefault(properties["country"], []).append(geometry)
    land = {}
    for properties, geometry in admin1:
        land.setdefault(properties["country"], []).append(geometry)
    rows = []
    for code in sorted(shapes):
        row = {"level": "country", "code": code}
        texts = {}
        for file, tag in LANGUAGES.items():
            text = overrides.COUNTRY_NAMES.get(code, {}).get(tag) or names[file].get(code)
            if not text and code in ne_records:
                text = ne_records[code][NE_FIELDS.get(file, "NAME_" + file.upper())]
                log(f"name of {code} in {tag} from Natural Earth: {text}")
            if text:
                texts[tag] = text
            else:
                log(f"no name of {code} in {tag}")
        row["name"] = texts[overrides.COUNTRY_LANGUAGE.get(code, "en")]
        for tag in sorted(texts):
            row["name:" + tag] = texts[tag]
        area = land.get(code) or shapes[code]
        largest = max(area, key=lambda g: g.area) if code not in land else shapely.union_all(area)
        row["point"] = inner_point(polygonal(largest), 3)
        rows.append(row)
    unknown = set(land) - set(shapes)
    if unknown:
        raise ValueError(f"first level of countries that no zone names: {sorted(unknown)}")
    return rows
