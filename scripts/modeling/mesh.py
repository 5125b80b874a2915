"""Triangle meshes and the shapes that models are put together from. Metres, y up, faces counterclockwise from outside.

    cup = lathe([(0, 0), (0.05, 0), (0.05, 0.1), (0.04, 0.1), (0.04, 0.01), (0, 0.01)], segments=48)
    pile = join(cup, box((0, 0, 0), (0.1, 0.02, 0.1)))
"""
from dataclasses import dataclass

import numpy as np


@dataclass
class Mesh:
    """Points and triangles; with 'uv' and 'uv_faces' (the same shape as 'faces'), places in a texture."""

    points: np.ndarray
    faces: np.ndarray
    uv: np.ndarray = None
    uv_faces: np.ndarray = None

    def __post_init__(self):
        self.points = np.asarray(self.points, float).reshape(-1, 3)
        self.faces = np.asarray(self.faces, int).reshape(-1, 3)

    def volume(self):
        """What the faces enclose; negative if they look inwards."""
        a, b, c = (self.points[self.faces[:, k]] for k in range(3))
        return np.einsum("ij,ij->", a, np.cross(b, c)) / 6

    def flipped(self):
        uv_faces = None if self.uv is None else self.uv_faces[:, ::-1]
        return Mesh(self.points, self.faces[:, ::-1], self.uv, uv_faces)

    def outwards(self):
        return self.flipped() if self.volume() < 0 else self

    def moved(self, offset):
        return Mesh(self.points + np.asarray(offset, float), self.faces, self.uv, self.uv_faces)

    def turned(self, axis, degrees):
        """Turned about one of the axes 0, 1, 2 through the origin."""
        a, b = (axis + 1) % 3, (axis + 2) % 3
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        points = self.points.copy()
        points[:, a] = c * self.points[:, a] - s * self.points[:, b]
        points[:, b] = s * self.points[:, a] + c * self.points[:, b]
        return Mesh(points, self.faces, self.uv, self.uv_faces)


def join(*meshes):
    """All meshes as one, without texture places; pieces may overlap."""
    first, points, faces = 0, [], []
    for mesh in meshes:
        points.append(mesh.points)
        faces.append(mesh.faces + first)
        first += len(mesh.points)
    return Mesh(np.vstack(points), np.vstack(faces))


def box(low, high):
    points = [[(low, high)[corner >> axis & 1][axis] for axis in range(3)] for corner in range(8)]
    quads = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    return Mesh(points, split_quads(quads))


def split_quads(quads):
    q = np.asarray(quads, int).reshape(-1, 4)
    return np.stack([q[:, [0, 1, 2]], q[:, [0, 2, 3]]], axis=1).reshape(-1, 3)


def grid_quads(rows, columns):
    """Indices of the corners of each cell of a grid of points, row by row."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1, 1)
    return corner + np.array([0, columns, columns + 1, 1])


def sheet(xs, zs, height):
    """An open sheet above the lines of a grid, y = height(x, z), seen from above, with the texture all over it."""
    x, z = np.meshgrid(np.asarray(xs, float), np.asarray(zs, float))
    points = np.stack([x, height(x, z), z], axis=-1).reshape(-1, 3)
    u, v = np.meshgrid(np.linspace(0, 1, len(xs)), np.linspace(1, 0, len(zs)))
    faces = split_quads(grid_quads(len(zs), len(xs)))
    return Mesh(points, faces, np.stack([u, v], axis=-1).reshape(-1, 2), faces)


def slab(xs, zs, height, underside, keep=lambda x, z: True):
    """A closed plate between a sheet and 'underside', a function of the sheet's heights.

    Cells whose middle 'keep' refuses are holes through it. The underside has the texture places of the upper side.
    """
    upper = sheet(xs, zs, height)
    count, columns = len(upper.points), len(xs)
    quads = grid_quads(len(zs), columns)
    middle = upper.points[quads].mean(axis=1)
    quads = quads[[bool(keep(x, z)) for x, _, z in middle]]
    used = {tuple(edge) for q in quads for edge in zip(q, np.roll(q, -1))}
    border = [(a, b) for a, b in sorted(used) if (b, a) not in used]
    sides = [(b, a, a + count, b + count) for a, b in border]
    faces = split_quads(np.vstack([quads, quads[:, ::-1] + count, sides]))
    lower = upper.points.copy()
    lower[:, 1] = underside(upper.points[:, 1])
    return Mesh(np.vstack([upper.points, lower]), faces, upper.uv, faces % count)


def lathe(profile, segments, outline=None):
    """A profile of (radius, height) turned about the y axis; radius 0 at its ends closes it.

    'outline' gives the distance from the axis of something that is not round, as a factor for each angle.
    """
    profile = np.asarray(profile, float)
    angles = 2 * np.pi * np.arange(segments) / segments
    factor = np.ones(segments) if outline is None else outline(angles)
    circle = np.stack([np.cos(angles) * factor, np.zeros(segments), np.sin(angles) * factor], axis=-1)
    points, rings = [], []
    for radius, height in profile:
        ring = circle * radius + [0, height, 0]
        size = 1 if radius == 0 else segments
        rings.append(len(points) + np.arange(segments + 1) % size)
        points.extend(ring[:size])
    return _turned_surface(np.array(points), rings, profile).outwards()


def _turned_surface(points, rings, profile):
    way = np.append(0, np.cumsum(np.hypot(*np.diff(profile, axis=0).T)))
    columns = len(rings[0])
    uv = [(k / (columns - 1), s / way[-1]) for s in way for k in range(columns)]
    uv_faces = split_quads(grid_quads(len(rings), columns))
    faces = np.concatenate(rings)[uv_faces]
    a, b, c = faces.T
    whole = (a != b) & (b != c) & (c != a)
    return Mesh(points, faces[whole], np.array(uv), uv_faces[whole])


def tube(path, radius, segments, closed=False, wall=0):
    """A round tube along a path, with one radius or one for each point. With a wall it is a pipe, open at its ends."""
    path = np.asarray(path, float)
    radius = np.broadcast_to(np.asarray(radius, float), len(path))
    sides, tops = _frames(path, closed)
    if wall:
        inside, outside = (_rings(path, r, sides, tops, segments) for r in (radius - wall, radius))
        rings = np.concatenate([outside, inside[::-1]])
        return _stitched(rings, wrap=True).outwards()
    rings = _rings(path, radius, sides, tops, segments)
    if closed:
        return _stitched(rings, wrap=True).outwards()
    return _capped(_stitched(rings, wrap=False), path, segments).outwards()


def loft(rings):
    """A closed solid through outlines of as many points each, one behind the other, flat at both ends."""
    rings = np.asarray(rings, float)
    return _capped(_stitched(rings, wrap=False), rings.mean(axis=1), rings.shape[1]).outwards()


def _frames(path, closed):
    """Two directions across the path at each point that turn as little as they can from one point to the next."""
    tangents = np.roll(path, -1, 0) - np.roll(path, 1, 0) if closed else np.gradient(path, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    side = np.cross(tangents[0], np.eye(3)[np.argmin(np.abs(tangents[0]))])
    sides = []
    for tangent in tangents:
        side = side - tangent * (side @ tangent)
        side = side / np.linalg.norm(side)
        sides.append(side)
    sides = np.array(sides)
    if closed:
        sides = _untwisted(sides, tangents)
    return sides, np.cross(tangents, sides)


def _untwisted(sides, tangents):
    """Spreads over a closed path the turn by which its last direction misses the first."""
    tops = np.cross(tangents, sides)
    turn = np.arctan2(sides[0] @ tops[-1], sides[0] @ sides[-1])
    angles = turn * np.arange(len(sides)) / (len(sides) - 1)
    return sides * np.cos(angles)[:, None] + tops * np.sin(angles)[:, None]


def _rings(path, radius, sides, tops, segments):
    angles = 2 * np.pi * np.arange(segments) / segments
    across = np.cos(angles)[:, None] * sides[:, None] + np.sin(angles)[:, None] * tops[:, None]
    return path[:, None] + across * radius[:, None, None]


def _stitched(rings, wrap):
    count, segments, _ = rings.shape
    rows = np.arange(count if wrap else count - 1)[:, None]
    columns, following = np.arange(segments), (np.arange(segments) + 1) % segments
    below, above = rows * segments, (rows + 1) % count * segments
    quads = np.stack([below + columns, above + columns, above + following, below + following], axis=-1)
    return Mesh(rings.reshape(-1, 3), split_quads(quads))


def _capped(mesh, path, segments):
    count = len(mesh.points)
    columns, following = np.arange(segments), (np.arange(segments) + 1) % segments
    last = count - segments
    start = np.stack([np.full(segments, count), columns, following], axis=-1)
    end = np.stack([np.full(segments, count + 1), last + following, last + columns], axis=-1)
    return Mesh(np.vstack([mesh.points, path[[0, -1]]]), np.vstack([mesh.faces, start, end]))
