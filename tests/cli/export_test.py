"""Colliders as OpenVDB files, as other programs and our own reader find them."""
import json
import re
import shutil
import subprocess
import unittest

from support import DONE, INPUT, INVALID_SCENE, USAGE, CliCase

# A ball that moves at 2 m/s, another that goes round at 1 m from its axis once per second, a step and a floor.
SCENE = """version = 1
frames = [1, {last}]
[[liquid]]
spacing = {spacing}
fill = {{ box = [[0, 1, 0], [0.1, 1.1, 0.1]] }}
[[collider]]
name = "ball"
sphere = {{ center = [0, 0, 0], radius = 0.2 }}
position = [[1, [0, 0, 0]], [25, [2, 0, 0]]]
[[collider]]
name = "moon"
sphere = {{ center = [1, 0, 0], radius = 0.05 }}
rotation_deg = [[1, [0, 0, 0]], [25, [0, 360, 0]]]
[[collider]]
name = "step"
box = [[-0.2, -0.5, -0.2], [0.2, -0.4, 0.2]]
[[collider]]
name = "floor"
plane = {{ point = [0, -1, 0], normal = [0, 1, 0] }}
"""


class Export(CliCase):
    def files(self, folder="dam_cache/collision"):
        return sorted(path.name for path in (self.folder / folder).glob("*.vdb"))

    def grids(self, name):
        """Grids as vdb_print tells of them: name -> (type, smallest value, largest value)."""
        if not shutil.which("vdb_print"):
            self.skipTest("vdb_print is not installed")
        said = subprocess.run(["vdb_print", "-l", self.folder / name], capture_output=True, text=True, check=True)
        numbers = lambda text: [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]
        found = re.findall(r"^Name: (\w+).*?Type: Tree_(\w+?)_.*?Min value: (.*?)\n.*?Max value: (.*?)\n", said.stdout,
                           re.DOTALL | re.MULTILINE)
        return {grid: (kind, numbers(low), numbers(high)) for grid, kind, low, high in found}

    def test_files_per_frame_for_what_moves_and_one_for_what_stands_still(self):
        scene = self.scene(text=SCENE, last=3)
        result = self.expect(DONE, "export", scene, "--stage", "collision", says="7 files of 3 colliders")
        self.assertIn("'floor' is a plane", result.stderr)
        self.assertIn("Progress: 100.0% frame 3/3", result.stderr)
        moving = [f"{name}.000{frame}.vdb" for name in ("ball", "moon") for frame in (1, 2, 3)]
        self.assertEqual(self.files(), moving + ["step.vdb"])
        self.expect(DONE, "export", scene, "--stage", "collision", "-s", 2, "-e", 2, "-o", "out", "--quiet")
        self.assertEqual(self.files("out"), ["ball.0002.vdb", "moon.0002.vdb", "step.vdb"])

    def test_grids_are_level_sets_in_metres_and_velocities(self):
        self.expect(DONE, "export", self.scene(text=SCENE, last=1), "--stage", "collision")
        ball = self.grids("dam_cache/collision/ball.0001.vdb")
        self.assertEqual(sorted(ball), ["collision", "collisionvel"])
        kind, low, high = ball["collision"]
        self.assertEqual(kind, "float")
        self.assertTrue(-0.2 < low[0] < -0.04 and 0.04 < high[0] < 0.2, ball)
        self.assertEqual(ball["collisionvel"], ("vec3s", [2, 0, 0], [2, 0, 0]))
        self.assertEqual(self.grids("dam_cache/collision/step.vdb")["collisionvel"], ("vec3s", [0] * 3, [0] * 3))
        # 2 pi m/s along -z at the centre, and no more than 0.15 m, the radius with its band, of difference.
        _, low, high = self.grids("dam_cache/collision/moon.0001.vdb")["collisionvel"]
        for value in (low, high):
            self.assertAlmostEqual(value[2], -6.283, delta=6.283 * 0.2)
            self.assertLess(abs(value[0]), 6.283 * 0.2)
            self.assertLess(abs(value[1]), 0.01)

    def test_meshes_that_deform_carry_their_velocity(self):
        for frame in (1, 2, 3):
            y = 0.01 * frame
            (self.folder / f"sheet.000{frame}.obj").write_text(
                f"v 0 {y} 0\nv 0.3 {y} 0\nv 0.3 {y} 0.3\nv 0 {y} 0.3\nf 1 3 2\nf 1 4 3\n")
        sheet = '[[collider]]\nmesh = "sheet.####.obj"\nmode = "shell"\n'
        scene = self.scene(text=SCENE.split("[[collider]]")[0] + sheet, last=2)
        self.expect(DONE, "export", scene, "--stage", "collision")
        self.assertEqual(self.files(), ["collider_0.0001.vdb", "collider_0.0002.vdb"])
        _, low, high = self.grids("dam_cache/collision/collider_0.0001.vdb")["collisionvel"]
        # Nodes beyond the nearest triangle's reach stand still.
        self.assertAlmostEqual(high[1], 0.24, delta=1e-4)
        self.assertTrue(-1e-4 < low[1] < 0.2401, low)

    def test_what_is_exported_collides_when_it_is_read_again(self):
        self.expect(DONE, "export", self.scene(text=SCENE, last=1), "--stage", "collision", "-o", "out")
        head = SCENE.split("[[collider]]")[0].replace("[0, 1, 0], [0.1, 1.1, 0.1]", "[-0.1, 0, -0.1], [0.1, 0.3, 0.1]")
        text = head + '[[collider]]\nvdb = "out/ball.0001.vdb"\n'
        self.expect(DONE, "run", self.scene("again", text=text, last=2))
        frame = json.loads(self.expect(DONE, "info", "again_cache/particles/liquid.0002.npz", "--json").stdout)
        # Of 1500 particles in the box the ball, 0.2 m in radius, takes the lower part: up to 0.14 to 0.2 m of 0.3 m.
        self.assertTrue(500 * 0.9 < frame["particles"] < 800, frame)

    def test_a_cache_names_its_exported_files(self):
        self.expect(DONE, "run", self.scene(text=SCENE, last=2, spacing=0.03))
        self.expect(DONE, "export", "dam_cache", "--stage", "collision")
        stages = self.manifest("dam_cache")["stages"]
        self.assertEqual([entry["file"] for entry in stages["collision/ball"]["frames"]],
                         ["collision/ball.0001.vdb", "collision/ball.0002.vdb"])
        self.assertEqual(len(stages["collision/step"]["frames"]), 1)
        self.expect(DONE, "resume", "dam_cache", says="nothing to do")

    def test_wrong_wishes_are_told_apart(self):
        scene = self.scene(text=SCENE)
        self.expect(USAGE, "export", scene, says="--stage is required")
        self.expect(USAGE, "export", scene, "--stage", "colision", says="did you mean 'collision'?")
        self.expect(INPUT, "export", "nowhere.toml", "--stage", "collision", says="nowhere.toml")
        (self.folder / "empty").mkdir()
        self.expect(INPUT, "export", "empty", "--stage", "collision", says="this is not a cache")
        self.expect(INVALID_SCENE, "export", scene, "--stage", "collision", "-s", 5, "-e", 2, says="frames")
        self.expect(USAGE, "export", self.scene("bare"), "--stage", "collision", says="no colliders to export")
        missing = self.scene("lost", text=SCENE.replace('box = [[-0.2, -0.5, -0.2], [0.2, -0.4, 0.2]]',
                                                        'mesh = "lost.obj"'))
        self.expect(INPUT, "export", missing, "--stage", "collision", says="lost.obj")
        self.expect(DONE, "export", "--help", says="distance in m")


if __name__ == "__main__":
    unittest.main()
