"""V25: tanks at rest, at widths that fit no lattice, between walls of every kind."""
import numpy
from casebook import Case, at_most, box, box_mesh

GRAVITY = 9.81
SOLVERS = ("pbf", "flip", "apic")
D = 0.0125


def walls_of(kind, x, z, height):
    """The scene's walls and its fill, and the files they need."""
    t, level = 2 * D, 25 * D
    if kind == "domain":
        return (f"[domain]\nbox = {box((0, 0, 0), (x, height, z))}\n",
                f"{{ box = {box((0, 0, 0), (x, level, z))} }}", {})
    if kind == "boxes":
        scene = f"[domain]\nbox = {box((-0.1, 0, -0.1), (x + 0.1, height, z + 0.1))}\n"
        for lo, hi in (((-t, 0, -t), (0, height, z + t)), ((x, 0, -t), (x + t, height, z + t)),
                       ((0, 0, -t), (x, height, 0)), ((0, 0, z), (x, height, z + t))):
            scene += f"[[collider]]\nbox = {box(lo, hi)}\n"
        return scene, f"{{ box = {box((0, 0, 0), (x, level, z))} }}", {}
    turn = "rotation_deg = [0, 30, 0]" if kind == "turned" else ""
    scene = f'[[collider]]\nmesh = "tank.obj"\nmode = "solid_outside"\n{turn}\n'
    files = {"tank.obj": box_mesh((0, 0, 0), (x, height, z)), "liquid.obj": box_mesh((0, 0, 0), (x, level, z))}
    turn = ", " + turn if turn else ""
    return scene, f'{{ mesh = "liquid.obj"{turn} }}', files


def tank(kind, f, g, solver, seconds, quick):
    x, z, height = (30 + f) * D, (20 + g) * D, 40 * D
    walls, fill, files = walls_of(kind, x, z, height)
    scene = f"""frames = [1, {int(24 * seconds) + 1}]
{walls}[[liquid]]
density = 1000
spacing = {D}
fill = {fill}"""

    def measure(run):
        mass = run.series("volume")[-1] * 1000
        kinetic = float(numpy.max(run.series("kinetic_energy")[-24:])) / (mass * GRAVITY * 25 * D)
        # Of the second half: what a lattice that does not fit needs to settle is no fault.
        fastest = float(numpy.max(run.series("max_speed")[len(run.statistics) // 2:]))
        return [at_most("kinetic / m g H", kinetic, 1e-5, 1e-7),
                at_most("fastest", fastest, 0.03, 0.005, "m/s"),
                at_most("density error", 100 * float(run.series("mean_density_error")[-1]), 0.3, 0.1, "%")]

    return Case("V25", f"{kind}, 30.{int(10 * f)} x 20.{int(10 * g)}, {seconds} s", solver, scene, measure, files, quick)


def cases():
    made = []
    for solver in SOLVERS:
        for kind in ("domain", "boxes", "mesh", "turned"):
            for f, g in ((0, 0), (0.1, 0.7), (0.4, 0.2), (0.7, 0.9), (0.9, 0.5)):
                quick = (f, g) in ((0.4, 0.2), (0.7, 0.9))
                made.append(tank(kind, f, g, solver, 3 if quick else 10, quick))
    return made
