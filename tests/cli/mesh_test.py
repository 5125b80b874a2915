"""Meshes of a cache by the program: `spindrift mesh`, and what `info` tells of them."""
import json
import resource
import shutil
import subprocess
import unittest

from support import DONE, INPUT, INVALID_SCENE, OUT_OF_RESOURCES, TWO_LIQUIDS, USAGE, CliCase

QUICK = ("--voxel", 1)


class Mesh(CliCase):
    def meshes(self, cache="dam_cache"):
        return sorted(path.name for path in (self.folder / cache / "mesh").glob("*.*.*"))

    def test_meshes_are_made_once_and_again_when_settings_change(self):
        self.expect(DONE, "run", self.scene(), "-e", 3)
        made = self.expect(DONE, "mesh", "dam_cache", *QUICK, says="3 meshes made")
        self.assertIn("3 frames: all watertight and manifold; volume ", made.stdout)
        self.assertIn("Progress: 100.0% frame ", made.stderr)
        self.assertEqual(self.meshes(), [f"liquid.000{frame}.ply" for frame in (1, 2, 3)])
        self.assertEqual(len(self.manifest("dam_cache")["stages"]["mesh"]["frames"]), 3)
        self.expect(DONE, "mesh", "dam.toml", *QUICK, says="0 meshes made")
        self.expect(DONE, "mesh", "dam_cache", *QUICK, "--smoothing", 0, "-f", 2, says="1 mesh made")
        self.expect(DONE, "mesh", "dam_cache", *QUICK, says="1 of 3 meshes are stale")
        self.expect(DONE, "resume", "dam_cache", says="nothing to do")

    def test_formats_functions_and_any_other_setting(self):
        self.expect(DONE, "run", self.scene(), "-e", 2)
        self.expect(DONE, "mesh", "dam_cache", *QUICK, "--format", "ply,obj,vdb", "--function", "zhu_bridson", "--radius", 3,
                    "--set", "mesh.channels=[\"density\"]", "-s", 2, "-t", 1, says="1 mesh made")
        self.assertEqual(self.meshes(), ["liquid.0002.obj", "liquid.0002.ply"])
        header = (self.folder / "dam_cache/mesh/liquid.0002.ply").read_bytes()[:1000]
        for word in (b"nx", b"vx", b"density"):
            self.assertIn(b"property float " + word, header)
        if not shutil.which("vdb_print"):
            self.skipTest("vdb_print is not installed")
        grids = subprocess.run(["vdb_print", self.folder / "dam_cache/surface/liquid.0002.vdb"], capture_output=True, text=True,
                               check=True).stdout
        self.assertIn("surface", grids)
        self.assertIn("vel", grids)

    def test_several_liquids_have_files_of_their_own(self):
        self.expect(DONE, "run", self.scene("two", last=2, text=TWO_LIQUIDS))
        self.expect(DONE, "mesh", "two.toml", *QUICK, says="2 frames: all watertight and manifold")
        self.assertEqual(self.meshes("two_cache"), [f"liquid.{kind}000{frame}.ply" for kind in ("", "oil.", "water.")
                                                    for frame in (1, 2)])

    def test_info_tells_the_quality_of_meshes(self):
        self.expect(DONE, "run", self.scene(), "-e", 3)
        self.assertEqual(json.loads(self.expect(DONE, "info", "dam_cache", "--json").stdout)["meshes"], [])
        self.expect(DONE, "mesh", "dam_cache", *QUICK)
        told = self.expect(DONE, "info", "dam_cache", says="stage  mesh: 3 files, frames 1 to 3").stdout
        self.assertIn("meshes of 3 frames: all watertight and manifold", told)
        self.assertIn("triangles", told)
        info = json.loads(self.expect(DONE, "info", "dam_cache", "--json").stdout)
        self.assertEqual([mesh["frame"] for mesh in info["meshes"]], [1, 2, 3])
        lines = (self.folder / "dam_cache/mesh/quality.jsonl").read_text().splitlines()
        for mesh, line in zip(info["meshes"], map(json.loads, lines), strict=True):
            self.assertEqual(mesh, line)
            self.assertTrue(mesh["watertight"] and mesh["manifold"])
            self.assertAlmostEqual(mesh["volume_ratio"], 1, delta=0.1)

    def test_wrong_words_get_a_suggestion(self):
        self.expect(DONE, "run", self.scene(), "-e", 1)
        self.expect(DONE, "mesh", "--help", says="--function NAME")
        self.expect(INVALID_SCENE, "mesh", "dam_cache", "--function", "normalised", says="did you mean 'normalized'?")
        self.expect(INVALID_SCENE, "mesh", "dam_cache", "--format", "plu", says="did you mean 'ply'?")
        self.expect(INVALID_SCENE, "mesh", "dam_cache", "--voxel", 0, says="voxel")
        self.expect(INVALID_SCENE, "mesh", "dam_cache", "--set", "mesh.channels=[\"densty\"]",
                    says="did you mean 'density'?")
        self.expect(USAGE, "mesh", "dam_cache", "--voxels", 1, says="did you mean '--voxel'?")
        self.expect(USAGE, "mesh", "dam_cache", "-f", 9, says="it has 1 to 1")

    def test_particles_that_are_not_there_are_missing_input(self):
        self.expect(INPUT, "mesh", self.scene(), says="dam_cache")
        self.expect(INPUT, "mesh", "nowhere.toml", says="nowhere.toml")
        self.expect(DONE, "run", self.scene(), "-e", 2)
        (self.folder / "dam_cache/particles/liquid.0002.npz").unlink()
        self.expect(INPUT, "mesh", "dam_cache", *QUICK, says="liquid.0002.npz")

    def test_a_full_disk_ends_with_6_and_the_next_call_goes_on(self):
        self.expect(DONE, "run", self.scene(), "-e", 2)
        self.expect(DONE, "mesh", "dam_cache", *QUICK, "-f", 1)
        before = (self.folder / "dam_cache/mesh/liquid.0001.ply").read_bytes()
        largest = len(before) // 2
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
        self.expect(OUT_OF_RESOURCES, "mesh", "dam_cache", *QUICK, preexec_fn=limit)
        self.assertEqual(self.meshes(), ["liquid.0001.ply"])
        self.assertEqual((self.folder / "dam_cache/mesh/liquid.0001.ply").read_bytes(), before)
        self.expect(DONE, "mesh", "dam_cache", *QUICK, says="1 were up to date")


if __name__ == "__main__":
    unittest.main()
