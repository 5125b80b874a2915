"""A four-legged creature, and its plunge into a pool whose surface is at y = 0."""
import numpy as np

from .mesh import Mesh, split_quads

# Limbs as balls of two radii and what lies between them: from, to, radius there. It looks along x.
LIMBS = [
    ((-0.17, 0.00, 0.0), (0.13, 0.02, 0.0), 0.075, 0.085),  # trunk
    ((0.13, 0.02, 0.0), (0.23, 0.11, 0.0), 0.060, 0.045),  # neck
    ((0.23, 0.12, 0.0), (0.31, 0.10, 0.0), 0.062, 0.038),  # head and muzzle
    ((-0.17, 0.02, 0.0), (-0.29, 0.07, 0.0), 0.036, 0.022),  # tail
    ((-0.29, 0.07, 0.0), (-0.38, 0.04, 0.0), 0.022, 0.015),
]
for side in (-1, 1):
    LIMBS += [
        ((0.21, 0.16, 0.035 * side), (0.19, 0.22, 0.055 * side), 0.022, 0.014),  # ear
        ((0.12, -0.02, 0.055 * side), (0.13, -0.14, 0.070 * side), 0.036, 0.026),  # front leg
        ((0.13, -0.14, 0.070 * side), (0.17, -0.24, 0.070 * side), 0.026, 0.024),
        ((-0.15, -0.02, 0.055 * side), (-0.17, -0.14, 0.075 * side), 0.046, 0.028),  # hind leg
        ((-0.17, -0.14, 0.075 * side), (-0.14, -0.24, 0.075 * side), 0.028, 0.025),
    ]
CELL = 0.0092
FRAMES = 48


def distance(points):
    """To the creature, negative inside; limbs flow into each other."""
    blend = 0.016
    total = 0
    for a, b, ra, rb in LIMBS:
        a, b = np.array(a), np.array(b)
        t = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        d = np.linalg.norm(points - a - t[..., None] * (b - a), axis=-1) - (ra + t * (rb - ra))
        total = total + np.exp(-d / blend)
    return -blend * np.log(total)


def gradient(points):
    step = 1e-4 * np.eye(3)
    return np.stack([distance(points + e) - distance(points - e) for e in step], axis=-1) / 2e-4


def creature():
    """Its skin at rest, one point in each cell that the surface passes through."""
    low, high = np.array([-0.44, -0.31, -0.17]), np.array([0.4, 0.3, 0.17])
    axes = [np.arange(low[k], high[k], CELL) for k in range(3)]
    inside = distance(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)) < 0
    faces, cells = _surface_quads(inside)
    points = low + CELL * (cells + 0.5)
    for _ in range(8):
        g = gradient(points)
        points = points - g * (distance(points) / np.einsum("ij,ij->i", g, g))[:, None]
        points = _relaxed(points, faces, g)
    return Mesh(points, split_quads(faces)).outwards()


def _surface_quads(inside):
    """Quads between the cells around each lattice edge that passes through the surface, and those cells."""
    quads = []
    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        enter = np.argwhere(np.diff(inside.astype(np.int8), axis=axis) != 0)
        around = [np.zeros(3, int), -np.eye(3, dtype=int)[b], -np.eye(3, dtype=int)[b] - np.eye(3, dtype=int)[c],
                  -np.eye(3, dtype=int)[c]]
        quad = np.stack([enter + offset for offset in around], axis=1)
        leaves = inside[tuple(enter.T)]
        quads.append(np.where(leaves[:, None, None], quad, quad[:, ::-1]))
    cells, corners = np.unique(np.vstack(quads).reshape(-1, 3), axis=0, return_inverse=True)
    return corners.reshape(-1, 4), cells


def _relaxed(points, quads, normals):
    """Each point halfway to the middle of its neighbours, along the surface."""
    total, count = np.zeros_like(points), np.zeros(len(points))
    for k in range(4):
        for other in (quads[:, (k + 1) % 4], quads[:, k - 1]):
            np.add.at(total, quads[:, k], points[other])
            np.add.at(count, quads[:, k], 1)
    pull = 0.5 * (total / count[:, None] - points)
    n = normals / np.linalg.norm(normals, axis=1)[:, None]
    return points + pull - n * np.einsum("ij,ij->i", pull, n)[:, None]


def _smooth(x, low, high):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def _turned(points, center, angle, axis):
    """Each point turned by its own angle about an axis through a point."""
    a, b = (axis + 1) % 3, (axis + 2) % 3
    p, q = points[:, a] - center[a], points[:, b] - center[b]
    out = points.copy()
    out[:, a] = center[a] + np.cos(angle) * p - np.sin(angle) * q
    out[:, b] = center[b] + np.sin(angle) * p + np.cos(angle) * q
    return out


def posed(mesh, time):
    """The skin at a time in seconds, about the creature's own origin: legs paddle, the spine and tail swing."""
    rest, points = mesh.points, mesh.points
    for front, hip in ((True, 0.12), (False, -0.15)):
        for side in (-1, 1):
            along = _smooth(rest[:, 0], -0.02, 0.04)
            part = (along if front else 1 - along) * _smooth(rest[:, 2] * side, 0.0, 0.03)
            part = part * _smooth(-rest[:, 1], 0.02, 0.09)
            stretch = _smooth(time, 0.0, 0.25) * (1 - _smooth(time, 0.8, 1.1))
            paddle = (0.25 + 0.45 * _smooth(time, 0.8, 1.1)) * np.sin(11 * time + (2 if front else 0) + 1.6 * side)
            swing = stretch * (0.9 if front else -0.9) + paddle
            points = _turned(points, (hip, -0.03, 0), part * swing, 2)
    bend = 0.5 * np.sin(9 * time)
    points = _turned(points, (0.1, 0, 0), bend * _smooth(rest[:, 0], 0.05, 0.3), 1)
    points = _turned(points, (-0.12, 0, 0), 1.3 * bend * _smooth(-rest[:, 0], 0.1, 0.36), 1)
    arch = 0.35 * np.sin(7 * time + 0.5)
    return _turned(points, (0, 0, 0), arch * np.clip(rest[:, 0], -0.3, 0.3), 2)


def flight(time):
    """Place and pitch: a leap, a dive head first, and a turn back to the surface."""
    entry, speed = 0.6, np.array([1.5, -3.2])
    gravity = 9.81
    if time < entry:
        back = time - entry
        x, y = speed[0] * back, speed[1] * back - 0.5 * gravity * back ** 2
        slope = np.arctan2(speed[1] - gravity * back, speed[0])
    else:
        # The water brakes it within a fifth of a second; then it swims up again.
        since = time - entry
        braked = 0.2 * (1 - np.exp(-since / 0.2))
        x, y = speed[0] * braked + 0.25 * since, speed[1] * braked * 0.6 + 0.33 * _smooth(since, 0.3, 1.3)
        slope = np.arctan2(speed[1], speed[0]) * (1 - _smooth(since, 0.1, 0.9)) + 0.25 * _smooth(since, 0.4, 1.0)
    return np.array([x, y + 0.1, 0.0]), slope


def plunge(mesh, frame):
    """The skin in the world at a frame from 1 to FRAMES, 24 to a second."""
    time = (frame - 1) / 24
    place, pitch = flight(time)
    points = _turned(posed(mesh, time), (0, 0, 0), np.full(len(mesh.points), 0.8 * pitch), 2)
    return Mesh(points + place, mesh.faces)
