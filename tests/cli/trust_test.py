"""Caches say when they are not what was written, and what is wrong with them can be repaired."""
import json
import shutil
import signal
import subprocess
import time
import unittest

import numpy

from support import DONE, INPUT, INTERRUPTED, PROGRAM, USAGE, CliCase

SMALL = ("--size", "64x36", "--samples", 1, "--quality", "draft", "--no-movie", "--sheet", 0)

# A crate in water with an inside that has no particles, and grids beside the frames.
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
        self.expect(DONE, "mesh", "dam_cache", says="1 meshes made")
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


class Record(CliCase):
    def test_the_manifest_remembers_who_made_it(self):
        self.expect(DONE, "run", self.scene(), "-e", 3, says="2 frames simulated")
        self.expect(DONE, "resume", "dam_cache", "-e", 4)
        self.expect(DONE, "resume", "dam_cache", "-e", 4, says="nothing to do")
        runs = self.manifest("dam_cache")["runs"]
        self.assertEqual([run["result"] for run in runs], ["complete", "complete"])
        self.assertTrue(runs[0]["command"].startswith("spindrift run "))
        self.assertEqual(runs[1]["command"], "spindrift resume dam_cache -e 4")
        for key in ("commit", "compiler", "instructions", "started", "ended"):
            self.assertTrue(runs[1][key], key)

    def test_a_first_frame_alone_is_something_done(self):
        self.expect(DONE, "run", self.scene(), "-e", 1, says="the first frame is placed")
        self.expect(DONE, "run", "dam.toml", "-e", 1, says="nothing to do")

    def test_files_tell_what_is_in_them(self):
        self.expect(DONE, "run", self.scene(last=2))
        self.expect(DONE, "mesh", "dam_cache", "-f", 2, "--format", "ply,vdb")
        self.expect(DONE, "info", "dam_cache/mesh/liquid.0002.ply", says="triangles")
        self.expect(DONE, "info", "dam_cache/surface/liquid.0002.vdb", says="surface")
        (self.folder / "cut.vdb").write_bytes((self.folder / "dam_cache/surface/liquid.0002.vdb").read_bytes()[:3000])
        self.expect(INPUT, "info", "cut.vdb", says="cut.vdb")


class Beside(CliCase):
    def start(self):
        self.scene(last=60, spacing=0.009)
        process = self.start_cli("run", "dam.toml", "--quiet")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while process.poll() is None and len(self.hashes("dam_cache")) < 4:
            time.sleep(0.005)
        self.assertIsNone(process.poll())
        return process

    def test_finished_frames_can_be_looked_at_while_others_are_simulated(self):
        process = self.start()
        self.expect(DONE, "render", "dam_cache", "-e", 2, *SMALL, says="dam_cache/beside")
        self.expect(DONE, "mesh", "dam_cache", "-e", 2, says="dam_cache/beside")
        self.expect(DONE, "panels", "dam_cache", "--frames", "1,2", "-o", "figure.png", "--width", 64)
        self.expect(DONE, "mesh", "dam_cache", "-e", 2, "-o", "elsewhere")
        self.expect(DONE, "mesh", "dam_cache", "-e", 2, "-o", "elsewhere", says="2 were up to date")
        self.assertIsNone(process.poll(), "the run ended too early to tell")
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, DONE, said)
        self.assertEqual(len(self.hashes("dam_cache")), 60)
        for name in ("dam_cache/beside/preview/liquid.0002.png", "dam_cache/beside/mesh/liquid.0002.ply",
                     "elsewhere/mesh/liquid.0002.ply"):
            self.assertTrue((self.folder / name).exists(), name)
        self.expect(DONE, "check", "dam_cache")


class Streams(CliCase):
    def shell(self, words):
        return subprocess.run(["sh", "-c", words.replace("spindrift", PROGRAM)], cwd=self.folder, timeout=120).returncode

    def test_closed_streams_do_not_end_up_in_files_of_the_cache(self):
        self.scene(last=3)
        self.assertEqual(self.shell("spindrift run dam.toml >&- 2>&- <&-"), DONE)
        self.assertEqual((self.folder / "dam_cache/.lock").read_bytes(), b"")
        self.expect(DONE, "check", "dam_cache")

    def test_folders_behind_links_are_folders(self):
        self.scene(last=3)
        disk = self.folder / "disk"
        disk.mkdir()
        (self.folder / "dam_cache").mkdir()
        (self.folder / "dam_cache/particles").symlink_to(disk)
        (disk / ".liquid.0001.npz.999999.tmp").write_text("left by a killed program")
        (disk / "round").symlink_to(disk)
        self.expect(DONE, "run", "dam.toml")
        self.expect(DONE, "check", "dam_cache")
        self.expect(DONE, "info", "dam_cache")
        self.assertEqual(sorted(path.name for path in disk.iterdir() if path.suffix != ""),
                         [f"liquid.{k:04}.npz" for k in (1, 2, 3)])

    def test_little_memory_is_said_and_not_a_crash(self):
        self.scene(last=3)
        for limit in (60, 120, 250, 500, 1000, 2000):
            code = self.shell(f"ulimit -v {limit * 1000}; spindrift run dam.toml -o cache{limit} --quiet 2>/dev/null")
            # 127: the system could not load the program's libraries.
            self.assertIn(code, (DONE, 1, 6, 127), f"with {limit} MB")

    def test_the_first_signal_is_answered(self):
        self.scene(last=300, spacing=0.009)
        process = self.start_cli("run", "dam.toml")
        while len(self.hashes("dam_cache")) < 2:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn("spindrift: stopping, press again to leave at once", said)


class Setup(CliCase):
    def test_a_scene_is_drawn_before_it_is_simulated(self):
        path = self.scene()
        path.write_text(path.read_text() + """[[emitter]]
disc = { radius = 0.03 }
position = [0.4, 0.3, 0.1]
speed = 1
[[collider]]
sphere = { center = [0.3, 0.05, 0.1], radius = 0.04 }
""")
        small = ("--size", "64x36", "--samples", 1, "--quality", "draft")
        self.expect(DONE, "render", path, "--setup", *small, says="dam_setup.png")
        self.assertEqual(self.png_size("dam_setup.png"), (64, 36))
        self.expect(DONE, "render", path, "--setup", *small, "-o", "shots/one.png")
        self.assertEqual(self.png_size("shots/one.png"), (64, 36))
        self.assertFalse((self.folder / "dam_cache").exists())
        self.expect(DONE, "run", path, "-e", 2)
        self.expect(USAGE, "render", "dam_cache", "--setup", says="give the scene file")


if __name__ == "__main__":
    unittest.main()
