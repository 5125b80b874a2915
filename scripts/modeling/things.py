"""Vessels, machines and a street."""
import numpy as np

from .mesh import box, join, lathe, slab, tube


def _arc(center, radius, start_deg, end_deg, steps):
    angles = np.radians(np.linspace(start_deg, end_deg, steps))
    return [(center[0] + radius * np.cos(a), center[1] + radius * np.sin(a)) for a in angles]


def cup():
    """A mug without a handle: 12 cm high, its wall 6 mm thick, rounded at the rim and in the corner inside."""
    outside = [(0, 0), (0.02, 0), *_arc((0.038, 0.006), 0.006, -90, -10, 6)]
    rim = _arc((0.049, 0.117), 0.003, 0, 180, 8)
    inside = [(0.0435, 0.06), *_arc((0.027, 0.02), 0.012, 0, -90, 7), (0.013, 0.008), (0, 0.008)]
    return lathe([*outside, (0.0485, 0.06), *rim, *inside], 64)


def wine_glass():
    """A wine glass 21 cm high, its wall 4 mm thick so that a coarse liquid does not see through it."""
    foot = [(0, 0), (0.02, 0), *_arc((0.0385, 0.0015), 0.0015, -90, 60, 5), (0.02, 0.006), (0.01, 0.009)]
    stem = [(0.006, 0.016), (0.005, 0.03), (0.0045, 0.05), (0.005, 0.07), (0.007, 0.082)]
    height = np.linspace(0, 1, 22)
    # The bowl is widest at two fifths of its height and closes a little towards the rim.
    width = 0.046 * np.sin(np.pi * (0.1 + 0.62 * height ** 0.75)) / np.sin(np.pi * 0.5)
    bowl = list(zip(width, 0.088 + 0.118 * height))
    rim = _arc((width[-1] - 0.002, 0.206), 0.002, 15, 165, 6)
    hollow = [(r - 0.004, y) for r, y in bowl[:0:-1] if r - 0.004 > 0.004 and y > 0.094]
    return lathe([*foot, *stem, *bowl, *rim, *hollow, (0.007, 0.0945), (0, 0.094)], 64)


def cone():
    """A cone of height and radius 1 on its base."""
    return lathe([(0, 0), (1, 0), (0, 1)], 48)


def wheel():
    """A paddle wheel about the z axis: a hub and eight thin paddles, 0.8 m across."""
    hub = lathe([(0, -0.2), (0.07, -0.2), (0.07, 0.2), (0, 0.2)], 48).turned(0, 90)
    paddle = box((0.05, -0.009, -0.15), (0.4, 0.009, 0.15))
    return join(hub, *(paddle.turned(2, 45 * k) for k in range(8)))


def trough():
    """A channel along x, 2.4 m long and 0.36 m wide inside, with a weir at the end where the water leaves."""
    wall, length, half, height = 0.04, 1.2, 0.18, 0.5
    floor = box((-length, -wall, -half - wall), (length, 0, half + wall))
    sides = [box((-length, -wall, z), (length, height, z + wall)) for z in (-half - wall, half)]
    back = box((-length, -wall, -half - wall), (-length + wall, height, half + wall))
    weir = box((length - wall, -wall, -half - wall), (length, 0.16, half + wall))
    return join(floor, *sides, back, weir)


# The hole of the street is centred at the origin; its edges lie on lines of the street's grid.
HOLE = (0.16, 0.26)


def street():
    """Two metres of street that slope to a gutter with a hole; beyond it a kerb and a pavement."""
    xs = [*np.linspace(-1.2, -0.3, 13), -HOLE[0], 0, HOLE[0], 0.2, 0.215, 0.8]
    zs = [*np.linspace(-1, -HOLE[1], 9), 0, *np.linspace(HOLE[1], 1, 9)]

    def height(x, z):
        road = 0.06 * np.clip((-x - 0.3) / 0.9, 0, 1)
        gutter = 0.02 * np.clip((np.abs(x) - HOLE[0]) / 0.14, 0, 1)
        to_the_hole = 0.08 * np.clip(np.abs(z) - HOLE[1], 0, None)
        pavement = 0.12 + 0.01 * (x - 0.2)
        return np.where(x > 0.21, pavement, np.where(x > 0.19, 0.01, road + gutter) + to_the_hole)

    return slab(xs, zs, height, lambda y: -0.2, lambda x, z: abs(x) > HOLE[0] or abs(z) > HOLE[1])


def grate():
    """A frame that fills the hole of the street, and five bars across."""
    x, z, top, deep, bar = *HOLE, -0.004, 0.03, 0.02
    sides = [box((-x, top - deep, s - bar), (x, top, s)) for s in (-z + bar, z)]
    ends = [box((s - bar, top - deep, -z), (s, top, z)) for s in (-x + bar, x)]
    bars = [box((-x, top - deep, s - bar / 2), (x, top, s + bar / 2)) for s in np.linspace(-z + 0.09, z - 0.09, 5)]
    return join(*sides, *ends, *bars)


def pipe():
    """A funnel under the street's hole that narrows to a pipe and turns along x."""
    angles = np.linspace(0, np.pi / 2, 13)
    down = [(0, y, 0) for y in (-0.12, -0.2, -0.28, -0.36, -0.44, -0.5)]
    bend = [(0.22 - 0.22 * np.cos(a), -0.58 - 0.22 * np.sin(a), 0) for a in angles]
    out = [(x, -0.8, 0) for x in (0.4, 0.6, 0.8)]
    radius = [0.35, 0.35, 0.31, 0.22, 0.15, *[0.13] * (1 + len(bend) + len(out))]
    return tube([*down, *bend, *out], radius, 40, wall=0.025)
