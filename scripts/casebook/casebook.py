"""What cases share: scenes, runs, frames, verdicts and rows."""
import dataclasses
import json
import math
import pathlib
import subprocess
import tempfile
import time
import typing

import numpy

TIMED_OUT = 124


@dataclasses.dataclass
class Figure:
    """One number with what is good and best of it: less than, or between two."""
    name: str
    value: float
    good: tuple
    best: tuple
    unit: str = ""

    def verdict(self):
        within = lambda limits: limits[0] <= self.value <= limits[1]
        if not math.isfinite(self.value):
            return "none"
        return "best" if within(self.best) else "good" if within(self.good) else "MISSED"

    def text(self):
        return f"{self.value:.4g}{' ' + self.unit if self.unit else ''}"


def at_most(name, value, good, best, unit=""):
    return Figure(name, value, (-math.inf, good), (-math.inf, best), unit)


def within(name, value, right, good, best, unit=""):
    return Figure(name, value, (right * (1 - good), right * (1 + good)), (right * (1 - best), right * (1 + best)), unit)


@dataclasses.dataclass
class Result:
    figures: list
    seconds: float
    failed: bool = False
    said: str = ""


@dataclasses.dataclass
class Case:
    name: str                   # V24
    setting: str                # spacing 0.015
    solver: str
    scene: str                  # TOML
    measure: typing.Callable    # of a Run, gives figures
    files: dict = dataclasses.field(default_factory=dict)      # beside the scene, by name
    quick: bool = True
    options: tuple = ()         # of run

    def title(self):
        return f"{self.name} {self.solver} {self.setting}"

    def is_chosen(self, given):
        # A capital is meant as one: W are those of whitewater, not of waves.
        has = lambda word: word in self.title() if word[:1].isupper() else word.lower() in self.title().lower()
        words = not given.words or any(has(word) for word in given.words)
        return words and (not given.quick or self.quick) and given.solver in (None, self.solver)

    def run(self, program):
        with tempfile.TemporaryDirectory(prefix="case_") as folder:
            folder = pathlib.Path(folder)
            for name, text in self.files.items():
                (folder / name).write_text(text)
            path = folder / "case.toml"
            path.write_text(f'version = 1\nsolver = "{self.solver}"\n{self.scene}\n')
            start = time.monotonic()
            try:
                done = subprocess.run([program, "run", path, "-o", folder / "cache", "-t", "1", "--quiet", *self.options],
                                      capture_output=True, text=True, timeout=3600)
                code, said = done.returncode, done.stderr.strip()
            except subprocess.TimeoutExpired:
                code, said = TIMED_OUT, "took over an hour"
            seconds = time.monotonic() - start
            try:
                figures = self.measure(Run(folder / "cache"))
            except (OSError, ValueError, IndexError, KeyError) as error:
                figures, said = [], said or f"cannot be measured: {error}"
            return Result(figures, seconds, code != 0, f"exit {code}: {said.splitlines()[0]}" if code else "")


class Run:
    """Frames and statistics of a cache."""

    def __init__(self, cache):
        self.cache = cache
        self.statistics = [json.loads(line) for line in (cache / "statistics.jsonl").read_text().splitlines()]
        self.files = sorted((cache / "particles").glob("*.npz"))

    def frames(self):
        for number, path in enumerate(self.files):
            with numpy.load(path) as frame:
                yield self.times()[number], frame

    def last(self):
        with numpy.load(self.files[-1]) as frame:
            return {name: frame[name] for name in frame.files}

    def times(self):
        return numpy.array([line["time"] for line in self.statistics])

    def series(self, key):
        return numpy.array([math.nan if line[key] is None else line[key] for line in self.statistics])

    def bodies(self, key):
        """Of each frame and body, in the order of the scene."""
        values = []
        for path in sorted((self.cache / "bodies").glob("*.npz")):
            with numpy.load(path) as frame:
                values.append(frame[key])
        return numpy.array(values)


def box(lo, hi):
    number = lambda x: f"{x:.9g}"
    return "[[" + ", ".join(map(number, lo)) + "], [" + ", ".join(map(number, hi)) + "]]"


def box_mesh(lo, hi):
    """A closed box as OBJ, faces outwards."""
    corners = [(x, y, z) for z in (lo[2], hi[2]) for y in (lo[1], hi[1]) for x in (lo[0], hi[0])]
    faces = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
    return "".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in corners) + \
        "".join("f " + " ".join(map(str, f)) + "\n" for f in faces)


def tube_mesh(inner, outer, length, sides=48):
    """A pipe along x from 0 to its length, as OBJ."""
    points, faces = [], []
    for x, r in ((0, inner), (0, outer), (length, outer), (length, inner)):
        points += [(x, r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides))
                   for k in range(sides)]
    for ring in range(4):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            c, d = (ring + 1) % 4 * sides + (k + 1) % sides, (ring + 1) % 4 * sides + k
            faces.append((a + 1, b + 1, c + 1, d + 1))
    return "".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points) + \
        "".join("f " + " ".join(map(str, f)) + "\n" for f in faces)


def print_header():
    print("| case | solver | setting | figure | value | good | best | verdict | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")


def limits_text(limits):
    low, high = limits
    return f"≤ {high:.3g}" if low == -math.inf else f"{low:.4g} … {high:.4g}"


def print_rows(case, result, program):
    setting = case.setting + (f" ({program})" if program else "")
    if result.said or not result.figures:
        print(f"| {case.name} | {case.solver} | {setting} | {result.said or 'no figures'} | | | | FAILED | {result.seconds:.0f} |")
    for figure in result.figures:
        print(f"| {case.name} | {case.solver} | {setting} | {figure.name} | {figure.text()} | {limits_text(figure.good)} | "
              f"{limits_text(figure.best)} | {figure.verdict()} | {result.seconds:.0f} |", flush=True)
