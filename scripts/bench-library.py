#!/usr/bin/env python3
"""Make a synthetic photo library: N JPEG files with EXIF as phones write it, in a tree of folders.

usage: bench-library.py DIR N [--per-dir 500] [--body BYTES] [--tiny] [--seed 1]
                        [--no-gps-share 0.2] [--no-exif-share 0.03]

Each file is a valid picture of its own. Its EXIF has IFD0, the Exif IFD with a maker note, the
GPS IFD and a thumbnail of 8 KB. A tiny one has no maker note, no thumbnail and one block of picture,
1 KB in all. The same arguments make the same library. Needs only Python 3.9.
"""
import argparse
import multiprocessing
import os
import random
import struct
import sys
import time

# Make, model, lens and focal length in millimetres.
CAMERAS = [
    ("Apple", "iPhone 15 Pro", "iPhone 15 Pro back triple camera 6.765mm f/1.78", 7),
    ("Apple", "iPhone 8", "iPhone 8 back camera 3.99mm f/1.8", 4), ("samsung", "SM-S918N", "", 6),
    ("samsung", "SM-G973N", "", 4), ("SONY", "ILCE-7M4", "FE 24-70mm F2.8 GM II", 50),
    ("Canon", "Canon EOS R6m2", "RF85mm F2 MACRO IS STM", 85),
    ("NIKON CORPORATION", "NIKON Z 6_2", "NIKKOR Z 50mm f/1.8 S", 50),
    ("FUJIFILM", "X-T5", "XF23mmF2 R WR", 23), ("Google", "Pixel 8", "Pixel 8 back camera 6.9mm f/1.68", 7),
    ("Panasonic", "DC-S5M2", "LUMIX S 20-60/F3.5-5.6", 35),
    ("RICOH IMAGING COMPANY, LTD.", "RICOH GR III", "", 18),
]  # fmt: skip
# Latitude, longitude, and how far around, in degrees.
CITIES = [
    (37.5665, 126.978, .15), (35.1796, 129.0756, .1), (33.4996, 126.5312, .2), (37.4563, 126.7052, .1),
    (35.8714, 128.6014, .1), (35.6762, 139.6503, .2), (48.8566, 2.3522, .1), (40.7128, -74.006, .1),
    (51.5074, -.1278, .2), (-33.8688, 151.2093, .2), (1.3521, 103.8198, .05), (13.7563, 100.5018, .1),
    (25.033, 121.5654, .1), (19.4326, -99.1332, .1), (-22.9068, -43.1729, .1), (64.1466, -21.9426, .1),
]  # fmt: skip

FIRST_SECOND, LAST_SECOND = 1262304000, 1790000000  # of 2010 to 2026
BASES = 8
# All that is made of pictures before any is written; more of them take as long as the library itself.
BASE_BYTES = 3_000_000
# Tiny photos share so many EXIF blocks but for the date: for a million, making each anew takes minutes.
TINY_BLOCKS = 4000
# The date of those blocks, as long as any.
NO_DATE = "2000:01:01 00:00:00"


def ifd(entries, offset, following=0):
    """The bytes of an IFD at `offset` of the TIFF; entries are (tag, type, count, bytes)."""
    head = struct.pack("<H", len(entries))
    data_offset = offset + 2 + 12 * len(entries) + 4
    data = b""
    for tag, kind, count, value in sorted(entries):
        if len(value) <= 4:
            head += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
        else:
            data += bytes(len(data) & 1)
            head += struct.pack("<HHII", tag, kind, count, data_offset + len(data))
            data += value
    whole = head + struct.pack("<I", following) + data
    return whole + bytes(len(whole) & 1)


def ascii(text):
    return 2, len(text) + 1, text.encode() + b"\0"


def short(*values):
    return 3, len(values), struct.pack("<%dH" % len(values), *values)


def long(*values):
    return 4, len(values), struct.pack("<%dI" % len(values), *values)


def rational(*values):
    return 5, len(values) // 2, struct.pack("<%dI" % len(values), *values)


def undefined(value):
    return 7, len(value), value


def degrees(value):
    hundredths = round(abs(value) * 360000)
    return rational(hundredths // 360000, 1, hundredths // 6000 % 60, 1, hundredths % 6000, 100)


def gps_entries(rng, date):
    latitude, longitude, around = rng.choice(CITIES)
    latitude += rng.uniform(-around, around)
    longitude += rng.uniform(-around, around)
    return [
        (0, 1, 4, b"\2\3\0\0"), (1, *ascii("N" if latitude >= 0 else "S")), (2, *degrees(latitude)),
        (3, *ascii("E" if longitude >= 0 else "W")), (4, *degrees(longitude)), (5, 1, 1, b"\0"),
        (6, *rational(rng.randrange(90000), 100)), (7, *rational(3, 1, 4, 1, 5, 1)), (0x1D, *ascii(date)),
    ]  # fmt: skip


def random_date(rng):
    return time.strftime("%Y:%m:%d %H:%M:%S", time.gmtime(rng.randrange(FIRST_SECOND, LAST_SECOND)))


def exif_segment(rng, with_gps, taken, is_tiny=False):
    make, model, lens, focal = rng.choice(CAMERAS)
    thumbnail = b"" if is_tiny else b"\xff\xd8" + bytes(8000) + b"\xff\xd9"
    exif = [
        (0x829A, *rational(1, rng.randrange(10, 2000))), (0x829D, *rational(18, 10)), (0x8822, *short(2)),
        (0x8827, *short(100)), (0x9000, *undefined(b"0232")), (0x9003, *ascii(taken)),
        (0x9004, *ascii(taken)), (0x9010, *ascii("+09:00")), (0x9011, *ascii("+09:00")),
        (0x9101, *undefined(b"\1\2\3\0")), (0x9201, 10, 1, struct.pack("<ii", 70, 10)),
        (0x9202, *rational(169, 100)), (0x9207, *short(5)), (0x9209, *short(16)),
        (0x920A, *rational(focal * 10, 10)), (0x9291, *ascii("%03d" % rng.randrange(1000))),
        (0xA001, *short(1)), (0xA002, *long(4032)), (0xA003, *long(3024)), (0xA402, *short(0)),
        (0xA403, *short(0)), (0xA405, *short(26)), (0xA406, *short(0)),
    ]  # fmt: skip
    exif += [(0xA434, *ascii(lens))] if lens else []
    exif += [] if is_tiny else [(0x927C, *undefined(b"Apple iOS\0\0\1MM" + rng.randbytes(2000)))]
    gps = gps_entries(rng, taken[:10]) if with_gps else []
    image = [
        (0x010F, *ascii(make)), (0x0110, *ascii(model)), (0x0112, *short(1)), (0x011A, *rational(72, 1)),
        (0x011B, *rational(72, 1)), (0x0128, *short(2)), (0x0131, *ascii("17.4.1")),
        (0x0132, *ascii(taken)), (0x0213, *short(1)),
    ]  # fmt: skip

    def build(exif_at, gps_at, second_at, thumbnail_at):
        pointers = [(0x8769, *long(exif_at))] + ([(0x8825, *long(gps_at))] if gps else [])
        return [
            ifd(image + pointers, 8, second_at if thumbnail else 0),
            ifd(exif, exif_at),
            ifd(gps, gps_at) if gps else b"",
            ifd([(0x0103, *short(6)), (0x0201, *long(thumbnail_at)),
                 (0x0202, *long(len(thumbnail)))], second_at) if thumbnail else b"",
        ]  # fmt: skip

    offsets = [8]
    for part in build(0, 0, 0, 0):
        offsets.append(offsets[-1] + len(part))
    parts = build(*offsets[1:])
    return segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0" + b"".join(parts) + thumbnail)


def segment(marker, payload):
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def picture(rng, size):
    """A grey baseline JPEG from its frame on, about `size` bytes, as (pixels a side, bytes).

    The codes: 0 is no difference to the block before, 10 and a bit one step up or down; 0 ends a
    block. So a block has two or four bits, three on average.
    """
    side = max(1, int((size * 8 / 3) ** 0.5))
    steps = {"same": "00", "down": "1000", "up": "1010"}
    bits = "".join(rng.choices([steps["same"], steps["down"], steps["up"]], [2, 1, 1], k=side * side))
    bits += "1" * (-len(bits) % 8)
    coded = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    frame = segment(0xC0, struct.pack(">BHHBBBB", 8, side * 8, side * 8, 1, 1, 0x11, 0))
    direct = segment(0xC4, b"\0" + bytes([1, 1] + [0] * 14) + b"\0\1")
    alternating = segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0")
    scan = segment(0xDA, b"\1\1\0\0\x3f\0")
    return frame + direct + alternating + scan + coded + b"\xff\xd9"


class Library:
    """What a process needs to write any directory of the library."""

    def __init__(self, arguments):
        self.arguments = arguments
        rng = random.Random(arguments.seed)
        bases = 1 if arguments.tiny else max(1, min(BASES, BASE_BYTES // arguments.body))
        self.pictures = [picture(rng, arguments.body) for _ in range(bases)]
        self.blocks = {with_gps: [exif_segment(rng, with_gps, NO_DATE, True) for _ in range(TINY_BLOCKS)]
                       for with_gps in (True, False)} if arguments.tiny else {}  # fmt: skip

    def exif(self, rng, with_gps):
        date = random_date(rng)
        if not self.blocks:
            return exif_segment(rng, with_gps, date)
        block = rng.choice(self.blocks[with_gps]).replace(NO_DATE.encode(), date.encode())
        return block.replace(NO_DATE[:10].encode(), date[:10].encode())

    def write(self, batches):
        for batch in batches:
            self.write_directory(batch)

    def write_directory(self, batch):
        """Writes the directory of a number; which process does so makes no difference."""
        arguments = self.arguments
        rng = random.Random(f"{arguments.seed} {batch}")
        folder = os.path.join(
            arguments.dir, "%04d" % (2010 + batch % 16), "%02d-%04d" % (batch % 12 + 1, batch))  # fmt: skip
        os.makedirs(folder, exist_ok=True)
        first = batch * arguments.per_dir
        for number in range(first, min(first + arguments.per_dir, arguments.count)):
            with_exif = rng.random() >= arguments.no_exif_share
            with_gps = rng.random() >= arguments.no_gps_share
            # Another quantisation table is another picture. Its numbers are not 0.
            table = segment(0xDB, b"\0" + rng.randbytes(64).replace(b"\0", b"\1"))
            exif = self.exif(rng, with_gps) if with_exif else b""
            with open(f"{folder}/IMG_{number:06}.JPG", "wb", buffering=0) as file:
                file.write(b"\xff\xd8" + exif + table + rng.choice(self.pictures))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("count", type=int)
    parser.add_argument("--per-dir", type=int, default=500)
    parser.add_argument("--body", type=int)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-gps-share", type=float, default=0.2)
    parser.add_argument("--no-exif-share", type=float, default=0.03)
    arguments = parser.parse_args()
    arguments.body = arguments.body or (1 if arguments.tiny else 24000)
    library = Library(arguments)
    batches = range(-(-arguments.count // arguments.per_dir))
    # Forks have the library already.
    fork = multiprocessing.get_context("fork")
    shares = [batches[first :: os.cpu_count()] for first in range(os.cpu_count())]
    workers = [fork.Process(target=library.write, args=[share]) for share in shares]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        sys.exit("bench-library.py: not all of the library could be written")


if __name__ == "__main__":
    main()
