"""Caches say when they are not what was written, and what is wrong with them can be repaired."""
import json
import shutil
import unittest

import numpy

from support import DONE, INPUT, SMALL, TANK, CliCase


class Damage(CliCase):
    def setUp(self):
        super().setUp()
        self.expect(DONE, "run", self.scene(last=8, spacing=0.03, text=TANK))
        self.before = self.everything()

    def frame(self, number, stage="particles", ending="npz"):
        return self.folder / f"dam_cache/{stage}/liquid.{number:04}.{ending}"

    def everything(self):
        return {path: path.read_bytes() for path in (self.folder / "dam_cache").rglob("*.*") if path.suffix in (".npz", ".vdb")}

    def flip_a_bit(self, path):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 4
        path.write_bytes(content)

    def expect_repaired(self, says, *, frames):
        result = self.expect(DONE, "resume", "dam_cache", says=says)
        self.assertIn(frames, result.stdout)
        self.assertEqual(self.everything(), self.before)
        self.expect(DONE, "check", "dam_cache", says="ok: all files are what was written")
        self.expect(DONE, "resume", "dam_cache", says="nothing to do")
        lines = (self.folder / "dam_cache/statistics.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["frame"] for line in lines], list(range(1, 9)))


class Repair(Damage):
    def test_a_frame_in_the_middle_that_is_missing_is_made_again(self):
        self.frame(4).unlink()
        self.expect_repaired("liquid.0004.npz is missing; simulating this frame again", frames="1 frame was missing")

    def test_a_frame_that_was_copied_over_another_is_noticed(self):
        shutil.copyfile(self.frame(6), self.frame(3))
        self.expect_repaired("liquid.0003.npz", frames="1 frame was")

    def test_a_single_bit_is_noticed_once_everything_is_there(self):
        self.flip_a_bit(self.frame(5))
        self.expect_repaired("liquid.0005.npz is damaged", frames="1 frame was")

    def test_parts_of_a_frame_count_as_its_particles_do(self):
        self.frame(2, "bodies").unlink()
        self.flip_a_bit(self.frame(5, "core"))
        self.flip_a_bit(self.frame(6, "grids", "vdb"))
        self.expect_repaired("liquid.0002.npz is missing, and so are files of 2 more frames", frames="3 frames were")

    def test_the_first_frame_can_be_lost_too(self):
        self.frame(1).unlink()
        self.expect_repaired("liquid.0001.npz is missing", frames="1 frame was")

    def test_a_last_frame_that_is_another_is_not_gone_on_from(self):
        shutil.copyfile(self.frame(7), self.frame(8))
        result = self.expect(DONE, "resume", "dam_cache")
        self.assertIn("going back to the frame before", result.stderr)
        self.assertEqual(self.everything(), self.before)

    def test_a_frame_that_was_changed_on_purpose_counts_from_then_on(self):
        path = self.frame(4)
        frame = dict(numpy.load(path))
        frame["v"] = frame["v"] + numpy.float32(0.1)
        numpy.savez(path, **frame)
        self.expect(DONE, "resume", "dam_cache", "--from", 4, says="liquid.0004.npz was changed since it was written; going on")
        self.expect(DONE, "check", "dam_cache")
        self.expect(DONE, "resume", "dam_cache", says="nothing to do")

    def test_a_run_that_goes_on_repairs_what_it_finds_quickly(self):
        self.expect(DONE, "run", "dam.toml", "-e", 10, "-o", "longer")
        self.frame(3).unlink()
        self.expect(DONE, "run", "dam.toml", "-e", 10, says="simulating this frame again")
        self.assertEqual(self.hashes("dam_cache"), self.hashes("longer"))

    def test_statistics_that_are_damaged_are_told_and_stop_nobody(self):
        path = self.folder / "dam_cache/statistics.jsonl"
        lines = path.read_text().splitlines()
        lines[2] = lines[2].replace("{", "[", 1)
        path.write_text("\n".join(lines) + "\n")
        result = self.expect(INPUT, "check", "dam_cache", says="`spindrift resume dam_cache`")
        self.assertIn("statistics.jsonl: line 3 is damaged", result.stdout)
        for verb in (("info", "dam_cache"), ("resume", "dam_cache")):
            self.assertIn("line 3 is damaged", self.expect(DONE, *verb).stderr)
        self.expect(DONE, "check", "dam_cache", says="ok: all files are what was written")
        self.assertEqual(self.everything(), self.before)
        self.expect(DONE, "resume", "dam_cache", says="nothing to do")

    def test_frames_of_another_version_are_made_anew_from_the_damaged_one_on(self):
        manifest = self.folder / "dam_cache/manifest.json"
        text = json.loads(manifest.read_text())
        for entry in text["stages"]["particles"]["frames"]:
            if entry["frame"] >= 4:
                entry["hash"] = "0123456789abcdef"
        manifest.write_text(json.dumps(text))
        self.frame(4).unlink()
        self.expect(DONE, "resume", "dam_cache")
        self.assertEqual(self.everything(), self.before)
        self.expect(DONE, "check", "dam_cache")


class Check(Damage):
    def test_every_file_is_compared_and_named(self):
        self.expect(DONE, "mesh", "dam_cache")
        self.expect(DONE, "render", "dam_cache", *SMALL)
        self.expect(DONE, "check", "dam_cache", says="ok: all files are what was written")
        self.flip_a_bit(self.frame(4))
        self.flip_a_bit(self.frame(5, "mesh", "ply"))
        self.frame(6, "preview", "png").unlink()
        result = self.expect(INPUT, "check", "dam_cache", says="3 files are missing or not what was written")
        for words in ("particles/liquid.0004.npz is damaged", "mesh/liquid.0005.ply is not what was written",
                      "preview/liquid.0006.png is missing"):
            self.assertIn(words, result.stdout)

    def test_what_is_damaged_can_be_removed_and_made_again(self):
        self.expect(DONE, "mesh", "dam_cache")
        mesh = self.frame(5, "mesh", "ply")
        content = mesh.read_bytes()
        self.flip_a_bit(mesh)
        self.flip_a_bit(self.frame(4))
        self.expect(INPUT, "check", "dam_cache", "--remove", says="they are removed; make them again with")
        self.expect(DONE, "resume", "dam_cache")
        self.expect(DONE, "mesh", "dam_cache", says="1 mesh made")
        self.assertEqual(mesh.read_bytes(), content)
        self.expect(DONE, "check", "dam_cache")

    def test_files_of_others_are_told_and_left_alone(self):
        (self.folder / "dam_cache/particles/notes.txt").write_text("mine")
        self.expect(DONE, "check", "dam_cache", says="1 file is there that the cache does not name")

    def test_stale_meshes_and_pictures_are_told(self):
        self.expect(DONE, "mesh", "dam_cache")
        self.expect(DONE, "run", "dam.toml", "--from", 3, "--set", "gravity=[3, -9.81, 0]")
        self.expect(DONE, "check", "dam_cache", says="5 stale: made of other particles")
        self.expect(DONE, "info", "dam_cache", says="5 stale")


if __name__ == "__main__":
    unittest.main()
