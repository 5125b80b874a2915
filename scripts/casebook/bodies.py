"""Bodies: V28 how deep boxes float, V33 crates in a flood, V34 a bowl that spins."""
import math

import numpy
from casebook import Case, at_most, box, within

SOLVERS = ("pbf", "flip", "apic")


def floating(share, solver):
    h, size = 0.2, (0.3, 0.2, 0.3)
    d, depth, half = h / 12, 0.3, 0.36
    scene = f"""frames = [1, 145]
[domain]
box = {box((-half, 0, -half), (half, 0.7, half))}
[[liquid]]
density = 1000
spacing = {d:.9g}
fill = {{ box = {box((-half, 0, -half), (half, depth, half))} }}
[[body]]
name = "box"
box = {box((-size[0] / 2, -h / 2, -size[2] / 2), (size[0] / 2, h / 2, size[2] / 2))}
position = [0, {depth + h / 2 - share * h + 0.004:.6g}, 0]
density = {1000 * share}"""

    def measure(run):
        y = run.bodies("position")[-48:, 0, 1].mean()
        # The level from volume: what stands in the tank and the box together.
        area = (2 * half) ** 2
        level = (run.series("volume")[-1] + share * size[0] * size[1] * size[2]) / area
        draft = level - (y - h / 2)
        return [at_most("draft error / H", abs(draft - share * h) / h, 0.04, 0.02),
                at_most("fastest", float(run.series("max_speed").max()), 1.5, 1.2, "m/s")]

    return Case("V28", f"density {share}", solver, scene, measure)


def flood(count, cells, factor, solver, quick):
    d = 0.02 * factor
    side = 2 * d * cells
    pitch = (1.3 if cells < 4 else 1.1) * side      # or large ones would not stand beside each other
    columns = max(1, int(0.36 / pitch))
    bodies = ""
    for n in range(count):
        x, z, y = n % columns, n // columns % columns, n // columns ** 2
        at = [0.62 + (x + 0.5) * pitch, 0.5 * side + 0.004 + y * 1.2 * side, 0.03 + (z + 0.5) * pitch]
        bodies += f"""[[body]]
name = "crate{n}"
box = {box((-side / 2,) * 3, (side / 2,) * 3)}
position = [{at[0]:.6g}, {at[1]:.6g}, {at[2]:.6g}]
density = 300
"""
    scene = f"""frames = [1, 60]
[domain]
box = {box((0, 0, 0), (1.0, 1.2, 0.4))}
[[liquid]]
density = 1000
spacing = {d:.9g}
fill = {{ box = {box((0, 0, 0), (0.5, 0.6, 0.4))} }}
{bodies}"""
    fastest = math.sqrt(2 * 9.81 * 0.6)

    def measure(run):
        bodies = float(numpy.linalg.norm(run.bodies("velocity"), axis=2).max())
        # The flood alone throws particles up the far wall at this share of it.
        alone = 1.75 if solver == "pbf" else 1.5
        return [at_most("fastest body / sqrt(2 g H)", bodies / fastest, 1.5, 1.0),
                at_most("fastest particle / sqrt(2 g H)", float(run.series("max_speed").max()) / fastest, 1.5 * alone,
                        1.2 * alone),
                at_most("density error", 100 * float(run.series("mean_density_error").max()), 3, 1, "%")]

    return Case("V33", f"{count} crates of {cells} cells, spacing {d:.4g}", solver, scene, measure, quick=quick)


def cases():
    made = [floating(share, solver) for solver in SOLVERS for share in (0.35, 0.6)]
    for solver in ("pbf", "flip"):
        for count, cells, factor in ((30, 2, 1), (12, 3, 0.93), (40, 1, 1.07), (8, 4, 1), (60, 0.5, 1)):
            made.append(flood(count, cells, factor, solver, count in (30, 12)))
    return made
