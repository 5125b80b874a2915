"""Runs the program on small scenes in a folder of its own.

    class Some(CliCase):
        def test_a_sentence(self):
            self.assertEqual(self.run_cli("run", self.scene()).returncode, 0)
"""
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["SPINDRIFT"]
SOURCE_DIR = pathlib.Path(os.environ["SPINDRIFT_SOURCE_DIR"])
DONE, FAILURE, USAGE, INVALID_SCENE, INPUT, DIVERGED, OUT_OF_RESOURCES, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130

# 1000 particles by default: a frame takes a few milliseconds.
SCENE = """version = 1
frames = [1, {last}]
[domain]
box = [[0, 0, 0], [0.5, 0.4, 0.2]]
[[liquid]]
spacing = {spacing}
fill = {{ box = [[0, 0, 0], [0.2, 0.2, 0.2]] }}
"""

# 250 particles of two liquids that meet.
TWO_LIQUIDS = """version = 1
frames = [1, {last}]
[domain]
box = [[0, 0, 0], [0.4, 0.2, 0.1]]
[[liquid]]
name = "water"
spacing = {spacing}
fill = {{ box = [[0, 0, 0], [0.1, 0.1, 0.1]] }}
[[liquid]]
name = "oil"
spacing = {spacing}
color = [0.9, 0.2, 0.0]
fill = {{ box = [[0.3, 0, 0], [0.4, 0.1, 0.1]] }}
"""

# Water with an inside that has no particles, a crate in it, and grids beside the frames.
TANK = """version = 1
frames = [1, {last}]
solver = "flip"
flip.narrow_band = 3
output.grids = ["pressure"]
[domain]
box = [[0, 0, 0], [0.3, 0.48, 0.3]]
[[liquid]]
spacing = {spacing}
fill = {{ box = [[0, 0, 0], [0.3, 0.24, 0.3]] }}
[[body]]
box = [[0.1, 0.3, 0.1], [0.2, 0.4, 0.2]]
density = 500
"""

# A picture that takes no time.
SMALL = ("--size", "64x36", "--samples", 1, "--quality", "draft", "--no-movie", "--sheet", 0)


class CliCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def scene(self, name="dam", last=6, spacing=0.02, text=SCENE):
        path = self.folder / f"{name}.toml"
        path.write_text(text.format(last=last, spacing=spacing))
        return path

    def run_cli(self, *arguments, **options):
        command = [PROGRAM, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=120, **options)

    def run_to(self, output, *arguments):
        """The same with another standard output."""
        command = [PROGRAM, *map(str, arguments)]
        return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=120)

    def start_cli(self, *arguments):
        command = [PROGRAM, *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder)

    def expect(self, code, *arguments, says="", **options):
        """Runs, checks the exit code, and that errors begin with the program's name and contain `says`."""
        result = self.run_cli(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        if code != DONE:
            last = result.stderr.strip().splitlines()[-1]
            self.assertTrue(last.startswith("spindrift: "), result.stderr)
        self.assertIn(says, result.stderr + result.stdout)
        return result

    def hashes(self, cache):
        """Content hash of every particle frame of a cache."""
        frames = sorted((self.folder / cache / "particles").glob("*.npz"))
        return {frame.name: hashlib.sha256(frame.read_bytes()).hexdigest() for frame in frames}

    def png_size(self, name):
        data = (self.folder / name).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", data[16:24])

    def manifest(self, cache):
        return json.loads((self.folder / cache / "manifest.json").read_text())
