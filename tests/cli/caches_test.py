"""A cache belongs to one writer and to one run, whenever and however that is stopped."""
import json
import random
import signal
import time
import unittest

from support import DONE, INPUT, SMALL, TANK, USAGE, CliCase

LAST = 40
SPACING = 0.009  # 10 k particles: some tens of milliseconds a frame
TURNED = ("--set", "gravity=[3, 0, 0]")


class CacheCase(CliCase):
    def start(self, last=LAST):
        """A run that has some frames and more to come."""
        self.scene(last=last, spacing=SPACING)
        process = self.start_cli("run", "dam.toml", "--quiet")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while process.poll() is None and len(self.hashes("dam_cache")) < 4:
            time.sleep(0.005)
        self.assertIsNone(process.poll())
        return process

    def frames(self, cache="dam_cache"):
        return [entry["frame"] for entry in self.manifest(cache)["stages"]["particles"]["frames"]]

    def statistics(self, cache="dam_cache"):
        lines = (self.folder / cache / "statistics.jsonl").read_text().splitlines()
        return [json.loads(line)["frame"] for line in lines]

    def expect_whole(self, last, cache="dam_cache"):
        """Manifest, statistics and files tell of the same frames."""
        wanted = list(range(1, last + 1))
        self.assertEqual(self.frames(cache), wanted)
        self.assertEqual(self.statistics(cache), wanted)
        self.assertEqual(list(self.hashes(cache)), [f"liquid.{frame:04}.npz" for frame in wanted])


class TwoWriters(CacheCase):
    def expect_unharmed(self, *second):
        process = self.start()
        self.expect(USAGE, *second, says="another spindrift is writing into this cache")
        self.assertIsNone(process.poll(), "the first run ended too early to tell")
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, DONE, said)
        self.expect_whole(LAST)
        self.expect(DONE, "run", "dam.toml", says="nothing to do")

    def test_a_second_run_leaves_the_first_alone(self):
        self.expect_unharmed("run", "dam.toml")

    def test_overwriting_beside_a_run_removes_nothing(self):
        self.expect_unharmed("run", "dam.toml", "--overwrite")

    def test_resuming_from_a_frame_beside_a_run_cuts_nothing(self):
        self.expect_unharmed("resume", "dam_cache", "--from", 3)

    def test_removing_damaged_files_beside_a_run_removes_nothing(self):
        self.expect_unharmed("check", "dam_cache", "--remove")

    def test_a_run_that_cannot_begin_leaves_no_folder(self):
        path = self.scene()
        path.write_text(path.read_text().replace("[0.2, 0.2, 0.2]]", "[0.2, 0.001, 0.2]]"))
        self.run_cli("run", path)
        self.assertFalse((self.folder / "dam_cache").exists())


class OneRun(CacheCase):
    def test_files_of_dropped_frames_go_and_files_of_others_stay(self):
        self.expect(DONE, "run", self.scene(last=30))
        mine = self.folder / "dam_cache/particles/notes.txt"
        mine.write_text("mine")
        self.expect(DONE, "run", "dam.toml", "--from", 10, "-e", 15, *TURNED)
        self.expect_whole(15)
        self.expect(DONE, "run", "dam.toml", "--overwrite", "-e", 5)
        self.expect_whole(5)
        self.assertEqual(mine.read_text(), "mine")

    def test_all_that_goes_with_a_frame_goes(self):
        self.expect(DONE, "run", self.scene(last=6, spacing=0.03, text=TANK))
        self.expect(DONE, "run", "dam.toml", "--from", 2, "-e", 3, *TURNED)
        for stage in ("particles", "bodies", "core", "grids"):
            self.assertEqual(len(list((self.folder / "dam_cache" / stage).iterdir())), 3, stage)

    def test_meshes_and_pictures_of_dropped_frames_do_not_mix_with_new_ones(self):
        self.expect(DONE, "run", self.scene(last=5))
        draw = ("render", "dam_cache", "--size", "64x36", "--no-movie", "--sheet", 0)
        self.expect(DONE, "mesh", "dam_cache")
        self.expect(DONE, *draw)
        self.expect(DONE, "run", "dam.toml", "--from", 2, "-e", 3, *TURNED)
        self.expect(DONE, "mesh", "dam_cache", says="2 were up to date")
        self.expect(DONE, *draw)
        self.assertEqual(len(list((self.folder / "dam_cache/mesh").glob("*.ply"))), 3)
        self.assertEqual(len(list((self.folder / "dam_cache/preview").glob("liquid.????.png"))), 3)

    def test_a_kill_while_frames_are_dropped_leaves_a_cache_to_resume(self):
        self.scene(last=12, spacing=0.012)
        self.expect(DONE, "run", "dam.toml", "-o", "old", "--quiet")
        self.expect(DONE, "run", "dam.toml", "-o", "new", "--quiet")
        self.expect(DONE, "run", "dam.toml", "-o", "new", "--quiet", "--from", 4, *TURNED)
        self.expect(DONE, "run", "dam.toml", "-o", "fresh", "--quiet", *TURNED)
        wanted = [self.hashes(cache) for cache in ("old", "new", "fresh")]
        moments = random.Random(5)
        for k in range(12):
            self.expect(DONE, "run", "dam.toml", "--quiet", "--overwrite")
            change = ("--overwrite",) if k % 2 else ("--from", 4)
            process = self.start_cli("run", "dam.toml", "--quiet", *change, *TURNED)
            time.sleep(moments.uniform(0, 0.2))
            process.kill()
            process.communicate()
            self.expect(DONE, "resume", "dam_cache", "--quiet")
            self.expect_whole(12)
            self.assertIn(self.hashes("dam_cache"), wanted)
            self.assertEqual([p.name for p in (self.folder / "dam_cache").rglob("*.tmp")], [])

    def test_a_kill_between_manifest_and_scene_goes_on_with_the_new_scene(self):
        self.expect(DONE, "run", self.scene(), "-e", 3)
        cache = self.folder / "dam_cache"
        old = (cache / "scene.toml").read_text()
        self.expect(DONE, "run", "dam.toml", "--overwrite", "-e", 3, *TURNED)
        (cache / "scene.toml").rename(cache / "scene.next.toml")
        (cache / "scene.toml").write_text(old)
        self.expect(DONE, "resume", "dam_cache", "-e", 6)
        self.expect(DONE, "run", "dam.toml", "-o", "whole", *TURNED)
        self.assertEqual(self.hashes("dam_cache"), self.hashes("whole"))
        self.assertFalse((cache / "scene.next.toml").exists())


class Beside(CacheCase):
    def test_finished_frames_can_be_looked_at_while_others_are_simulated(self):
        process = self.start(last=60)
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


if __name__ == "__main__":
    unittest.main()
