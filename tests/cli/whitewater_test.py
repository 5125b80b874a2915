"""Whitewater of a cache by the program: `spindrift whitewater`, what `info` tells of it, and what is wrong with wrong input."""
import json
import shutil
import unittest

import numpy

from support import DONE, INPUT, INVALID_SCENE, OUT_OF_RESOURCES, USAGE, CliCase

# A column that falls over: 1000 particles.
SPLASH = """version = 1
frames = [1, {last}]
solver = "{solver}"
[domain]
box = [[0, 0, 0], [0.6, 0.6, 0.2]]
[[liquid]]
spacing = {spacing}
fill = {{ box = [[0, 0, 0], [0.2, 0.4, 0.2]] }}
[whitewater]
kinds = ["spray", "foam", "bubbles", "mist"]
"""


class Whitewater(CliCase):
    def splash(self, last=14, solver="pbf", spacing=0.02, more=""):
        path = self.folder / "splash.toml"
        path.write_text(SPLASH.format(last=last, solver=solver, spacing=spacing) + more)
        return path

    def load(self, kind, frame, cache="splash_cache"):
        return numpy.load(self.folder / cache / f"whitewater/liquid.{kind}.{frame:04}.npz")

    def files(self, cache="splash_cache"):
        return {path.name: path.read_bytes() for path in (self.folder / cache / "whitewater").glob("*.npz")}

    def test_run_makes_whitewater_if_the_scene_has_it(self):
        self.expect(DONE, "run", self.splash(), says="14 frames of whitewater made")
        total = 0
        for kind in ("spray", "foam", "bubbles", "mist"):
            self.assertEqual(self.load(kind, 1)["P"].shape, (0, 3))
            arrays = self.load(kind, 14)
            total += len(arrays["id"])
            self.assertLessEqual({"P", "v", "id", "pscale", "age", "life", "cause", "source"}, set(arrays))
            for name in ("P", "v", "pscale", "age"):
                self.assertTrue(numpy.isfinite(arrays[name]).all(), (kind, name))
            if kind == "foam":
                self.assertTrue((numpy.abs(numpy.linalg.norm(arrays["N"], axis=1) - 1) < 1e-3).all())
                self.assertGreater(arrays["crowd"].min(), 0)
            if len(arrays["P"]):
                self.assertTrue((arrays["P"] >= -1e-6).all() and (arrays["P"] <= 0.6 + 1e-6).all(), kind)
        self.assertGreater(total, 500)
        told = self.expect(DONE, "info", "splash_cache", says="whitewater, last frame 14: ").stdout
        self.assertIn("stage  whitewater/foam: 14 files, frames 1 to 14", told)
        info = json.loads(self.expect(DONE, "info", "splash_cache", "--json").stdout)["whitewater"]
        self.assertEqual(sum(info[-1]["kinds"].values()), total)
        lines = (self.folder / "splash_cache/whitewater/statistics.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["kinds"] for line in lines], [frame["kinds"] for frame in info])
        self.expect(DONE, "run", "splash.toml", says="0 frames of whitewater made")

    def test_the_same_bits_for_any_threads_and_after_a_stop(self):
        self.expect(DONE, "run", self.splash(), "-t", 1)
        one = self.files()
        shutil.rmtree(self.folder / "splash_cache/whitewater")
        self.expect(DONE, "whitewater", "splash_cache", "-e", 9, "-t", 2, says="9 frames of whitewater made")
        self.expect(DONE, "whitewater", "splash_cache", "-t", 2, says="5 frames of whitewater made")
        self.assertEqual(self.files(), one)

    def test_far_from_the_origin_a_stop_changes_no_bit(self):
        # Coordinates in files are multiples of 1e-10 m there, those of particles beside the middle are much finer.
        path = self.splash(last=12, more="amount = 4\n")
        far = {"[[0, 0, 0], [0.6, 0.6, 0.2]]": "[[900000, 0, -700000], [900000.6, 0.6, -699999.8]]",
               "[[0, 0, 0], [0.2, 0.4, 0.2]]": "[[900000, 0, -700000], [900000.2, 0.4, -699999.8]]"}
        for here, there in far.items():
            path.write_text(path.read_text().replace(here, there))
        self.expect(DONE, "run", path)
        whole = self.files()
        shutil.rmtree(self.folder / "splash_cache/whitewater")
        for last in range(6, 13):
            self.expect(DONE, "whitewater", "splash_cache", "-e", last)
        self.assertEqual([name for name, content in self.files().items() if whole[name] != content], [])

    def test_changed_settings_make_it_anew_and_the_simulation_stays(self):
        self.expect(DONE, "run", self.splash(last=8))
        particles = self.hashes("splash_cache")
        self.expect(DONE, "whitewater", "splash.toml", "--amount", 0.5, says="8 of 8 frames of whitewater are stale")
        self.expect(DONE, "whitewater", "splash.toml", "--set", "whitewater.kinds=[\"foam\"]", says="frame 8: ")
        self.assertEqual({name.split(".")[1] for name in self.files()}, {"foam"})
        self.assertEqual(self.hashes("splash_cache"), particles)
        self.expect(DONE, "resume", "splash_cache", says="nothing to do")

    def test_both_kinds_of_solver_and_a_hollow_inside(self):
        for solver, more in (("flip", ""), ("apic", "[flip]\nnarrow_band = 3\n")):
            self.expect(DONE, "run", self.splash(solver=solver, more=more), "--overwrite")
            self.assertGreater(sum(len(self.load(kind, 14)["id"]) for kind in ("spray", "foam", "bubbles")), 500)

    def test_what_is_born_has_the_colour_of_its_liquid(self):
        more = """foam = { cells = 0.05 }
[[emitter]]
disc = { radius = 0.03 }
position = [0.4, 0.5, 0.1]
speed = 3
color = [1, 0.5, 0.25]
"""
        self.expect(DONE, "run", self.splash(more=more))
        whole = self.files()
        colors = numpy.concatenate([self.load(kind, 14)["Cd"] for kind in ("spray", "foam", "bubbles")])
        self.assertTrue(numpy.isclose(colors, [1, 0.5, 0.25]).all(axis=1).any())
        shutil.rmtree(self.folder / "splash_cache/whitewater")
        self.expect(DONE, "whitewater", "splash_cache", "-e", 9)
        self.expect(DONE, "whitewater", "splash_cache")
        self.assertEqual(self.files(), whole)

    def test_the_preview_tells_what_would_be_born_and_where(self):
        self.expect(DONE, "run", self.splash(last=10))
        before = self.files()
        told = self.expect(DONE, "whitewater", "splash_cache", "--emission", "-s", 5, "-o", "where").stdout
        self.assertIn("would be born", told)
        self.assertIn("6 frames", told)
        self.assertIn("particles that give", told)
        self.assertEqual(len(list((self.folder / "where").glob("liquid.emit.*.vdb"))), 6)
        self.assertEqual(self.files(), before)

    def test_sources_give_whatever_the_liquid_does(self):
        more = """causes = []
[[whitewater.source]]
name = "pill"
sphere = { center = [0.1, 0.1, 0.1], radius = 0.02 }
rate = 2400
kind = "bubbles"
diameter_mm = [1, 1]
[[whitewater.source]]
collider = "post"
rate = 240
kind = "spray"
speed = 1
[[collider]]
name = "post"
box = [[0.4, 0, 0.05], [0.45, 0.3, 0.15]]
"""
        self.expect(DONE, "run", self.splash(last=3, more=more))
        born = [json.loads(line)["born"] for line in
                (self.folder / "splash_cache/whitewater/statistics.jsonl").read_text().splitlines()]
        self.assertEqual([frame["source"] for frame in born], [0, 110, 110])
        self.assertTrue((numpy.abs(self.load("bubbles", 2)["pscale"] - 5e-4) < 1e-6).all())

    def test_a_source_gives_in_its_time_alone(self):
        more = """causes = []
[[whitewater.source]]
sphere = { center = [0.4, 0.4, 0.1], radius = 0.02 }
rate = 2400
kind = "spray"
active = [2.5, 4.25]
"""
        self.expect(DONE, "run", self.splash(last=6, more=more))
        lines = (self.folder / "splash_cache/whitewater/statistics.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["born"]["source"] for line in lines], [0, 0, 50, 100, 25, 0])
        # Nobody is older than the part of the frame in which it could be born.
        self.assertLess(self.load("spray", 3)["age"].max(), 0.5 / 24 + 1e-6)

    def test_nothing_ends_up_inside_a_paddle_that_moves(self):
        more = """amount = 4
[[collider]]
name = "paddle"
box = [[0, 0.02, 0.04], [0.05, 0.3, 0.16]]
position = { keys = [[1, [0.22, 0, 0]], [7, [0.5, 0, 0]], [14, [0.1, 0, 0]]] }
"""
        self.expect(DONE, "run", self.splash(more=more))
        seen = 0
        for frame in range(2, 15):
            at = 0.22 + 0.28 * (frame - 1) / 6 if frame <= 7 else 0.5 - 0.4 * (frame - 7) / 7
            for kind in ("spray", "foam", "bubbles", "mist"):
                place = self.load(kind, frame)["P"] - [at, 0, 0]
                seen += len(place)
                # Edges of distance fields are round: somewhat more than half a cell of 10 mm. Faces are sharp.
                inside = ((place > [0.006, 0.026, 0.046]) & (place < [0.044, 0.294, 0.154])).all(axis=1)
                inside |= ((place > [0.001, 0.04, 0.06]) & (place < [0.049, 0.28, 0.14])).all(axis=1)
                self.assertEqual(inside.sum(), 0, (frame, kind))
        self.assertGreater(seen, 2000)

    def test_fog_of_mist_is_written(self):
        self.expect(DONE, "run", self.splash(last=8, more="mist = { volume = true }\nspray = { wind = [25, 0, 0] }\n"))
        self.assertEqual(len(list((self.folder / "splash_cache/mist").glob("*.vdb"))), 8)

    def test_wrong_input_is_said(self):
        self.expect(INPUT, "whitewater", self.splash(), says="splash_cache")
        self.expect(DONE, "run", "splash.toml", "-e", 6)
        self.expect(INVALID_SCENE, "whitewater", "splash.toml", "--set", "whitewater.kinds=[\"fome\"]",
                    says="did you mean 'foam'?")
        self.expect(INVALID_SCENE, "whitewater", "splash.toml", "--set", "whitewater.kinds=[]", says="no kind is left")
        self.expect(INVALID_SCENE, "whitewater", "splash.toml", "--set", "whitewater.crest.mask=\"foamy\"", says="foamy")
        kept = self.files()
        too_many = self.expect(USAGE, "whitewater", "splash.toml", "--set", "whitewater.most=5", says="of memory")
        self.assertIn("are kept", too_many.stderr)
        # 10^9 particles are told before memory is taken for them.
        billion = self.expect(OUT_OF_RESOURCES, "whitewater", "splash.toml", "--set", "whitewater.spacing=0.01", "--set",
                              "whitewater.amount=1000000", "--set", "whitewater.most=1000000000000", says="of memory")
        self.assertIn("whitewater.spacing (0.01 now)", billion.stderr)
        self.expect(DONE, "whitewater", "splash.toml")
        self.assertEqual(self.files(), kept)
        bad = self.splash(more="foam = { half_life = 0 }\n")
        self.expect(INVALID_SCENE, "check", bad, says="splash.toml:11:")

    def test_a_missing_frame_and_particles_that_are_no_numbers(self):
        self.expect(DONE, "run", self.splash(last=6))
        manifest = self.folder / "splash_cache/manifest.json"
        whole = manifest.read_text()
        content = json.loads(whole)
        frames = content["stages"]["particles"]["frames"]
        content["stages"]["particles"]["frames"] = [frame for frame in frames if frame["frame"] != 4]
        manifest.write_text(json.dumps(content))
        self.expect(USAGE, "whitewater", "splash_cache", says="frame 4 is missing between 3 and 5")
        manifest.write_text(whole)
        path = self.folder / "splash_cache/particles/liquid.0005.npz"
        arrays = dict(numpy.load(path))
        arrays["P"][7] = numpy.nan
        arrays["v"][9] = numpy.inf
        numpy.savez(path, **arrays)
        content = json.loads(whole)
        for frame in content["stages"]["particles"]["frames"]:
            if frame["frame"] == 5:
                frame["bytes"] = path.stat().st_size
                frame["hash"] = "changed"
        manifest.write_text(json.dumps(content))
        self.expect(DONE, "whitewater", "splash_cache", says="not finite")
        for kind in ("spray", "foam", "bubbles"):
            self.assertTrue(numpy.isfinite(self.load(kind, 6)["P"]).all())

    def test_a_file_of_particles_that_is_gone_or_cut_off_is_said_and_earlier_frames_stay(self):
        self.expect(DONE, "run", self.splash(last=5))
        path = self.folder / "splash_cache/particles/liquid.0004.npz"
        whole = path.read_bytes()
        path.write_bytes(whole[:500])
        self.expect(INPUT, "whitewater", "splash_cache", "--amount", 2, says="liquid.0004.npz: frame is damaged")
        path.unlink()
        self.expect(INPUT, "whitewater", "splash_cache", "--amount", 2, says="liquid.0004.npz")
        path.write_bytes(whole)
        # What was made before it is used, and only the rest is made.
        self.expect(DONE, "whitewater", "splash_cache", "--amount", 2, says="2 frames of whitewater made")

    def test_a_frame_with_values_of_no_whitewater_is_not_gone_on_from(self):
        self.expect(DONE, "run", self.splash(last=10), "-e", 9)
        path = self.folder / "splash_cache/whitewater/liquid.foam.0009.npz"
        whole = path.read_bytes()
        for name, value in (("P", numpy.nan), ("v", numpy.inf), ("age", -1), ("pscale", numpy.nan), ("cause", 200)):
            arrays = dict(numpy.load(path))
            arrays[name][2] = value
            numpy.savez(path, **arrays)
            content = self.manifest("splash_cache")
            for frame in content["stages"]["whitewater/foam"]["frames"]:
                frame["bytes"] = path.stat().st_size if frame["frame"] == 9 else frame["bytes"]
            (self.folder / "splash_cache/manifest.json").write_text(json.dumps(content))
            self.expect(INPUT, "run", "splash.toml", says="liquid.foam.0009.npz: the values of particle 2")
            path.write_bytes(whole)
        path.unlink()
        self.expect(DONE, "whitewater", "splash_cache", says="2 frames of whitewater made")
        self.assertEqual(path.read_bytes(), whole)

    def test_the_surface_is_found_whichever_way_things_fall_and_far_from_the_origin(self):
        counts = {}
        for name, shift, turned in (("here", 0, False), ("far", 100000, False), ("turned", 0, True)):
            box = [[shift, 0, 0], [shift + 0.6, 0.6, 0.2]]
            fill = [[shift, 0, 0], [shift + 0.2, 0.4, 0.2]]
            gravity = "[0, -9.81, 0]"
            if turned:  # x takes the place of y, and falls the other way
                box, fill, gravity = [[0, 0, 0], [0.6, 0.6, 0.2]], [[0.2, 0, 0], [0.6, 0.2, 0.2]], "[9.81, 0, 0]"
            path = self.folder / f"{name}.toml"
            path.write_text(f"version = 1\nframes = [1, 12]\ngravity = {gravity}\n[domain]\nbox = {box}\n"
                            f"[[liquid]]\nspacing = 0.02\nfill = {{ box = {fill} }}\n[whitewater]\n")
            self.expect(DONE, "run", path)
            lines = (self.folder / f"{name}_cache/whitewater/statistics.jsonl").read_text().splitlines()
            counts[name] = sum(json.loads(lines[-1])["kinds"].values())
        # The same column falls over three times; particles are placed and rounded otherwise each time.
        for name in ("far", "turned"):
            self.assertLess(abs(counts[name] / counts["here"] - 1), 0.15, counts)

    def test_pictures_show_it_and_know_when_it_changes(self):
        self.expect(DONE, "run", self.splash(last=8))
        self.expect(DONE, "mesh", "splash_cache", "-f", 8, "--voxel", 1)
        draw = ("render", "splash_cache", "-f", 8, "--quality", "draft", "--size", "160x90", "--no-movie", "--sheet", 0)
        self.expect(DONE, *draw, says="1 picture")
        picture = self.folder / "splash_cache/preview/liquid.0008.png"
        with_all = picture.read_bytes()
        self.expect(DONE, *draw, "--set", "render.whitewater=[]")
        self.assertNotEqual(picture.read_bytes(), with_all)
        self.expect(DONE, *draw)
        self.assertEqual(picture.read_bytes(), with_all)
        self.expect(DONE, "whitewater", "splash_cache", "--amount", 3)
        self.expect(DONE, *draw)
        self.assertNotEqual(picture.read_bytes(), with_all)


if __name__ == "__main__":
    unittest.main()
