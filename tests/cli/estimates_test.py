"""What a scene will take is told before, of all that is made of it."""
import json
import os
import subprocess
import unittest

from support import DONE, PROGRAM, SCENE, CliCase

BALL = SCENE + """[[collider]]
name = "ball"
sphere = {{ center = [0.35, 0.05, 0.1], radius = 0.05 }}
"""
SANITIZED = b"__asan_init" in open(PROGRAM, "rb").read()


class Estimates(CliCase):
    def peak_bytes(self, *arguments):
        with subprocess.Popen([PROGRAM, *map(str, arguments), "--quiet"], cwd=self.folder) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, DONE)
        return usage.ru_maxrss * 1024

    def bytes_in(self, *folders):
        return sum(file.stat().st_size for folder in folders for file in (self.folder / "dam_cache" / folder).iterdir())

    def expect_within(self, factor, told, came, what):
        self.assertGreater(told, came / factor, what)
        self.assertLess(told, came * factor, what)

    def test_memory_and_disk_of_every_verb_are_told_about_right(self):
        for spacing in (0.02, 0.01):
            path = self.scene(last=12, spacing=spacing, text=BALL)
            told = json.loads(self.expect(DONE, "info", path, "--json").stdout)
            self.assertGreater(told["field_bytes"], 0)
            # Splashes have more surface than liquid at rest, and pictures compress as they will.
            verbs = {"run": (("run", path, "--overwrite"), ("particles", "collision"), 1.2),
                     "mesh": (("mesh", "dam_cache"), ("mesh",), 3),
                     "render": (("render", "dam_cache", "--no-movie", "--sheet", 0, "--quality", "draft"), ("preview",), 3)}
            for verb, (command, folders, factor) in verbs.items():
                peak = self.peak_bytes(*command)
                self.expect_within(factor, told["estimates"][verb]["disk_bytes"], self.bytes_in(*folders), f"{verb} at {spacing}: disk")
                if not SANITIZED:
                    self.expect_within(2, told["estimates"][verb]["memory_bytes"], peak, f"{verb} at {spacing}: memory")

    def test_whitewater_of_a_splash_is_told_within_a_few_times(self):
        path = self.scene(last=16, text=SCENE + "[whitewater]\n")
        told = json.loads(self.expect(DONE, "info", path, "--json").stdout)["estimates"]["whitewater"]
        self.expect(DONE, "run", path, "--quiet", "--set", "whitewater.amount=0")
        peak = self.peak_bytes("whitewater", path)
        # How much liquid splashes nobody knows before: a dam that breaks does so half of this time.
        self.expect_within(5, told["disk_bytes"], self.bytes_in("whitewater"), "disk")
        if not SANITIZED:
            self.expect_within(2, told["memory_bytes"], peak, "memory")
        self.expect(DONE, "check", path, says="on disk, if it splashes all the while")

    def test_times_follow_what_is_asked_for(self):
        path = self.scene(last=12, text=BALL)
        def seconds(verb, *more):
            told = json.loads(self.expect(DONE, "info", path, "--json", *more).stdout)
            return told["estimates"][verb]["seconds_guess"]
        self.assertAlmostEqual(seconds("mesh", "--set", "mesh.voxel=0.25") / seconds("mesh", "--set", "mesh.voxel=0.5"), 4)
        self.assertGreater(seconds("render", "--set", "render.quality=final") / seconds("render"), 10)
        self.assertAlmostEqual(seconds("render", "--set", "render.resolution=[1920, 1080]") / seconds("render"), 4)

    def test_check_and_info_say_it_in_words(self):
        path = self.scene(text=BALL)
        for verb in ("check", "info"):
            said = self.expect(DONE, verb, path).stdout
            for what in ("run", "mesh", "render"):
                self.assertRegex(said, rf"  {what} +\S+ \w+ or so on two cores, +\S+ .?B of memory, +\S+ .?B on disk", verb)


if __name__ == "__main__":
    unittest.main()
