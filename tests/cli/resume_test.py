"""However a run is stopped, going on gives the frames of a run that never was."""
import json
import random
import signal
import time
import unittest

from support import DONE, INTERRUPTED, CliCase

LAST = 16
SPACING = 0.009  # 10 k particles: some tens of milliseconds a frame


# Empty at first, a jet for some frames, empty again.
JET = """version = 1
frames = [1, {last}]
[[liquid]]
spacing = {spacing}
[[emitter]]
disc = {{ radius = 0.05 }}
speed = 2
active = [3, 4.5]
[[killer]]
age = 0.1
"""


class Resume(CliCase):
    def reference(self):
        self.expect(DONE, "run", self.scene(last=LAST, spacing=SPACING), "-o", "reference", "--quiet")
        return self.hashes("reference")

    def wait_for_frames(self, process, count):
        while process.poll() is None and len(self.hashes("dam_cache")) < count:
            time.sleep(0.005)

    def test_ctrl_c_then_resume_gives_the_same_bits(self):
        reference = self.reference()
        process = self.start_cli("run", "dam.toml")
        self.wait_for_frames(process, 4)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        self.assertEqual(process.returncode, INTERRUPTED, said)
        self.assertIn("spindrift resume dam_cache", said)
        self.assertLess(len(self.hashes("dam_cache")), LAST)
        self.expect(DONE, "resume", "dam_cache")
        self.assertEqual(self.hashes("dam_cache"), reference)

    def test_kill_at_any_moment_then_resume_gives_the_same_bits(self):
        reference = self.reference()
        moments, killed = random.Random(7), 0
        for _ in range(6):
            process = self.start_cli("run", "dam.toml", "--quiet")
            time.sleep(moments.uniform(0.02, 0.35))
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
        self.assertGreater(killed, 1)
        self.expect(DONE, "run", "dam.toml")
        self.assertEqual(self.hashes("dam_cache"), reference)
        leftovers = [p.name for p in (self.folder / "dam_cache").rglob("*.tmp")]
        self.assertEqual(leftovers, [])

    def test_a_second_program_may_not_write_into_the_same_cache(self):
        self.scene(last=LAST, spacing=SPACING)
        process = self.start_cli("run", "dam.toml")
        self.wait_for_frames(process, 2)
        self.assertEqual(self.run_cli("run", "dam.toml").returncode, 2)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, INTERRUPTED)


class Frames(CliCase):
    def test_results_do_not_depend_on_the_number_of_threads(self):
        self.scene(last=4, spacing=SPACING)
        for threads in (1, 2, 3, 4):
            self.expect(DONE, "run", "dam.toml", "-t", threads, "-o", f"cache{threads}")
        for threads in (2, 3, 4):
            self.assertEqual(self.hashes(f"cache{threads}"), self.hashes("cache1"))

    def test_a_longer_shot_goes_on_from_a_shorter_one(self):
        self.expect(DONE, "run", self.scene(), "-o", "whole")
        self.expect(DONE, "run", "dam.toml", "-e", 3)
        self.assertEqual(len(self.hashes("dam_cache")), 3)
        self.expect(DONE, "resume", "dam.toml", "-e", 6)
        self.assertEqual(self.hashes("dam_cache"), self.hashes("whole"))
        self.expect(DONE, "run", "dam.toml", says="nothing to do")

    def test_a_scene_that_starts_and_ends_empty_runs_renders_and_resumes(self):
        self.expect(DONE, "run", self.scene("jet", last=9, text=JET), "-o", "whole")
        for last in (2, 4, 9):
            self.expect(DONE, "run", "jet.toml", "-e", last)
        self.assertEqual(self.hashes("jet_cache"), self.hashes("whole"))
        statistics = (self.folder / "whole/statistics.jsonl").read_text().splitlines()
        counts = [json.loads(line)["particles"] for line in statistics]
        self.assertEqual(counts[:3] + counts[-1:], [0, 0, 0, 0])
        self.assertGreater(counts[3], 50)
        self.expect(DONE, "render", "whole", "--size", "64x36", "--no-movie")

    def test_from_keeps_frames_and_simulates_the_rest_anew(self):
        self.expect(DONE, "run", self.scene())
        before = self.hashes("dam_cache")
        self.expect(DONE, "run", "dam.toml", "--from", 3)
        self.assertEqual(self.hashes("dam_cache"), before)
        self.expect(DONE, "run", "dam.toml", "--from", 3, "--set", "gravity=[3, 0, 0]")
        after = self.hashes("dam_cache")
        kept = [name for name in before if before[name] == after[name]]
        self.assertEqual(kept, ["liquid.0001.npz", "liquid.0002.npz", "liquid.0003.npz"])


if __name__ == "__main__":
    unittest.main()
