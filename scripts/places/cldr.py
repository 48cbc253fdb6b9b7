"""Names from the Unicode CLDR: territories and subdivisions."""

import xml.etree.ElementTree as ET


def subdivisions(root):
    """language -> {ISO 3166-2 code: name}; deprecated and non-ISO codes come along, harmless."""
    result = {}
    for path in sorted((root / "common/subdivisions").glob("*.xml")):
        names = {}
        for node in ET.parse(path).iter("subdivision"):
            code = node.get("type", "").upper()
            if node.text and node.text != "↑↑↑" and node.get("alt") is None:
                names[code[:2] + "-" + code[2:]] = node.text
        result[path.stem] = names
    return result


def territories(root, language):
    """{alpha-2: short name} of one language, with what it inherits from its parent."""
    names = {}
    stems = [language.split("_")[0], language] if "_" in language else [language]
    if language == "zh_Hant":
        stems = [language]
    for stem in stems:
        path = root / "common/main" / f"{stem}.xml"
        for node in ET.parse(path).iterfind(".//territories/territory"):
            code = node.get("type")
            if len(code) == 2 and node.text and node.text != "↑↑↑":
                if node.get("alt") is None:
                    names[code] = node.text
                elif node.get("alt") == "short" and code in ("HK", "MO", "PS"):
                    names[code + "/short"] = node.text
    return {c: names.get(c + "/short", n) for c, n in names.items() if "/" not in c}
