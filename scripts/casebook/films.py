"""Thin liquid and thin walls: V31 containers and blades, V32 films on slopes, V35 drops with surface tension."""
import math

import numpy
from casebook import Case, at_most, box, box_mesh, within

SOLVERS = ("pbf", "flip", "apic")


def film(cells, slope_deg, solver, quick):
    """Slides without friction: after a time t every part has gone g sin(slope) t^2 / 2."""
    d, t = 0.01, 0.35
    thickness, angle = 2 * d * cells, math.radians(slope_deg)
    layers = max(1, round(thickness / d))
    scene = f"""frames = [1, {int(24 * t) + 1}]
[domain]
box = {box((-0.2, -2.2, -0.05), (2.2, 0.3, 0.05))}
[[liquid]]
density = 1000
spacing = {thickness / layers if layers == 1 else d:.6g}
fill = {{ mesh = "film.obj", rotation_deg = [0, 0, {-slope_deg}] }}
[[collider]]
box = {box((-0.3, -0.2, -0.2), (2.5, 0, 0.2))}
rotation_deg = [0, 0, {-slope_deg}]"""
    files = {"film.obj": box_mesh((0, 0.0005, -0.05), (0.3, thickness + 0.0005, 0.05))}

    def measure(run):
        frames = [frame["P"].mean(axis=0) for _, frame in run.frames()]
        gone = float(numpy.linalg.norm((frames[-1] - frames[0])[:2]))
        time = run.times()[-1] - run.times()[0]
        # Its front half spreads as a dam's would, its back half stays behind: the mean goes as a solid's.
        return [within("way / free slide", gone / (0.5 * 9.81 * math.sin(angle) * time ** 2), 1, 0.25, 0.1),
                at_most("density error", 100 * float(run.series("mean_density_error").max()), 3, 1, "%")]

    return Case("V32", f"film of {cells} cells, {slope_deg} deg", solver, scene, measure, files, quick)


def propeller(cells, speed, solver, quick):
    d = 0.018
    blade = cells * 2 * d
    turns = speed * 180 / math.pi * 4
    scene = f"""frames = [1, 97]
[domain]
box = {box((-0.4, 0, -0.4), (0.4, 0.6, 0.4))}
[[liquid]]
density = 1000
spacing = {d}
fill = {{ box = {box((-0.4, 0, -0.4), (0.4, 0.35, 0.4))} }}
[[collider]]
mesh = "blades.obj"
cell = {min(d, blade / 2.2):.6g}
position = [0, 0.15, 0]
rotation_deg = [[1, [0, 0, 0]], [97, [0, {turns:.6g}, 0]]]"""
    files = {"blades.obj": box_mesh((-0.2, -0.05, -blade / 2), (0.2, 0.05, blade / 2))}

    def measure(run):
        return [at_most("density error", 100 * float(run.series("mean_density_error").max()), 3, 1, "%"),
                at_most("fastest / tip", float(run.series("max_speed").max()) / max(0.2 * speed, 1), 3, 2)]

    return Case("V31", f"blade of {cells} cells at {speed} rad/s", solver, scene, measure, files, quick)


def drop(radius_mm, speed, solver, quick):
    r = radius_mm * 1e-3
    d = r / 6
    scene = f"""frames = [1, 25]
gravity = [0, 0, 0]
[[liquid]]
material = "water"
surface_tension = 0.0728
spacing = {d:.6g}
fill = {{ sphere = {{ center = [0.3, 0.2, -0.1], radius = {r} }}, velocity = [0, {-speed}, 0] }}"""

    def measure(run):
        mass = run.series("volume")[0] * 998
        moving = run.series("kinetic_energy") - 0.5 * mass * speed ** 2
        # What the surface of a drop of this size could give if it all went away.
        surface = 0.0728 * 4 * math.pi * r * r
        return [at_most("energy gained / surface's", float(moving.max()) / surface, 0.1, 0.02)]

    return Case("V35", f"drop of {radius_mm} mm at {speed} m/s", solver, scene, measure, quick=quick)


def bowl(solver):
    """Liquid in a bowl that turns with rough walls comes to turn with it: it rises by omega^2 R^2 / 2 g."""
    radius, omega, d = 0.15, 8.0, 0.0125
    points, faces, sides = [], [], 64
    for y in (0, 0.4):
        points += [(radius * math.cos(2 * math.pi * k / sides), y, radius * math.sin(2 * math.pi * k / sides))
                   for k in range(sides)]
    points += [(0, 0, 0), (0, 0.4, 0)]
    for k in range(sides):
        n = (k + 1) % sides
        faces += [(k + 1, sides + k + 1, sides + n + 1, n + 1), (k + 1, n + 1, 2 * sides + 1),
                  (sides + k + 1, 2 * sides + 2, sides + n + 1)]
    mesh = "".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points) + \
        "".join("f " + " ".join(map(str, f)) + "\n" for f in faces)
    scene = f"""frames = [1, 97]
[[liquid]]
density = 1000
spacing = {d}
fill = {{ cylinder = {{ base = [0, 0, 0], top = [0, 0.2, 0], radius = {radius} }} }}
[[collider]]
mesh = "bowl.obj"
mode = "solid_outside"
friction = 1
stickiness = 1
rotation_deg = [[1, [0, 0, 0]], [97, [0, {omega * 4 * 180 / math.pi:.6g}, 0]]]"""

    def measure(run):
        p = run.last()["P"]
        r = numpy.hypot(p[:, 0], p[:, 2])
        top = lambda lo, hi: numpy.quantile(p[(r >= lo) & (r < hi), 1], 0.97)
        rise = top(0.85 * radius, radius) - top(0, 0.3 * radius)
        right = omega ** 2 * (0.925 ** 2 - 0.045) * radius ** 2 / (2 * 9.81)
        return [within("rise / theory", rise / right, 1, 0.05, 0.05)]

    return Case("V34", "spinning bowl", solver, scene, measure, {"bowl.obj": mesh}, quick=False)


def cases():
    made = []
    for solver in SOLVERS:
        for cells, slope in ((1, 20), (2, 45), (0.5, 30), (0.3, 60), (1, 5)):
            made.append(film(cells, slope, solver, (cells, slope) in ((1, 20), (0.5, 30)) and solver != "apic"))
        for cells, speed in ((1, 10), (0.4, 5), (0.2, 20), (2, 10), (1, 0)):
            made.append(propeller(cells, speed, solver, (cells, speed) in ((1, 10), (0.4, 5)) and solver != "apic"))
        for radius, speed in ((2.5, 0), (10, 0), (2.5, 1), (1, 0)):
            made.append(drop(radius, speed, solver, (radius, speed) in ((2.5, 0),)))
        made.append(bowl(solver))
    return made
