"""Writers of models: the same mesh gives the same bytes."""
import struct
import zlib

import numpy as np


def _number(value):
    """A coordinate to a hundredth of a millimetre."""
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def obj_text(mesh):
    """Wavefront OBJ."""
    lines = ["v " + " ".join(map(_number, p)) for p in mesh.points]
    if mesh.uv is None:
        lines += [f"f {a} {b} {c}" for a, b, c in mesh.faces + 1]
    else:
        lines += ["vt " + " ".join(map(_number, t)) for t in mesh.uv]
        lines += ["f " + " ".join(f"{p}/{t}" for p, t in zip(*corners))
                  for corners in zip(mesh.faces + 1, mesh.uv_faces + 1)]
    return "\n".join(lines) + "\n"


def write_obj(path, mesh, comment):
    path.write_text(f"# {comment}\n" + obj_text(mesh))


def write_ply(path, mesh, comment):
    """Binary PLY without texture places."""
    header = ["ply", "format binary_little_endian 1.0", f"comment {comment}", f"element vertex {len(mesh.points)}",
              *(f"property float {axis}" for axis in "xyz"), f"element face {len(mesh.faces)}",
              "property list uchar int vertex_indices", "end_header"]
    faces = np.empty(len(mesh.faces), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, mesh.faces
    points = np.round(mesh.points, 5) + 0.0  # no negative zeros
    path.write_bytes("\n".join(header).encode() + b"\n" + points.astype("<f4").tobytes() + faces.tobytes())


def write_png(path, gray):
    """An 8-bit picture without colour, rows from the top."""
    height, width = gray.shape

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + row.astype("u1").tobytes() for row in gray)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) +
                     chunk(b"IEND", b""))
