"""docs/scale.svg: what scripts/bench --full found for libraries of several sizes."""
import math

WIDTH, HEIGHT = 780, 340
LEFT, RIGHT, TOP, BOTTOM, GAP = 56, 20, 84, 50, 72
PANEL = (WIDTH - LEFT - RIGHT - GAP) / 2
FIRST, RESCAN, FAINT, GRID, TEXT = "#1b6ca8", "#c8553d", "#999999", "#dddddd", "#333333"


class Panel:
    """One of the two diagrams side by side; photos are on a logarithmic axis."""

    def __init__(self, left, counts, scale):
        self.left = left
        self.counts = counts
        self.scale = scale

    def x(self, count):
        first, last = math.log10(self.counts[0]), math.log10(self.counts[-1])
        return self.left + (math.log10(count) - first) / (last - first) * PANEL

    def y(self, value):
        return HEIGHT - BOTTOM - self.scale.share(value) * (HEIGHT - TOP - BOTTOM)

    def frame(self, title):
        yield text(self.left - 36, 22, title, "start", size=14)
        for tick in self.scale.ticks():
            yield line([(self.left, self.y(tick)), (self.left + PANEL, self.y(tick))], GRID)
            yield text(self.left - 8, self.y(tick) + 4, f"{tick:g}", "end")
        for count in self.counts:
            yield text(self.x(count), HEIGHT - BOTTOM + 18, short(count))
        yield text(self.left + PANEL / 2, HEIGHT - 12, "photos")

    def legend(self, names):
        x = self.left - 36
        for name, colour, dashes in names:
            yield line([(x, 44), (x + 18, 44)], colour, dashes)
            yield text(x + 23, 48, name, "start")
            x += 36 + 6.5 * len(name)

    def curve(self, values, colour, below):
        points = [(self.x(count), self.y(value)) for count, value in zip(self.counts, values)]
        yield line(points, colour)
        for (x, y), value in zip(points, values):
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
            yield text(x, y + (18 if below else -9), f"{value:.0f}" if value >= 10 else f"{value:.2g}", fill=colour)

    def straight(self, first, last):
        """A line from the smallest library to the largest, to compare the others with."""
        ends = zip((self.counts[0], self.counts[-1]), (first, last))
        yield line([(self.x(count), self.y(value)) for count, value in ends], FAINT, "3 4")


class Logarithmic:
    """An axis from one power of ten to another."""

    def __init__(self, values):
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def share(self, value):
        return (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self):
        return [10**power for power in range(self.low, self.high + 1)]


class Linear:
    """An axis from zero on, by fifties."""

    def __init__(self, values):
        self.high = 50 * math.ceil(max(values) / 50)

    def share(self, value):
        return value / self.high

    def ticks(self):
        return range(0, self.high + 1, 50)


def short(count):
    return f"{count // 1_000_000} M" if count >= 1_000_000 else f"{count // 1000} k"


def text(x, y, words, anchor="middle", fill=TEXT, size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">{words}</text>'


def line(points, colour, dashes=""):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'


def times(figures):
    counts = [figure.count for figure in figures]
    first = [figure.first.seconds for figure in figures]
    rescan = [figure.rescan.seconds for figure in figures]
    panel = Panel(LEFT, counts, Logarithmic(first + rescan))
    yield from panel.frame("Time in seconds")
    yield from panel.legend([("first index", FIRST, ""), ("unchanged rescan", RESCAN, ""), ("in proportion", FAINT, "3 4")])
    for values, colour, below in ((first, FIRST, False), (rescan, RESCAN, True)):
        yield from panel.straight(values[0], values[0] * counts[-1] / counts[0])
        yield from panel.curve(values, colour, below)


def peaks(figures, limit):
    first = [figure.first.peak for figure in figures]
    rescan = [figure.rescan.peak for figure in figures]
    panel = Panel(LEFT + PANEL + GAP, [figure.count for figure in figures], Linear(first + rescan + [limit]))
    yield from panel.frame("Memory at most, in MB")
    yield from panel.legend([("first index", FIRST, ""), ("unchanged rescan", RESCAN, ""), ("asked for", FAINT, "3 4")])
    yield from panel.straight(limit, limit)
    yield from panel.curve(first, FIRST, False)
    yield from panel.curve(rescan, RESCAN, True)


def draw(figures, path, limit):
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *times(figures),
        *peaks(figures, limit),
        "</svg>",
    ]
    path.write_text("\n".join(parts) + "\n")
