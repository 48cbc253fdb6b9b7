"""Revised Romanization of Korean (2000) for names of places.

Sound changes between syllables as the standard has them for nouns: liaison, nasalisation,
lateralisation; tensed consonants are not written, and an h after a stop stays (Mukho).
Suffixes of units stand behind a hyphen that no sound change crosses.
"""

import re

INITIAL = "g kk n d tt r m b pp s ss - j jj ch k t p h".split()
VOWEL = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split()
FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
# Final consonant alone, and what moves over when a vowel follows: (stays, moves).
STOP = dict(zip(FINALS, ["", *"k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split()]))
MOVES = {
    "ㄱ": ("", "g"), "ㄲ": ("", "kk"), "ㄳ": ("k", "s"), "ㄴ": ("", "n"), "ㄵ": ("n", "j"), "ㄶ": ("", "n"),
    "ㄷ": ("", "d"), "ㄹ": ("", "r"), "ㄺ": ("l", "g"), "ㄻ": ("l", "m"), "ㄼ": ("l", "b"), "ㄽ": ("l", "s"),
    "ㄾ": ("l", "t"), "ㄿ": ("l", "p"), "ㅀ": ("", "r"), "ㅁ": ("", "m"), "ㅂ": ("", "b"), "ㅄ": ("p", "s"),
    "ㅅ": ("", "s"), "ㅆ": ("", "ss"), "ㅇ": ("ng", ""), "ㅈ": ("", "j"), "ㅊ": ("", "ch"), "ㅋ": ("", "k"),
    "ㅌ": ("", "t"), "ㅍ": ("", "p"), "ㅎ": ("", ""),
}  # fmt: skip
NASAL = {"k": "ng", "t": "n", "p": "m"}


def syllables(text):
    for c in text:
        n = ord(c) - 0xAC00
        if not 0 <= n < 11172:
            raise ValueError(f"not Hangul: {text}")
        yield INITIAL[n // 588], VOWEL[n // 28 % 21], FINALS[n % 28]


def stem(text):
    """One word without suffix, lower case."""
    units = [list(u) for u in syllables(text)]
    out = ""
    for i, (initial, vowel, final) in enumerate(units):
        if initial != "-":
            out += initial
        out += vowel
        if final == " ":
            continue
        last = STOP[final]
        if i + 1 == len(units):
            return out + last
        following = units[i + 1]
        head = following[0]
        if head == "-":
            stays, moves = MOVES[final]
            out += stays
            following[0] = moves or "-"
            if final == "ㄹ" and stays == "":
                following[0] = "r"
        elif head in ("n", "m") and last in NASAL:
            out += NASAL[last]
        elif head == "n" and last == "l":
            out += "l"
            following[0] = "l"
        elif head == "r":
            if last in NASAL:
                out += NASAL[last]
                following[0] = "n"
            elif last in ("m", "ng"):
                out += last
                following[0] = "n"
            elif last == "n" and text[i + 1] == "로" and i + 2 == len(units):
                out += "n"  # a road's name is a compound: 신문로 Sinmunno
                following[0] = "n"
            else:
                out += "l"
                following[0] = "l"
        elif head == "h" and final == "ㅎ":
            out += last
        else:
            out += last
    return out


SUFFIXES = {
    "특별자치도": "do", "특별자치시": "si", "광역시": "si", "특별시": "si",
    "도": "do", "시": "si", "군": "gun", "구": "gu", "읍": "eup", "면": "myeon", "동": "dong", "리": "ri",
}  # fmt: skip


def place(name):
    """동소문동2가 -> Dongsomun-dong 2-ga; 성북구 -> Seongbuk-gu; 종로1가 -> Jongno 1-ga."""
    match = re.fullmatch(r"(\D+?)(\d+)(가|동|가동)", name)
    if match:
        base, number, kind = match.groups()
        tail = {"가": f"{number}-ga", "동": f"{number}-dong", "가동": f"{number}-ga-dong"}[kind]
        if base[-1] in SUFFIXES and len(base) > 2:
            return f"{place(base)} {tail}"
        return f"{stem(base).capitalize()} {tail}"
    for suffix, latin in SUFFIXES.items():
        if name.endswith(suffix) and len(name) > len(suffix):
            return f"{stem(name[: -len(suffix)]).capitalize()}-{latin}"
    return stem(name).capitalize()
