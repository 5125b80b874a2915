"""Exit codes mean the same in every verb, whoever finds what is wrong: docs/command_line.md has the table."""
import resource
import unittest

from health_test import HOPELESS
from support import DIVERGED, DONE, INPUT, INVALID_SCENE, OUT_OF_RESOURCES, SCENE, USAGE, CliCase

THINGS = SCENE + """[[collider]]
name = "ball"
sphere = {{ center = [0.35, 0.05, 0.1], radius = 0.05 }}
[[body]]
name = "crate"
box = [[0.05, 0.25, 0.05], [0.1, 0.3, 0.1]]
density = 500
"""
SMALL = ("--size", "160x90", "--samples", 1, "--quality", "draft", "--no-movie", "--sheet", 0)

# What each verb needs to work on a scene or a cache called {0}; those that are not in a list do not take such a thing.
ON_SCENES = [("run", "{0}"), ("check", "{0}"), ("info", "{0}"), ("export", "{0}", "--stage", "collision", "-o", "fields"),
             ("render", "{0}", "--setup", *SMALL, "-o", "setup.png")]
ON_CACHES = [("resume", "{0}"), ("mesh", "{0}", "-o", "meshes"), ("render", "{0}", "-o", "pictures", *SMALL),
             ("panels", "{0}", "-o", "figure.png", "--width", 64), ("export", "{0}", "--stage", "bodies", "-o", "bodies"),
             ("check", "{0}"), ("info", "{0}")]
ALL = ON_SCENES + ON_CACHES


class Codes(CliCase):
    def each(self, code, verbs, name, says="", **options):
        for verb in verbs:
            with self.subTest(verb=" ".join(map(str, verb)), of=name):
                self.expect(code, *(str(word).format(name) for word in verb), says=says, **options)

    def test_2_is_for_what_was_typed(self):
        self.expect(DONE, "run", self.scene(last=2, text=THINGS))
        self.each(USAGE, [(*verb, "--nonsense") for verb in ALL], "dam.toml", says="--nonsense")
        self.each(USAGE, [verb[:1] for verb in ALL], "", says="required")
        self.each(USAGE, [("mesh", "{0}", "-f", 9), ("render", "{0}", "-f", 9), ("resume", "{0}", "--from", 9),
                          ("panels", "{0}", "-f", 9, "-o", "figure.png")], "dam_cache", says="1 to 2")
        (self.folder / "empty").mkdir()
        self.each(USAGE, [("run", "{0}")], "empty", says="no scene")

    def test_3_is_for_a_scene_that_is_not_valid(self):
        path = self.scene(text=THINGS)
        path.write_text(path.read_text().replace("spacing", "spacin"))
        self.each(INVALID_SCENE, ON_SCENES + [("resume", "{0}"), ("mesh", "{0}"), ("render", "{0}"),
                                              ("panels", "{0}", "-o", "figure.png")], "dam.toml", says="dam.toml:6:1")
        path = self.scene("rock", text=THINGS + '[[collider]]\nmesh = "rock.obj"\n[[emitter]]\nliquid = "oil"\n'
                          'disc = {{ radius = 0.03 }}\nposition = [0.4, 0.3, 0.1]\nspeed = 1\n')
        self.each(INVALID_SCENE, ON_SCENES, path.name, says="there is no liquid 'oil'")
        self.each(INVALID_SCENE, ON_SCENES, path.name, says="there is no file")

    def test_4_is_for_files_that_are_missing_or_damaged(self):
        self.each(INPUT, ALL, "nowhere.toml", says="nowhere.toml")
        (self.folder / "round_cache").symlink_to(self.folder / "around_cache")
        (self.folder / "around_cache").symlink_to(self.folder / "round_cache")
        self.each(INPUT, ALL, "round_cache", says="round_cache")
        path = self.scene("rock", text=THINGS + '[[collider]]\nmesh = "rock.obj"\n')
        self.each(INPUT, ON_SCENES, path.name, says="rock.toml:16:8: there is no file")
        (self.folder / "rock.obj").write_text("v 0 0 0\nf 1 2 3\n")
        self.each(INPUT, ON_SCENES, path.name, says="rock.obj")
        self.expect(DONE, "run", self.scene(last=3, text=THINGS))
        cache = self.folder / "dam_cache"
        for file in ("particles/liquid.0003.npz", "bodies/liquid.0003.npz"):
            (cache / file).write_bytes((cache / file).read_bytes()[:700])
        # `resume` makes such frames again, and `info` tells what the manifest says.
        self.each(INPUT, [verb for verb in ON_CACHES if verb[0] not in ("resume", "info")], "dam_cache", says="liquid.0003.npz")
        (cache / "manifest.json").write_text("{")
        self.each(INPUT, ON_CACHES, "dam_cache", says="manifest.json")

    def test_5_is_for_a_simulation_that_diverged(self):
        self.expect(DIVERGED, "run", self.scene(text=HOPELESS, last=9), says="diverged")
        self.expect(DIVERGED, "resume", "dam_cache", says="diverged")

    def test_6_is_for_a_disk_that_is_full(self):
        self.expect(DONE, "run", self.scene(last=2, text=THINGS))
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        self.each(OUT_OF_RESOURCES, [verb for verb in ALL if verb[0] not in ("check", "info", "resume")] + [
            ("resume", "dam_cache", "-e", 3), ("schema", "-o", "schema.json")], "dam.toml", says="no space left",
            preexec_fn=small)
        with open("/dev/full", "w") as full:
            for verb in (("info", "dam_cache"), ("info", "dam.toml"), ("check", "dam_cache"), ("check", "dam.toml"), ("schema",),
                         ("doctor",)):
                with self.subTest(verb=verb):
                    result = self.run_to(full, *verb)
                    self.assertEqual(result.returncode, OUT_OF_RESOURCES, result.stderr)
                    self.assertIn("standard output", result.stderr)

    def test_6_is_for_memory_that_is_not_there(self):
        self.each(OUT_OF_RESOURCES, ON_SCENES, self.scene(text=THINGS, spacing=1e-6).name, says="memory")
        huge = ("--set", "collider.0.sphere={{ center = [0, -5000, 0], radius = 5000 }}")
        self.each(OUT_OF_RESOURCES, [(*verb, *huge) for verb in ON_SCENES], self.scene(text=THINGS).name,
                  says="the field of collider 'ball' would take")


if __name__ == "__main__":
    unittest.main()
