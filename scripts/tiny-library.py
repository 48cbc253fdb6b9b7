#!/usr/bin/env python3
"""Make N tiny photos, of some 600 bytes each, as fast as the file system takes them.

usage: tiny-library.py DIR N [--per-dir 500] [--seed 1]

Each is a valid JPEG of its own, with a camera, a date and a position, in a tree of folders; with
--per-dir 0 all are in DIR itself. The same arguments make the same library.
"""
import argparse
import importlib.machinery
import importlib.util
import multiprocessing
import os
import random
import time

here = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("bench_library", os.path.join(here, "bench-library.py"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(bench)

DATE = "2024:05:01 13:45:10"


def template(make, model):
    """A photo's bytes but for its picture, and where its date and its position stand."""
    image_entries = [(0x010F, *bench.ascii(make)), (0x0110, *bench.ascii(model))]
    exif_entries = [(0x9003, *bench.ascii(DATE)), (0x9011, *bench.ascii("+09:00"))]
    gps_entries = [
        (1, *bench.ascii("N")), (2, *bench.degrees(37.5)), (3, *bench.ascii("E")), (4, *bench.degrees(127)),
    ]  # fmt: skip

    def build(exif_at, gps_at):
        pointers = [(0x8769, *bench.long(exif_at)), (0x8825, *bench.long(gps_at))]
        return [bench.ifd(image_entries + pointers, 8), bench.ifd(exif_entries, exif_at),
                bench.ifd(gps_entries, gps_at)]  # fmt: skip

    image, exif, _ = build(0, 0)
    parts = build(8 + len(image), 8 + len(image) + len(exif))
    head = b"\xff\xd8" + bench.segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0" + b"".join(parts))
    seconds = [head.index(bench.degrees(degrees)[2]) + 16 for degrees in (37.5, 127)]
    return head, head.index(DATE.encode()), seconds


def write(directory, first, end, per_dir, seed):
    rng = random.Random(seed * 1_000_003 + first)
    picture = bench.picture(rng, 40)
    templates = [template(*camera) for camera in bench.CAMERAS]
    folder = directory
    for number in range(first, end):
        if per_dir and (number == first or number % per_dir == 0):
            batch = number // per_dir
            folder = os.path.join(directory, "%04d" % (batch // 125), "%06d" % batch)
            os.makedirs(folder, exist_ok=True)
        head, date_at, seconds_at = rng.choice(templates)
        photo = bytearray(head)
        taken = time.gmtime(rng.randrange(bench.FIRST_SECOND, bench.LAST_SECOND))
        photo[date_at : date_at + 19] = time.strftime("%Y:%m:%d %H:%M:%S", taken).encode()
        for at in seconds_at:
            photo[at : at + 4] = rng.randrange(6000).to_bytes(4, "little")
        photo += bench.segment(0xDB, b"\0" + bytes(value or 1 for value in rng.randbytes(64))) + picture
        # Not open(): half of the time would be its own.
        file = os.open(os.path.join(folder, "IMG_%07d.JPG" % number), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(file, photo)
        os.close(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("count", type=int)
    parser.add_argument("--per-dir", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.makedirs(arguments.dir, exist_ok=True)
    share = 20_000
    shares = [
        (arguments.dir, first, min(first + share, arguments.count), arguments.per_dir, arguments.seed)
        for first in range(0, arguments.count, share)
    ]
    with multiprocessing.Pool() as pool:
        pool.starmap(write, shares, chunksize=1)


if __name__ == "__main__":
    main()
