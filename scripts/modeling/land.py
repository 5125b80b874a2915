"""Ground under water."""
import numpy as np

from .mesh import sheet, slab


def value_noise(x, y, seed):
    """Smooth noise between -1 and 1 with features of size 1."""
    table = np.random.RandomState(seed).uniform(-1, 1, (64, 64))
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    s, t = x - i, y - j
    s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)

    def corner(di, dj):
        return table[(i + di) % 64, (j + dj) % 64]

    return (corner(0, 0) * (1 - s) + corner(1, 0) * s) * (1 - t) + (corner(0, 1) * (1 - s) + corner(1, 1) * s) * t


def rough(x, y, size, octaves, seed):
    """Noise of several sizes, each half as large and half as high as the one before."""
    return sum(0.5 ** k * value_noise(x * 2 ** k / size, y * 2 ** k / size, seed + k) for k in range(octaves))


def _step(x, at, width):
    """From 0 to 1 around a place."""
    t = np.clip((x - at) / width + 0.5, 0, 1)
    return t * t * (3 - 2 * t)


def channel_middle(x):
    """Where across the river its deepest line runs."""
    return 0.38 * np.sin(1.5 * x + 0.4) * (1 - 0.5 * _step(x, 3.6, 1.4))


def river_floor(x):
    """Height of the deepest line: rapids, a waterfall of half a metre into a pool, and more rapids."""
    slope = 1.15 - 0.05 * x
    rapids = 0.07 * _step(x, 1.0, 0.25) + 0.08 * _step(x, 2.1, 0.2) + 0.06 * _step(x, 5.2, 0.3)
    pool = 0.12 * np.exp(-((x - 4.05) / 0.4) ** 2)
    return slope - rapids - 0.5 * _step(x, 3.55, 0.08) - pool


def riverbed():
    """Six by two metres: a winding channel between banks, with boulders in it."""
    rng = np.random.RandomState(4)
    along = rng.uniform(0.3, 5.8, 26)
    boulders = [(x, channel_middle(x) + rng.uniform(-0.3, 0.3), rng.uniform(0.06, 0.15)) for x in along
                if not 3.2 < x < 3.8]

    def height(x, z):
        across = np.abs(z - channel_middle(x))
        bank = 0.42 * _step(across, 0.46, 0.5) + 0.12 * np.clip(across - 0.5, 0, None)
        ground = river_floor(x) + bank
        ground += 0.05 * rough(x, z, 0.5, 4, 10) * (0.35 + bank / 0.42)
        for bx, bz, radius in boulders:
            away = np.hypot(x - bx, (z - bz) * 1.2) * (1 + 0.25 * value_noise(x * 9, z * 9, 30))
            cap = np.sqrt(np.clip(1 - (away / radius) ** 2, 0, None)) * radius
            ground = np.maximum(ground, np.where(away < radius, river_floor(bx) + 0.75 * cap, -1))
        return ground

    return sheet(np.linspace(0, 6, 246), np.linspace(-1, 1, 83), height)


def slope():
    """A curved plate a metre long that falls towards +z; v of its texture runs up the slope."""

    def height(x, z):
        return 0.32 * (1 - z) ** 1.4 + 0.08 * x ** 2

    return slab(np.linspace(-0.35, 0.35, 29), np.linspace(0, 1, 41), height, lambda y: y - 0.04)


def stripe():
    """Friction of the slope: none but along a stripe in the middle, with soft edges."""
    u = np.abs((np.arange(256) + 0.5) / 256 - 0.5)
    row = np.round(255 * np.clip((0.15 - u) / 0.01 + 0.5, 0, 1))
    return np.broadcast_to(row, (256, 256))
