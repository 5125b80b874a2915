"""W1 to W10: what whitewater is born of and how it moves. Most are measured by the unit tests, on frames of liquid made for
them; W2 and W4 are asked of liquid that was simulated as well."""
import functools
import json
import math
import pathlib
import re
import subprocess
import tempfile
import time

import numpy
from casebook import Case, Figure, Result, at_most, box

SOLVERS = ("pbf", "flip")


@functools.lru_cache
def output_of(tests):
    return subprocess.run([tests], capture_output=True, text=True)


class Tested(Case):
    """Figures that a test program prints, which stands beside the program."""

    def run(self, program):
        start = time.monotonic()
        tests = pathlib.Path(program).resolve().parent / "whitewater_test"
        if not tests.exists():
            return Result([], 0, True, f"{tests} is not there: configure with -DSPINDRIFT_TESTS=ON and build it")
        done = output_of(tests)
        lines = [line.split(": ") for line in done.stdout.splitlines() if line.startswith(f"figure: {self.name}: ")]
        figures = {what: at_most(what, float(value), float(good), float(best)) for _, _, what, value, good, best in lines}
        failed = re.findall(r"FAILED  \] (\S+)", done.stdout)
        return Result(list(figures.values()), time.monotonic() - start, done.returncode != 0,
                      f"failed: {failed[0]}" if failed else "")


def births(cache):
    """Of all frames, but for those that sources and breakup give."""
    lines = (cache / "whitewater/statistics.jsonl").read_text().splitlines()
    kinds = ("isolation", "trapped_air", "crest", "vorticity")
    return sum(json.loads(line)["born"][cause] for line in lines for cause in kinds)


def calm(name, solver, scene, good, best):
    """100 frames of liquid that should give nothing."""

    def measure(run):
        parents = [numpy.load(path)["source"] for path in sorted((run.cache / "whitewater").glob("*.npz"))]
        share = len(numpy.unique(numpy.concatenate(parents))) / len(run.last()["id"])
        return [at_most("share of particles that give", 100 * share, 100 * good, 100 * best, "%")]

    return Case("W2", name, solver, f"frames = [1, 100]\n{scene}\n[whitewater]\n", measure)


TANK = f"""[domain]
box = {box((0, 0, 0), (0.4, 0.4, 0.3))}
[[liquid]]
spacing = 0.02
fill = {{ box = {box((0, 0, 0), (0.4, 0.24, 0.3))} }}"""
BALL = """[[liquid]]
spacing = 0.02
fill = { sphere = { center = [0, 0, 0], radius = 0.2 }, velocity = [0, -5, 0] }"""


class Halved(Case):
    """A dam break at a spacing and at half of it, with whitewater of the same size."""

    def run(self, program):
        start, born = time.monotonic(), []
        with tempfile.TemporaryDirectory(prefix="case_") as folder:
            folder = pathlib.Path(folder)
            for spacing, share in ((0.021, 0.25), (0.0105, 0.5)):
                path, cache = folder / f"{spacing}.toml", folder / f"{spacing}"
                path.write_text(self.scene.format(solver=self.solver, spacing=spacing, share=share))
                done = subprocess.run([program, "run", path, "-o", cache, "-t", "1", "--quiet"], capture_output=True,
                                      text=True)
                if done.returncode:
                    return Result([], time.monotonic() - start, True, f"exit {done.returncode}: {done.stderr.strip()}")
                born.append(births(cache))
        ratio = born[1] / born[0] if born[0] else math.nan
        return Result([Figure("births by those at twice the spacing", ratio, (0.6, 1.6), (0.75, 1.33))],
                      time.monotonic() - start)


DAM = f"""version = 1
solver = "{{solver}}"
frames = [1, 36]
[domain]
box = {box((0, 0, 0), (1.25, 1, 0.5))}
[[liquid]]
spacing = {{spacing}}
fill = {{{{ box = {box((0, 0, 0), (0.5, 0.5, 0.5))} }}}}
[whitewater]
spacing = {{share}}
"""


def cases():
    made = [Tested(f"W{k}", "made frames", "any", "", None) for k in range(1, 11)]
    for solver in SOLVERS:
        made.append(calm("tank at rest", solver, TANK, 0, 0))
        made.append(calm("ball that falls", solver, BALL, 0.002, 0.0005))
        made.append(Halved("W4", "dam break, defaults", solver, DAM, None, quick=False))
    return made
