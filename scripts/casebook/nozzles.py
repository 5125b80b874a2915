"""V29: nozzles in pipes, under water and at walls: how fast liquid leaves them, and its fastest particle."""
import numpy
from casebook import Case, at_most, box, tube_mesh, within

D, SPEED = 0.01, 3.0


def figures(run, near):
    # The mean of what is some way behind the nozzle, once it has come there.
    speeds = []
    for time, frame in run.frames():
        if time < 0.3:
            continue
        at = near(frame["P"])
        if at.any():
            speeds.append(float(frame["v"][at, 0].mean()))
    if not speeds:
        raise ValueError("nothing left the nozzle")
    return [within("speed / nozzle's", float(numpy.mean(speeds)) / SPEED, 1, 0.05, 0.02),
            at_most("fastest / nozzle's", float(run.series("max_speed").max()) / SPEED, 1.5, 1.2)]


def in_pipe(ratio, solver, quick):
    inner = 0.06
    scene = f"""frames = [1, 16]
gravity = [0, 0, 0]
[[liquid]]
density = 1000
spacing = {D}
[[emitter]]
disc = {{ radius = {inner * ratio} }}
position = [0.03, 0, 0]
direction = [1, 0, 0]
speed = {SPEED}
[[collider]]
mesh = "pipe.obj"
cell = 0.008"""
    near = lambda p: (p[:, 0] > 0.3) & (p[:, 0] < 0.5)
    return Case("V29", f"disc {ratio} of its pipe", solver, scene, lambda run: figures(run, near),
                {"pipe.obj": tube_mesh(inner, inner + 0.03, 0.6)}, quick)


def under_water(cross, solver, quick):
    scene = f"""frames = [1, 24]
[domain]
box = {box((0, 0, 0), (0.6, 0.5, 0.3))}
[[liquid]]
density = 1000
spacing = {D}
fill = {{ box = {box((0, 0, 0), (0.6, 0.25, 0.3))}, velocity = [0, 0, {cross}] }}
[[emitter]]
disc = {{ radius = 0.03 }}
position = [0.1, 0.1, 0.15]
direction = [1, 0, 0]
speed = {SPEED}"""

    def measure(run):
        return [at_most("fastest / nozzle's", float(run.series("max_speed").max()) / SPEED, 1.5, 1.2),
                at_most("density error", 100 * float(run.series("mean_density_error").max()), 3, 1, "%")]

    return Case("V29", f"under water, cross flow {cross} m/s", solver, scene, measure, quick=quick)


def at_wall(solver):
    scene = f"""frames = [1, 16]
[domain]
box = {box((0, 0, 0), (1.2, 0.5, 0.3))}
[[liquid]]
density = 1000
spacing = {D}
[[emitter]]
rectangle = {{ size = [0.1, 0.06] }}
position = [0.05, 0.03, 0.15]
direction = [1, 0, 0]
speed = {SPEED}"""
    near = lambda p: (p[:, 0] > 0.3) & (p[:, 0] < 0.6)
    return Case("V29", "touches the floor", solver, scene, lambda run: figures(run, near))


def cases():
    made = []
    for solver in ("pbf", "flip"):
        made += [in_pipe(ratio, solver, ratio in (0.8, 1.0)) for ratio in (0.5, 0.8, 0.95, 1.0, 1.05)]
        made += [under_water(cross, solver, cross == 1) for cross in (0, 1, 2)] + [at_wall(solver)]
    return made
