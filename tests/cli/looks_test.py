"""Looks made of modules, and the options that make pictures."""
import shutil
import unittest

from support import DONE, INVALID_SCENE, SCENE, USAGE, CliCase

SMALL = ("--size", "96x54", "--samples", 1, "--quality", "draft")

LOOK = SCENE + """
[[render.module]]
name = "view"
kind = "beauty"
[[render.module]]
name = "speed"
kind = "false_color"
channel = "speed"
[[render.module]]
name = "both"
kind = "side_by_side"
inputs = ["view", "speed"]
labels = ["as seen", "speed"]
[[render.module]]
name = "dailies"
kind = "encode"
inputs = ["both"]
formats = ["png", "sheet"]
[[render.module]]
name = "plates"
kind = "encode"
inputs = ["view"]
formats = ["exr"]
"""


class Looks(CliCase):
    def test_a_graph_writes_the_files_of_its_encodes(self):
        path = self.scene(text=LOOK, last=2)
        self.expect(DONE, "check", path, says="ok")
        self.expect(DONE, "run", path)
        self.expect(DONE, "render", "dam_cache", *SMALL, "--only", "plates", says="2 pictures rendered")
        preview = self.folder / "dam_cache/preview"
        self.assertFalse((preview / "dailies.0001.png").exists())
        self.expect(DONE, "render", path, *SMALL, says="2 pictures rendered")
        gap, strip = 8, 19
        self.assertEqual(self.png_size("dam_cache/preview/dailies.0002.png"), (2 * 96 + 3 * gap, 54 + 2 * gap + strip))
        self.assertTrue((preview / "dailies.sheet.png").exists())
        self.assertEqual((preview / "plates.0001.exr").read_bytes()[:4], b"\x76\x2f\x31\x01")
        self.expect(DONE, "render", "dam_cache", *SMALL, says="0 pictures rendered")
        self.expect(USAGE, "render", "dam_cache", *SMALL, "--only", "plate", says="did you mean 'plates'?")

    def test_mistakes_in_graphs_are_found_without_a_cache(self):
        path = self.scene(text=LOOK.replace('"beauty"', '"beuty"'), last=2)
        self.expect(INVALID_SCENE, "check", path, says="dam.toml:11:8: kind: there is no kind 'beuty'; did you mean 'beauty'?")
        path = self.scene(text=LOOK.replace('formats = ["png", "sheet"]', 'formats = ["exr"]'), last=2)
        self.expect(INVALID_SCENE, "check", path, says="'dailies' (encode to exr) needs a picture with layers")

    def test_pictures_in_the_making_leave_nothing_behind_and_are_the_same(self):
        path = self.scene(last=2)
        self.expect(DONE, "run", path)
        drawn = self.folder / "dam_cache/preview/liquid.0002.png"
        watched = ("--size", "96x54", "--samples", 4, "-f", 2)
        self.expect(DONE, "render", path, *watched)
        alone = drawn.read_bytes()
        shutil.rmtree(drawn.parent)
        self.expect(DONE, "render", path, *watched, "--progressive", says="1 picture rendered")
        self.assertEqual(drawn.read_bytes(), alone)
        self.assertFalse((drawn.parent / "progress.png").exists())

    def test_a_turntable_has_pictures_a_sheet_and_a_movie(self):
        self.expect(DONE, "run", self.scene(), "-e", 2)
        self.expect(DONE, "render", "dam_cache", *SMALL, "--turntable", 3, "-f", 1, says="3 pictures rendered")
        folder = self.folder / "dam_cache/preview/turntable"
        names = {"liquid.0001.png", "liquid.0002.png", "liquid.0003.png", "liquid.sheet.png"}
        if shutil.which("ffmpeg"):
            names.add("liquid.mp4")
        self.assertEqual({path.name for path in folder.iterdir()}, names)
        self.expect(DONE, "render", "dam_cache", *SMALL, "--turntable", 3, "-f", 1, says="0 pictures rendered")
        self.expect(USAGE, "render", "dam_cache", "--turntable", 1)

    def test_formats_and_shutter_change_the_scene(self):
        self.expect(DONE, "run", self.scene(), "-e", 1)
        self.expect(DONE, "render", "dam_cache", *SMALL, "--formats", "png,exr", "--shutter", 0.5)
        preview = self.folder / "dam_cache/preview"
        self.assertTrue((preview / "liquid.0001.png").exists() and (preview / "liquid.0001.exr").exists())
        self.expect(INVALID_SCENE, "render", "dam_cache", "--formats", "jpg", says="png")
        self.expect(INVALID_SCENE, "render", "dam_cache", "--quality", "best", says="draft")

    def test_panels_make_a_movie_of_the_frames_that_caches_share(self):
        self.expect(DONE, "run", self.scene(), "-e", 3)
        self.expect(DONE, "run", self.scene(), "-e", 2, "-o", "other_cache")
        small = ("--width", 64, "--samples", 1, "--quality", "draft")
        said = self.expect(DONE, "panels", "dam_cache", "other_cache", *small, "-o", "both.mp4")
        if shutil.which("ffmpeg"):
            self.assertIn("movie -> both.mp4", said.stdout)
            self.assertTrue((self.folder / "both.mp4").exists())
            self.assertFalse((self.folder / "both_frames").exists())
        else:
            self.assertEqual(len(list((self.folder / "both_frames").iterdir())), 2)
        self.expect(USAGE, "panels", "dam_cache", "other_cache", "--movie", "-o", "both.png", says="write -o both.mp4")
        self.expect(USAGE, "panels", "dam_cache", "-f", 1, "-o", "both.mp4", says="in common")


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
