"""The service: how soon it is ready, what it needs at rest, and how soon a row follows a photo."""
import contextlib
import os
import socket
import statistics
import subprocess
import time

from speed.runs import family, memory, read

# How long the service waits after a file was closed.
QUIET = 0.2
# How long it must have used no processor time to be taken for idle, in seconds.
CALM = 3


def start(runs, table, library, count):
    """With an index that is complete."""
    address = str(runs.work / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(address)
        told.settimeout(120)
        begin = time.perf_counter()
        with serving(runs, library, NOTIFY_SOCKET=address) as service:
            while b"READY=1" not in told.recv(4096):
                pass
            seconds = time.perf_counter() - begin
            await_rest(service.pid)
            rows = f"{count:,} rows"
            table.limit(f"start to READY, {rows}", seconds, "s", 0.3)
            resident, anonymous = (memory(service.pid, kind) for kind in ("Rss", "Anonymous"))
            decoders = sum(memory(member, "Pss") for member in list(family(service.pid))[1:])
            print(f"idle, {rows}: {resident:.1f} MB resident, {anonymous:.1f} MB of them its own and"
                  f" {resident - anonymous:.1f} MB pages of files; decoders {decoders:.1f} MB\n", flush=True)  # fmt: skip
            table.limit(f"idle memory, {rows}", resident, "MB", 40)
    os.unlink(address)


def events(runs, table, count):
    """From the end of the wait that follows a close to the row, with the service at rest."""
    library = runs.library(1000)
    source = next(iter(sorted(library.glob("*/*/*.JPG")))).read_bytes()
    names = [f"event-{number}.jpg" for number in range(count)]
    runs.first_index(library)
    with serving(runs, library) as service:
        await_rest(service.pid)
        index = runs.open_index()
        delays = [delay(index, library / name, source) for name in names]
        index.close()
    for name in names:
        (library / name).unlink()
    median, worst = statistics.median(delays), max(delays)
    what = f"close to row, beyond the wait of {QUIET} s"
    table.limit(f"{what}: median of {count}", median, "s", 0.05)
    table.limit(f"{what}: worst of {count}", worst, "s", 0.3)
    runs.drop(library)


def delay(index, path, content):
    """How long after the wait the row of a new photo is there."""
    time.sleep(0.3)
    path.write_bytes(content)
    start = time.perf_counter()
    while not index.execute("SELECT 1 FROM photo WHERE path = ?", [path.name]).fetchall():
        time.sleep(0.001)
    return time.perf_counter() - start - QUIET


@contextlib.contextmanager
def serving(runs, library, **environment):
    service = subprocess.Popen([runs.program, library], stderr=subprocess.DEVNULL,
                               env=runs.environment(XDG_RUNTIME_DIR=runs.work, **environment))  # fmt: skip
    try:
        yield service
    finally:
        service.terminate()
        service.wait()


def await_rest(process):
    """Until a process has used no processor time for some seconds."""
    ticks, calm = None, 0
    while calm < CALM:
        time.sleep(1)
        fields = read(f"/proc/{process}/stat").rsplit(") ", 1)[1].split()
        now = int(fields[11]) + int(fields[12])
        calm = calm + 1 if now == ticks else 0
        ticks = now
