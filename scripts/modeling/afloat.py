"""Things that liquid carries or turns: a ship, a water wheel, a bottle."""
import numpy as np

from .mesh import box, join, lathe, loft


def ship():
    """A small freighter along x, 1.2 m long and 0.46 m wide, its bow at +x, its keel at y = 0."""
    hull = loft([_section(x) for x in np.linspace(-1, 1, 41)])
    # Pieces reach deep into each other: thin slices between their faces would count as thin walls.
    house = box((-0.46, 0.12, -0.12), (-0.24, 0.37, 0.12))
    bridge = box((-0.41, 0.32, -0.16), (-0.29, 0.42, 0.16))
    hatches = [box((x, 0.12, -0.1), (x + 0.2, 0.28, 0.1)) for x in (-0.14, 0.12)]
    funnel = lathe([(0, 0.36), (0.04, 0.36), (0.036, 0.5), (0, 0.5)], 24).moved((-0.35, 0, 0))
    return join(hull, house, bridge, *hatches, funnel)


def _section(along):
    """The outline of the hull across, from -1 at the stern to 1 at the bow: flat below, round at the bilge."""
    bow, stern = np.clip(along, 0, 1), np.clip(-along, 0, 1)
    width = 0.23 * (1 - bow ** 2.6 * 0.85) * (1 - 0.45 * stern ** 3)
    deck = 0.23 + 0.07 * bow ** 2 + 0.02 * stern ** 2
    keel = 0.03 * bow ** 4 + 0.06 * stern ** 4
    # A superellipse between keel and deck, narrower below where the hull is fine at its ends.
    turn = np.radians(np.linspace(-90, 90, 25))
    fine = 2.6 - 1.3 * bow ** 2 - 0.6 * stern ** 2
    z = width * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** (2 / fine)
    y = deck - (deck - keel) * np.cos(turn) ** (2 / fine)
    rake = 0.08 * bow ** 2
    x = 0.56 * along + rake * (y - keel) / (deck - keel)
    return np.stack([x, y, z], axis=-1)


def water_wheel():
    """A wheel about the z axis: a hub and eight stout paddles, 0.9 m across."""
    hub = lathe([(0, -0.24), (0.1, -0.24), (0.1, 0.24), (0, 0.24)], 48).turned(0, 90)
    paddle = box((0.06, -0.022, -0.18), (0.45, 0.022, 0.18))
    return join(hub, *(paddle.turned(2, 45 * k) for k in range(8)))


def flume():
    """A wooden channel that ends over the water wheel, closed behind, on four legs."""
    floor, sides = box((-1.4, 1.08, -0.21), (-0.04, 1.12, 0.21)), [(-0.21, -0.17), (0.17, 0.21)]
    walls = [box((-1.4, 1.08, a), (-0.04, 1.27, b)) for a, b in sides]
    back = box((-1.4, 1.08, -0.21), (-1.36, 1.27, 0.21))
    legs = [box((x, 0, a), (x + 0.08, 1.1, b)) for x in (-1.34, -0.74) for a, b in sides]
    return join(floor, *walls, back, *legs)


def bottle():
    """A bottle 0.56 m high and 0.32 m wide, its wall 0.04 m thick, with an open neck."""
    outside = [(0, 0), (0.12, 0), (0.145, 0.012), (0.16, 0.04), (0.16, 0.28), (0.152, 0.33), (0.128, 0.38), (0.103, 0.42),
               (0.097, 0.46), (0.097, 0.54), (0.092, 0.555)]
    inside = [(0.062, 0.555), (0.057, 0.54), (0.057, 0.45), (0.064, 0.41), (0.09, 0.365), (0.112, 0.32), (0.12, 0.27),
              (0.12, 0.06), (0.105, 0.042), (0, 0.04)]
    return lathe([*outside, (0.077, 0.56), *inside], 64)
