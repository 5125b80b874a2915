"""Grids of the solver as OpenVDB's own tool finds them, and as caches keep them."""
import json
import re
import resource
import shutil
import subprocess
import time
import unittest

from support import DONE, INVALID_SCENE, OUT_OF_RESOURCES, CliCase

# Water 0.24 m deep and at rest, in cells of 0.06 m.
TANK = """version = 1
frames = [1, {last}]
solver = "flip"
[domain]
box = [[0, 0, 0], [0.3, 0.48, 0.3]]
[[liquid]]
spacing = {spacing}
fill = {{ box = [[0, 0, 0], [0.3, 0.24, 0.3]] }}
[output]
grids = ["vel", "surface", "pressure"]
"""
# A column that collapses, some tens of milliseconds a frame.
COLUMN = TANK.replace("[0.3, 0.48, 0.3]", "[0.8, 0.6, 0.3]").replace("[0.3, 0.24, 0.3]", "[0.3, 0.5, 0.3]")


class Grids(CliCase):
    def files(self, cache="dam_cache"):
        """Bytes of every file of grids."""
        return {path.name: path.read_bytes() for path in sorted((self.folder / cache / "grids").glob("*.vdb"))}

    def printed(self, name):
        """Grids as vdb_print tells of them: name -> text."""
        if not shutil.which("vdb_print"):
            self.skipTest("vdb_print is not installed")
        said = subprocess.run(["vdb_print", "-l", "-m", self.folder / name], capture_output=True, text=True, check=True)
        return dict(re.findall(r"^Name: (\w+)\n(.*?)(?=^Name: |\Z)", said.stdout, re.DOTALL | re.MULTILINE))

    def test_openvdb_finds_names_classes_units_and_places(self):
        self.expect(DONE, "run", self.scene(text=TANK, last=8, spacing=0.03))
        grids = self.printed("dam_cache/grids/liquid.0008.vdb")
        self.assertEqual(sorted(grids), ["pressure", "surface", "vel"])
        expected = {"pressure": ("Tree_float", "unit: Pa"),
                    "surface": ("Tree_float", "unit: m\n", "class: level set", "Background value: 0.06"),
                    "vel": ("Tree_vec3s", "unit: m/s", "class: staggered")}
        # Index (0, 0, 0) is the middle of the first cell.
        everywhere = ("frame: 8", "time: 0.291667", "solver: flip", "voxel size: 0.06", "[0.03, 0.03, 0.03, 1]")
        for name, parts in expected.items():
            for part in parts + everywhere:
                self.assertIn(part, grids[name])
        # 998.2 kg/m^3 and 9.81 m/s^2, at a depth of 0.21 m; the solver's surface is up to 0.6 cells higher, and no
        # more than 0.05 lower.
        highest = float(re.search(r"Max value: (.*)", grids["pressure"]).group(1))
        self.assertTrue(998.2 * 9.81 * (0.21 - 0.05 * 0.06) < highest < 998.2 * 9.81 * (0.21 + 0.6 * 0.06), highest)

    def test_position_based_fluids_have_no_grid(self):
        scene = self.scene(text=TANK.replace('solver = "flip"\n', ""))
        self.expect(INVALID_SCENE, "run", scene, says='dam.toml:9:9: grids: position based fluids have no grid')
        self.expect(INVALID_SCENE, "check", scene, says='write solver = "flip"')

    def test_info_lists_them(self):
        self.expect(DONE, "run", self.scene(text=TANK, last=3, spacing=0.03))
        said = self.expect(DONE, "info", "dam_cache", says="stage  grids: 3 files, frames 1 to 3").stdout
        self.assertRegex(said, r"\nvel +vec3s +m/s +\d+ ")
        told = json.loads(self.expect(DONE, "info", "dam_cache", "--json").stdout)
        self.assertEqual([(grid["name"], grid["unit"], grid["voxel_size"]) for grid in told["grids"]],
                         [("vel", "m/s", 0.06), ("surface", "m", 0.06), ("pressure", "Pa", 0.06)])
        self.assertGreater(told["grids"][2]["max"], 1000)

    def test_a_full_disk_ends_with_6_and_keeps_earlier_frames(self):
        self.expect(DONE, "run", self.scene(text=COLUMN, last=6, spacing=0.03), "-o", "whole")
        self.expect(DONE, "run", "dam.toml", "-e", 3)
        before, frames = self.files(), self.hashes("dam_cache")
        largest_file = max(map(len, before.values())) - 100
        biggest_frame = max(path.stat().st_size for path in (self.folder / "whole/particles").glob("*.npz"))
        self.assertLess(biggest_frame, largest_file)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        self.expect(OUT_OF_RESOURCES, "resume", "dam_cache", "-e", 6, preexec_fn=limit, says="no space left")
        self.assertEqual({name: self.files()[name] for name in before}, before)
        # A file may be a little smaller than the largest of the first three, but not all of them.
        self.assertIn(len(self.manifest("dam_cache")["stages"]["particles"]["frames"]), (3, 4, 5))
        self.expect(DONE, "resume", "dam_cache", "-e", 6)
        self.assertEqual(self.files(), self.files("whole"))
        self.assertEqual(self.hashes("dam_cache"), self.hashes("whole"))

    def test_kill_at_any_moment_then_resume_gives_the_same_files(self):
        self.expect(DONE, "run", self.scene(text=COLUMN, last=12, spacing=0.02), "-o", "whole", "--quiet")
        killed = 0
        for k in range(5):
            process = self.start_cli("run", "dam.toml", "--quiet")
            time.sleep(0.05 + 0.06 * k)
            process.kill()
            process.communicate()
            killed += process.returncode < 0
        self.assertGreater(killed, 1)
        # On a machine that is busy all may be killed before there is a cache to resume.
        again = ["resume", "dam_cache"] if (self.folder / "dam_cache/manifest.json").exists() else ["run", "dam.toml"]
        self.expect(DONE, *again, "-e", 12)
        self.assertEqual(self.files(), self.files("whole"))
        self.assertEqual(list((self.folder / "dam_cache").rglob("*.tmp")), [])

    def test_files_do_not_depend_on_the_number_of_threads(self):
        self.scene(text=COLUMN, last=4, spacing=0.02)
        for threads in (1, 2, 3):
            self.expect(DONE, "run", "dam.toml", "-t", threads, "-o", f"cache{threads}")
        self.assertEqual(len(self.files("cache1")), 4)
        for threads in (2, 3):
            self.assertEqual(self.files(f"cache{threads}"), self.files("cache1"))


if __name__ == "__main__":
    unittest.main()
