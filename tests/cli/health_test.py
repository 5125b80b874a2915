"""A simulation that goes wrong says so, and one that is beyond repair ends with 5 and keeps its last good frame."""
import json
import unittest

from support import DIVERGED, DONE, SCENE, CliCase

# One step per frame with one pass is far too little for a column: it is pressed together.
TOO_LITTLE = SCENE.replace("[0.5, 0.4, 0.2]", "[0.5, 0.8, 0.2]").replace("[0.2, 0.2, 0.2]", "[0.2, 0.6, 0.2]") + """
[solver]
iterations = 1
substeps = 1
"""
# With steps of a whole second it is thrown about.
HOPELESS = "fps = 1\n" + TOO_LITTLE


class Health(CliCase):
    def statistics(self, cache):
        return [json.loads(line) for line in (self.folder / cache / "statistics.jsonl").read_text().splitlines()]

    def test_compressed_liquid_is_told_of_once_with_its_place_and_in_statistics_and_info(self):
        result = self.expect(DONE, "run", self.scene(text=TOO_LITTLE, last=8))
        warnings = [line for line in result.stderr.splitlines() if "density error of 'liquid'" in line]
        self.assertEqual(len(warnings), 1, result.stderr)
        self.assertRegex(warnings[0], r"compressed by [\d.]+ % on average, most around \(.*\) m; try .*--substeps 2:64")
        bad = [s["frame"] for s in self.statistics("dam_cache") if any("density error of" in e for e in s["events"])]
        self.assertGreater(len(bad), 2)
        told = json.loads(self.expect(DONE, "info", "dam_cache", "--json").stdout)
        kinds = {event["kind"]: event for event in told["events"]}
        event = kinds["density error of 'liquid'"]
        self.assertEqual((event["first"], event["last"], event["frames"]), (bad[0], bad[-1], len(bad)))
        self.expect(DONE, "info", "dam.toml", says=f"  {len(bad)} frames, {bad[0]} to {bad[-1]}: density error of")

    def test_a_sound_dam_has_no_events_with_either_solver(self):
        for solver in ("pbf", "flip"):
            scene = self.scene(last=12)
            self.assertEqual(self.expect(DONE, "run", scene, "-o", solver, "--quiet", "--set",
                                         f"solver.method={solver}").stderr, "")
            self.assertEqual([e for s in self.statistics(solver) for e in s["events"]], [])

    def test_a_hopeless_run_ends_with_5_and_its_last_good_frame_can_be_gone_on_from(self):
        scene = self.scene(text=HOPELESS, last=12)
        result = self.expect(DIVERGED, "run", scene, says="is the last good one and is kept")
        frames = [entry["frame"] for entry in self.manifest("dam_cache")["stages"]["particles"]["frames"]]
        good = frames[-1]
        self.assertIn(f"frame {good} is the last good one", result.stderr)
        self.assertIn(f"`spindrift run {scene} --from {good}`", result.stderr)
        told = self.statistics("dam_cache")
        self.assertEqual([s["frame"] for s in told], list(range(1, good + 4)))
        self.assertTrue(told[-1]["events"][-1].startswith("diverged: "), told[-1])
        info = self.expect(DONE, "info", "dam_cache", says=f"last frame {good}:").stdout
        self.assertIn(f"  frame {good + 3}: diverged: ", info)

        kept = self.hashes("dam_cache")[f"liquid.{good:04}.npz"]
        self.expect(DIVERGED, "resume", "dam_cache", says=f"frame {good} is the last good one")
        self.expect(DONE, "run", scene, "--from", good, "--substeps", "24:512", "--iterations", 4, "-e", good + 1)
        self.assertEqual(self.hashes("dam_cache")[f"liquid.{good:04}.npz"], kept)
        self.assertEqual([s["frame"] for s in self.statistics("dam_cache")], list(range(1, good + 2)))
        self.assertNotIn("diverged", self.expect(DONE, "info", "dam_cache").stdout)


if __name__ == "__main__":
    unittest.main()
