"""Meshes with the faults that files have, about 0.4 m wide and standing on y = 0; vessels among them hold water."""
import numpy as np

from .files import obj_text
from .mesh import Mesh, box, join, lathe, sheet, split_quads, tube


def _vessel(radius, height, wall):
    """Profile of a thick-walled vessel that is open above."""
    inner = radius - wall
    return [(0, 0), (radius, 0), (radius, height), (inner, height), (inner, wall), (0, wall)]


def _finer(profile, steps):
    ends = np.asarray(profile, float)
    along = np.arange(steps)[:, None] / steps
    return np.vstack([*(a + (b - a) * along for a, b in zip(ends, ends[1:])), ends[-1:]])


def thin_sheet():
    lines = np.linspace(-0.22, 0.22, 13)
    flat = sheet(lines, lines, lambda x, z: 0 * x)
    return flat.turned(2, -22).moved((0, 0.2, 0))


def open_bowl():
    """The lower half of a sphere, without thickness."""
    angles = np.linspace(0, np.pi / 2, 17)
    profile = 0.2 * np.stack([np.sin(angles), 1 - np.cos(angles)], axis=-1)
    profile[0] = 0
    return lathe(profile, 48)


def knot():
    """A closed tube along a trefoil, so thick that its strands run through each other."""
    t = 2 * np.pi * np.arange(160) / 160
    path = np.stack([np.sin(t) + 2 * np.sin(2 * t), 0.4 * np.sin(3 * t), np.cos(t) - 2 * np.cos(2 * t)], axis=-1)
    mesh = tube(0.06 * path, 0.036, 20, closed=True)
    return mesh.moved((0, -mesh.points[:, 1].min(), 0))


def flipped_cup():
    """A closed cup, half of whose faces look the wrong way; every tenth is there twice."""
    cup = lathe(_finer(_vessel(0.18, 0.34, 0.03), 6), 40)
    rng = np.random.RandomState(1)
    faces = cup.faces.copy()
    wrong = rng.permutation(len(faces))[:len(faces) // 2]
    faces[wrong] = faces[wrong][:, ::-1]
    twice = faces[rng.permutation(len(faces))[:len(faces) // 10]]
    return Mesh(cup.points, np.vstack([faces, np.roll(twice, 1, axis=1)]))


def fan():
    """Five sheets that start at one edge, which is also where the two halves of a box's lid meet."""
    base = box((-0.2, 0, -0.2), (0.2, 0.1, 0.2))
    lid = np.all(base.points[base.faces][:, :, 1] > 0.05, axis=1)
    edge = [(0, 0.1, -0.2), (0, 0.1, 0.2)]
    halves = split_quads([(2, 6, 9, 8), (8, 9, 7, 3)])
    # Triangles without area close the gaps between the halves and the front and back of the box.
    ends = [(2, 8, 3), (7, 9, 6)]
    points, faces = [*base.points, *edge], [*base.faces[~lid], *halves, *ends]
    for degrees in (30, 60, 90, 120, 150):
        reach = 0.22 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0])
        first = len(points)
        points += [edge[0] + reach, edge[1] + reach]
        faces += [(8, 9, first + 1), (8, first + 1, first)]
    return Mesh(points, faces)


def slivers():
    """A closed square vessel of triangles two hundred times longer than wide; a few have no area at all."""
    sides = 4 * 180

    def square(angles):
        return 1 / np.maximum(np.abs(np.cos(angles)), np.abs(np.sin(angles)))

    mesh = lathe(_vessel(0.2, 0.34, 0.03), sides, square)
    ring = 1 + 20 + np.arange(3)  # neighbours on a straight side of the lowest ring
    collinear = [ring, ring + 1, ring + sides]
    twice = [(a, a, b) for a, b in zip(ring, ring + sides)]
    return Mesh(mesh.points, np.vstack([mesh.faces, collinear, twice]))


def broken_text():
    """The text of an OBJ with a sane vessel and, besides, points that are no numbers and faces without points."""
    walls = [box((-0.2, 0, -0.2), (0.2, 0.03, 0.2)), box((-0.2, 0, -0.2), (-0.17, 0.34, 0.2)),
             box((0.17, 0, -0.2), (0.2, 0.34, 0.2)), box((-0.2, 0, -0.2), (0.2, 0.34, -0.17)),
             box((-0.2, 0, 0.17), (0.2, 0.34, 0.2))]
    vessel = join(*walls)
    count = len(vessel.points)
    points = ["v nan nan nan", "v inf 0.1 0", "v 0 -inf 0.1", "v 1e400 0 0"]
    faces = [(1, 2, count + 1), (count + 1, count + 2, count + 3), (3, count + 4, 5), (1, 2, 99999), (4, 5, 123456789),
             (100001, 100002, 100003)]
    return obj_text(vessel) + "\n".join([*points, *(f"f {a} {b} {c}" for a, b, c in faces)]) + "\n"
