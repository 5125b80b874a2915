"""Ctrl-C and its relatives end long work soon, say so, and leave nothing half done."""
import json
import signal
import struct
import time
import unittest

import numpy

from support import DONE, INTERRUPTED, SCENE, CliCase

# A second is promised; a machine that does other things as well gets more.
SOON = 5
# By then the program is at work, and far from done: the tests say so if it is not.
MOMENT = 2

# Cells are at least half of the spacing, and few particles are enough.
FINE = 0.0008
ROCK = SCENE.replace("[0.2, 0.2, 0.2]]", "[0.02, 0.02, 0.02]]") + """[[collider]]
name = "rock"
mesh = "rock.stl"
cell = 0.0004
"""


def write_rock(path, rings=700):
    """A rough ball of a million triangles."""
    u, v = numpy.meshgrid(numpy.linspace(0, 2 * numpy.pi, rings + 1), numpy.linspace(0, numpy.pi, rings + 1))
    r = 0.08 + 0.002 * numpy.sin(40 * u) * numpy.sin(40 * v)
    p = numpy.stack([0.35 + r * numpy.cos(u) * numpy.sin(v), 0.1 + r * numpy.cos(v), 0.1 + r * numpy.sin(u) * numpy.sin(v)], -1)
    a, b, c, d = p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]
    faces = numpy.stack([a, b, c, a, c, d], 2).reshape(-1, 3, 3).astype("<f4")
    record = numpy.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    record["corners"] = faces
    path.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + record.tobytes())


class Interrupt(CliCase):
    def expect_stop(self, *arguments, says, by=signal.SIGINT):
        process = self.start_cli(*arguments)
        time.sleep(MOMENT)
        self.assertIsNone(process.poll(), "the work was done too soon to tell")
        process.send_signal(by)
        start = time.monotonic()
        _, said = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - start, SOON)
        self.assertEqual(process.returncode, INTERRUPTED, said)
        self.assertIn("spindrift: stopped", said.splitlines()[-1])
        self.assertIn(says, said.splitlines()[-1])
        self.assertEqual([path for path in self.folder.rglob("*.tmp")], [])


class Pictures(Interrupt):
    heavy = ("--quality", "final", "--set", "render.samples=4096")

    def test_a_picture_is_left_in_the_middle(self):
        self.expect(DONE, "run", self.scene(last=2))
        for by in (signal.SIGINT, signal.SIGTERM):
            self.expect_stop("render", "dam_cache", "--size", "1920x1080", "--progressive", *self.heavy,
                             says="go on with: spindrift render dam_cache", by=by)
        self.assertEqual(list((self.folder / "dam_cache/preview").iterdir()), [])
        self.expect(DONE, "render", "dam_cache", "--size", "64x36", "--no-movie")

    def test_a_picture_tells_how_far_it_is(self):
        self.expect(DONE, "run", self.scene(last=2))
        process = self.start_cli("render", "dam_cache", "--size", "1920x1080", "--log-json", *self.heavy)
        told = json.loads(process.stderr.readline())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual((told["event"], told["done"]), ("progress", 0))
        self.assertRegex(told["detail"], r"frame 1/2: \d+ %, .+ to go")
        self.assertNotIn("seconds_left", told, "nobody knows before the first picture is done")

    def test_a_figure_is_left_in_the_middle(self):
        self.expect(DONE, "run", self.scene(last=2))
        self.expect_stop("panels", "dam_cache", "-o", "figure.png", "--width", 1920, *self.heavy, says="none written")
        self.expect_stop("panels", "dam_cache", "-o", "both.mp4", "--width", 1920, *self.heavy, says="none written")
        left = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(left, ["dam.toml", "dam_cache"])


class Whitewater(Interrupt):
    def test_it_is_left_in_the_middle_and_goes_on(self):
        self.expect(DONE, "run", self.scene(last=12), "--quiet")
        heavy = ("--set", "whitewater.spacing=0.05", "--set", "whitewater.most=100000000", "--set",
                 "whitewater.causes=[\"isolation\", \"trapped_air\", \"crest\", \"vorticity\"]", "--set",
                 "whitewater.vorticity.speed=[0.01, 0.02]", "--set", "whitewater.energy=[0.001, 0.01]")
        self.expect_stop("whitewater", "dam_cache", *heavy, says="go on with: spindrift whitewater dam_cache")
        self.expect(DONE, "whitewater", "dam_cache")


class Fields(Interrupt):
    def setUp(self):
        super().setUp()
        write_rock(self.folder / "rock.stl")

    def test_a_check_is_left_in_the_middle(self):
        self.expect_stop("check", self.scene(text=ROCK, spacing=FINE), says="before the check was complete", by=signal.SIGTERM)

    def test_a_run_that_makes_fields_leaves_no_cache(self):
        self.expect_stop("run", self.scene(text=ROCK, spacing=FINE), says="before the first step")
        self.assertFalse((self.folder / "dam_cache/manifest.json").exists())

    def test_an_export_is_left_in_the_middle(self):
        self.expect_stop("export", self.scene(text=ROCK, spacing=FINE), "--stage", "collision", "-o", "fields", says="fields")
        self.assertFalse((self.folder / "fields").exists())

    def test_meshes_cut_at_a_field_are_left_before_the_first(self):
        path = self.scene(last=2, text=ROCK.replace("0.0004", "0.02"), spacing=FINE)
        self.expect(DONE, "run", path, "--quiet")
        copy = self.folder / "dam_cache/scene.toml"
        copy.write_text(copy.read_text().replace("cell = 0.02", "cell = 0.0004"))
        self.expect_stop("mesh", "dam_cache", says="go on with: spindrift mesh dam_cache")
        self.assertEqual(list((self.folder / "dam_cache/mesh").glob("*.ply")), [])


if __name__ == "__main__":
    unittest.main()
