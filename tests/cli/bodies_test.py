"""Bodies as the program tells of them and writes them for others."""
import json
import unittest

import numpy

from support import DONE, INPUT, USAGE, CliCase

# A crate and a sheet that fall into a shallow tank.
SCENE = """version = 1
frames = [1, {last}]
[domain]
box = [[0, 0, 0], [0.3, 0.4, 0.3]]
[[liquid]]
spacing = {spacing}
fill = {{ box = [[0, 0, 0], [0.3, 0.09, 0.3]] }}
[[body]]
name = "crate"
box = [[-0.06, -0.06, -0.06], [0.06, 0.06, 0.06]]
position = [0.1, 0.17, 0.15]
density = 400
[[body]]
name = "a sheet"
kind = "cloth"
sheet = {{ size = [0.08, 0.16], cells = 6 }}
position = [0.24, 0.12, 0.15]
"""


class Bodies(CliCase):
    def setUp(self):
        super().setUp()
        self.path = self.scene("tank", text=SCENE, last=3, spacing=0.03)

    def test_check_weighs_them(self):
        said = self.expect(DONE, "check", self.path, says="2 bodies").stdout
        self.assertIn("crate: rigid, 0.6912 kg, 0.001728 m^3, 400 kg/m^3", said)
        # 0.3 kg on a square metre.
        self.assertIn("a sheet: cloth, 0.00384 kg\n", said)

    def test_numpy_reads_what_a_run_leaves(self):
        self.expect(DONE, "run", self.path)
        frame = numpy.load(self.folder / "tank_cache/bodies/liquid.0003.npz")
        self.assertEqual(bytes(frame["names"]).decode().split("\n"), ["crate", "a sheet"])
        self.assertEqual(frame["center"].dtype, numpy.float64)
        self.assertEqual(frame["turn"].shape, (2, 4))
        self.assertEqual(frame["ledger"].shape, (4, 3))
        self.assertEqual(frame["points.a_sheet"].shape, (28, 3))
        self.assertEqual(frame["surface.a_sheet"].dtype, numpy.float32)
        # Free fall of two frames, or less where water holds it.
        fallen = 0.17 - frame["position"][0, 1]
        self.assertTrue(0 < fallen < 0.5 * 9.81 * (2 / 24) ** 2 * 1.2, fallen)

    def test_info_tells_forces_and_the_ledger(self):
        self.expect(DONE, "run", self.path)
        text = self.expect(DONE, "info", "tank_cache").stdout
        self.assertRegex(text, r"crate +rigid +0.6912 ")
        self.assertRegex(text, r"mismatch +\S+ \(\S+ % of \S+ given in all\)")
        told = json.loads(self.expect(DONE, "info", "tank_cache", "--json").stdout)
        self.assertEqual([body["name"] for body in told["bodies"]], ["crate", "a sheet"])
        self.assertEqual(len(told["bodies"][0]["force"]), 3)
        # What liquid gave is what bodies got, to the rounding of single precision.
        self.assertLess(told["ledger"]["mismatch_share"], 1e-3)
        self.assertGreater(told["ledger"]["given_in_all"], 0)

    def test_export_writes_a_mesh_per_body_and_frame(self):
        self.expect(DONE, "run", self.path)
        self.expect(DONE, "export", "tank_cache", "--stage", "bodies", says="6 files of 2 bodies")
        names = sorted(path.name for path in (self.folder / "tank_cache/bodies").glob("*.ply"))
        self.assertEqual(names, [f"{name}.000{i}.ply" for name in ("a_sheet", "crate") for i in (1, 2, 3)])
        header = (self.folder / "tank_cache/bodies/crate.0002.ply").read_bytes().split(b"end_header")[0]
        self.assertIn(b"property float vx", header)
        entries = self.manifest("tank_cache")["stages"]["bodies/crate.ply"]["frames"]
        self.assertEqual(entries[2]["file"], "bodies/crate.0003.ply")
        self.expect(DONE, "export", self.path, "--stage", "bodies", "--format", "obj,glb", "-s", 2, "-e", 2, "-o", "out",
                    says="4 files of 2 bodies")
        self.assertEqual(sorted(path.suffix for path in (self.folder / "out").iterdir()), [".glb", ".glb", ".obj", ".obj"])
        self.expect(DONE, "resume", "tank_cache", says="nothing to do")

    def test_a_soft_box_is_written_and_drawn_with_the_points_that_bend_it(self):
        soft = self.scene("soft", text=SCENE.replace('name = "crate"', 'name = "crate"\nkind = "soft"'), last=2,
                          spacing=0.03)
        self.expect(DONE, "run", soft)
        points = numpy.load(self.folder / "soft_cache/bodies/liquid.0002.npz")["surface.crate"]
        self.assertGreater(len(points), 8)  # a box of 8 corners alone would stay straight
        self.expect(DONE, "export", "soft_cache", "--stage", "bodies")
        header = (self.folder / "soft_cache/bodies/crate.0002.ply").read_bytes().split(b"end_header")[0]
        self.assertRegex(header, rb"element face \d{3,}\n")
        self.expect(DONE, "render", "soft_cache", "-f", 2, "--size", "64x36", "--quality", "draft", "--no-movie",
                    "--sheet", 0)

    def test_wrong_wishes_are_told_apart(self):
        self.expect(INPUT, "export", self.path, "--stage", "bodies", says="this is not a cache")
        self.expect(DONE, "run", self.path, "-e", 1)
        self.expect(USAGE, "export", "tank_cache", "--stage", "bodies", "--format", "vdb", says="not level sets")
        self.expect(USAGE, "export", "tank_cache", "--stage", "bodyes", says="did you mean 'bodies'?")
        (self.folder / "tank_cache/bodies/liquid.0001.npz").write_bytes(b"PK\x03\x04 no more")
        self.expect(INPUT, "export", "tank_cache", "--stage", "bodies", says="liquid.0001.npz: frame is damaged")
        self.expect(INPUT, "render", "tank_cache", "--no-movie", says="liquid.0001.npz: frame is damaged")


if __name__ == "__main__":
    unittest.main()
