"""What was asked for beside what was measured: the table at the end of scripts/bench."""

HEAD = ("what", "figure", "against", "ratio", "asked", "met")


class Table:
    def __init__(self):
        self.rows = []

    def at_most(self, what, pairs, against, most, size=""):
        """Two times in seconds, of which ours may be `most` times theirs, for a library of that size."""
        self.add(what, seconds(pairs.ours), f"{against}: {seconds(pairs.theirs)}", f"{pairs.ratio:.2f}×",
                 f"{most:g}×{size}", pairs.ratio <= most)  # fmt: skip

    def faster(self, what, ours, against, theirs, least, size=""):
        """Two times in seconds, of which theirs must be `least` times ours, for a library of that size."""
        ratio = theirs / ours
        self.add(what, seconds(ours), f"{against}: {seconds(theirs)}", f"{ratio:.1f} times as fast",
                 f"{least} times{size}", ratio >= least)  # fmt: skip

    def limit(self, what, figure, unit, most, against="–", ratio="–"):
        """A number that may be `most`."""
        self.add(what, number(figure, unit), against, ratio, number(most, unit), figure <= most)

    def growth(self, what, ours, against, theirs, unit, most):
        """A number that may be `most` times another of the same kind."""
        ratio = ours / theirs
        self.add(what, number(ours, unit), f"{against}: {number(theirs, unit)}", f"{ratio:.2f}×", f"{most:g}×",
                 ratio <= most)  # fmt: skip

    def add(self, what, figure, against, ratio, asked, is_met):
        self.rows.append((what, figure, against, ratio, asked, "yes" if is_met else "no"))

    def show(self):
        """As Markdown."""
        for row in [HEAD, ["---"] * len(HEAD), *self.rows]:
            print("| " + " | ".join(row) + " |")


def seconds(value):
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def number(value, unit):
    if unit == "s":
        return seconds(value)
    return f"{value:,.0f} {unit}"
