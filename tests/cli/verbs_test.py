"""Every verb does what its help says."""
import importlib.machinery
import importlib.util
import json
import re
import signal
import sys
import unittest

import numpy

from support import DONE, INPUT, INTERRUPTED, INVALID_SCENE, SCENE, SOURCE_DIR, TWO_LIQUIDS, USAGE, CliCase


class Verbs(CliCase):
    def test_help_and_version(self):
        for arguments in ([], ["--help"], ["run", "--help"], ["bench", "dam_break", "--help"]):
            self.expect(DONE, *arguments, says="Usage: spindrift")
        self.expect(DONE, "--version", says="spindrift 0")

    def test_frames_are_read_by_numpy(self):
        self.expect(DONE, "run", self.scene(), "-e", 2)
        with numpy.load(self.folder / "dam_cache/particles/liquid.0002.npz") as frame:
            self.assertEqual(frame["P"].shape, (1000, 3))
            self.assertEqual(frame["v"].dtype, numpy.float32)
            self.assertEqual(sorted(frame["id"]), list(range(1000)))
            self.assertTrue((frame["P"] > 0).all() and (frame["P"] < 0.5).all())
        info = self.expect(DONE, "info", "dam_cache/particles/liquid.0002.npz", "--json")
        self.assertEqual(json.loads(info.stdout)["particles"], 1000)

    def test_render_writes_pictures_once_and_again_when_the_look_changes(self):
        self.expect(DONE, "run", self.scene(), "-e", 3)
        small = ("--size", "96x54", "--samples", 1)
        self.expect(DONE, "render", "dam_cache", *small, says="3 pictures rendered")
        preview = self.folder / "dam_cache/preview"
        for name in ("liquid.0001.png", "liquid.0003.png", "liquid.sheet.png"):
            self.assertEqual((preview / name).read_bytes()[:4], b"\x89PNG")
        self.assertEqual(len(self.manifest("dam_cache")["stages"]["preview"]["frames"]), 3)
        self.expect(DONE, "render", "dam.toml", *small, says="0 pictures rendered")
        self.expect(DONE, "render", "dam_cache", *small, "-f", 2, "--color", "density", says="1 picture rendered")
        self.expect(DONE, "render", "dam_cache", *small, says="1 of 3 pictures are stale")

    def test_pictures_of_two_liquids_change_with_colors_and_cuts_without_simulating(self):
        self.expect(DONE, "run", self.scene("two", last=2, text=TWO_LIQUIDS))
        before = self.hashes("two_cache")
        picture = self.folder / "two_cache/preview/liquid.0002.png"
        small = ("--size", "96x54", "--samples", 1, "--no-movie", "-f", 2)
        seen = set()
        changes = ("render.color=auto", "render.color=speed", "liquid.oil.color=[0, 1, 0]",
                   "render.slice={ point = [0.2, 0, 0], normal = [1, 0, 0] }")
        for change in changes:
            self.expect(DONE, "render", "two_cache", *small, "--set", change, says="1 picture rendered")
            seen.add(picture.read_bytes())
        self.assertEqual(len(seen), len(changes))
        self.assertEqual(self.hashes("two_cache"), before)

    def test_panels_put_caches_or_frames_on_one_figure(self):
        self.expect(DONE, "run", self.scene(), "-e", 3)
        self.expect(DONE, "run", self.scene("two", last=3, text=TWO_LIQUIDS))
        small = ("--width", 96, "--samples", 1)
        gap, strip = 8, 19
        self.expect(DONE, "panels", "dam_cache", "two.toml", *small, "-o", "figure.png", says="figure.png")
        self.assertEqual(self.png_size("figure.png"), (2 * 96 + 3 * gap, 54 + strip + 2 * gap))
        self.expect(DONE, "panels", "dam_cache", "two_cache", *small, "-f", 1, "--columns", 1,
                    "--labels", "a dam,two of them", "-o", "figure.png")
        self.assertEqual(self.png_size("figure.png"), (96 + 2 * gap, 2 * (54 + strip) + 3 * gap))
        self.expect(DONE, "panels", "--frames", "1,2,3,1", "two_cache", *small, "-o", "row.png")
        self.assertEqual(self.png_size("row.png"), (4 * 96 + 5 * gap, 54 + 2 * gap))
        self.assertFalse((self.folder / "two_cache/preview").exists())

    def test_info_tells_of_scenes_and_caches(self):
        path = self.scene()
        scene = json.loads(self.expect(DONE, "info", path, "--json").stdout)
        self.assertEqual((scene["particles"], scene["frames"]), (1000, 6))
        self.expect(DONE, "info", path, says="not there yet")
        self.expect(DONE, "run", path)
        self.expect(DONE, "info", "dam_cache", says="density error")
        # The scene alone is enough: what its cache holds follows what it would take.
        told = self.expect(DONE, "info", path, says="spacing of 0.02 m").stdout
        for plot in ("density error", "kinetic energy", "potential energy", "total energy", "time"):
            self.assertRegex(told, f"(?m)^{plot} .* to ")
        simulated = json.loads(self.expect(DONE, "info", path, "--json").stdout)
        self.assertEqual((simulated["particles"], len(simulated["simulation"]["frames"])), (1000, 6))
        cache = json.loads(self.expect(DONE, "info", "dam_cache", "--json").stdout)
        self.assertEqual(cache["stages"]["particles"]["files"], 6)
        self.assertEqual(len(cache["frames"]), 6)
        self.expect(DONE, "info", "dam_cache", says="density          float32")
        channels = {channel["name"]: channel for channel in cache["channels"]}
        self.assertEqual(channels["P"]["shape"], "(1000, 3)")
        self.assertEqual((channels["id"]["min"], channels["id"]["max"]), (0, 999))

    def test_channels_go_through_frames_numpy_and_pictures(self):
        text = SCENE + """
            channels = {{ heat = 350 }}
            [[channel]]
            name = "heat"
            unit = "K"
            [output]
            channels = ["age", "vorticity", "rest"]
            """
        scene = self.scene(text=text, last=3)
        # P, v, density, pscale and id, then heat, rest and birth, age and vorticity.
        estimate = json.loads(self.expect(DONE, "info", scene, "--json").stdout)
        self.assertEqual(estimate["disk_bytes"], 3 * 1000 * (40 + 4 + 12 + 8 + 4 + 12))
        self.expect(DONE, "run", scene)
        path = self.folder / "dam_cache/particles/liquid.0002.npz"
        frame = dict(numpy.load(path))
        self.assertEqual((frame["heat"].dtype, frame["heat"].min(), frame["heat"].max()), (numpy.float32, 350, 350))
        self.assertEqual(frame["vorticity"].shape, (1000, 3))
        self.assertTrue(numpy.allclose(frame["age"], 1 / 24))
        frame["heat"] = frame["id"].astype(numpy.float32)
        numpy.savez(path, **frame)
        self.expect(DONE, "resume", "dam_cache", "--from", 2)
        with numpy.load(self.folder / "dam_cache/particles/liquid.0003.npz") as later:
            self.assertTrue((later["heat"] == later["id"]).all())
        small = ("--size", "96x54", "--samples", 1, "--no-movie")
        for color in ("heat", "rest", "id", "vorticity"):
            self.expect(DONE, "render", "dam_cache", *small, "--color", color, says="3 pictures rendered")
        frame["heat"] = frame["id"]
        numpy.savez(path, **frame)
        self.expect(USAGE, "resume", "dam_cache", "--from", 2,
                    says="its channel 'heat' holds int64, and the scene asks for float32")

    def test_progress_is_one_line_per_frame_or_json(self):
        path = self.scene(last=3)
        said = self.expect(DONE, "run", path, "-o", "a").stderr.splitlines()
        self.assertTrue(said[-1].startswith("Progress: 100.0% frame 3/3"), said)
        self.assertEqual(self.expect(DONE, "run", path, "-o", "b", "--quiet").stderr, "")
        lines = self.expect(DONE, "run", path, "-o", "c", "--log-json").stderr.splitlines()
        events = [json.loads(line)["event"] for line in lines]
        self.assertEqual((events.count("frame"), events.count("progress")), (3, 2))

    def test_options_that_verbs_share_are_those_of_the_document(self):
        rows = re.findall(r"^\| (`-.*?) \| .*? \| (.*) \|$", (SOURCE_DIR / "docs/command_line.md").read_text(), re.MULTILINE)
        self.assertGreater(len(rows), 8)
        verbs = ("run", "resume", "mesh", "whitewater", "render", "panels", "export", "info", "check", "schema")
        help_of = {verb: self.expect(DONE, verb, "--help").stdout for verb in verbs}
        for options, named in rows:
            for option in re.findall(r"`(--?[a-z-]+)", options):
                having = {verb for verb in verbs if re.search(rf"(^|[ ,]){option}[ ,]", help_of[verb], re.MULTILINE)}
                exceptions = {"-s": {"resume"}}.get(option, set())
                self.assertEqual(having, set(re.findall(r"`([a-z]+)`", named)) - exceptions, option)

    def test_schema_and_reference(self):
        self.assertIn("properties", json.loads(self.expect(DONE, "schema").stdout))
        self.expect(DONE, "schema", "--docs", "-o", "parameters.md")
        committed = SOURCE_DIR / "docs/parameters.md"
        if committed.exists():
            self.assertEqual(committed.read_text(), (self.folder / "parameters.md").read_text(),
                             "run: spindrift schema --docs -o docs/parameters.md")

    def test_examples_are_valid(self):
        scenes = sorted((SOURCE_DIR / "examples").glob("*/*.toml"))
        self.assertGreaterEqual(len(scenes), 5)
        for scene in scenes:
            # The creature of the splash is made by scripts/models when somebody wants it: 48 files of 1 MB.
            if "####" in scene.read_text() and not list(scene.parent.glob("*.0001.ply")):
                self.expect(INPUT, "check", scene, says="there is no file of this sequence, such as creature.0001.ply")
            else:
                self.expect(DONE, "check", scene, says=": ok: ")

    def test_figures_are_valid_with_all_their_changes_and_at_the_papers_size(self):
        loader = importlib.machinery.SourceFileLoader("figures", str(SOURCE_DIR / "scripts/figures"))
        figures = importlib.util.module_from_spec(importlib.util.spec_from_loader("figures", loader))
        sys.modules["figures"] = figures  # dataclasses look their module up
        loader.exec_module(figures)
        for figure in figures.FIGURES:
            scene = SOURCE_DIR / "examples" / figure.folder / f"{figure.scene}.toml"
            for changes in [run.changes for run in figure.runs] + [figure.paper]:
                self.expect(DONE, "check", scene, *(f"--set={change}" for change in changes), says=": ok: ")

    def test_doctor_looks_at_the_machine(self):
        self.expect(DONE, "doctor", says="self test")


class Bench(CliCase):
    def measure(self, *arguments):
        return json.loads(self.expect(DONE, "bench", *arguments, "--json").stdout)

    def test_dam_break(self):
        few = ("dam_break", "--particles", 8000, "--warmup", 3, "--steps", 2)
        result = self.measure(*few)
        self.assertEqual(result["particles"], 8000)
        self.assertGreater(result["ns_per_particle_step"], 0)
        self.assertLessEqual({"threads", "iterations", "phases", "bytes_per_particle", "neighbors",
                              "mean_density_error", "substeps", "hash", "machine"}, set(result))
        self.assertEqual(self.measure(*few, "-t", 1)["hash"], result["hash"])

    def test_fluids_are_compared_with_plain_water_in_turn(self):
        few = ("fluids", "-n", 1000, "--warmup", 3, "--steps", 2)
        result = self.measure(*few)
        rows = {row["name"]: row for row in result["rows"]}
        self.assertLessEqual({"plain", "two_phase", "two_resolutions", "tension", "central", "xsph", "viscosity",
                              "fountain"}, set(rows))
        self.assertEqual(rows["plain"]["ratio_to_plain"], 1)
        for row in rows.values():
            # Coarse particles fill a half of ten layers only nearly.
            self.assertAlmostEqual(row["particles"], 1000, delta=250, msg=row["name"])
            self.assertGreater(row["ns_per_particle_step"], 0)
        self.assertEqual(len({row["hash"] for row in rows.values()}), len(rows))
        # A sheet of the nozzle is about a percent: two steps see one, two or three of them.
        self.assertGreater(rows["fountain"]["births_per_step"], 0.003)
        self.assertEqual(rows["fountain"]["particles"], 1000)
        alone = self.measure(*few, "--rows", "fountain", "-t", 1)
        self.assertEqual([row["name"] for row in alone["rows"]], ["plain", "fountain"])
        self.assertEqual(alone["rows"][1]["hash"], rows["fountain"]["hash"])
        # Each thread that had work keeps two megabytes, so memory is the same in every run with one thread only.
        memory = alone["fountain_bytes"]
        self.assertLess(memory["all_killed"], memory["running"])
        self.expect(DONE, "bench", *few, "--rows", "tension", "--phases", says="neighbors")
        self.expect(USAGE, "bench", *few, "--rows", "tensions", says="did you mean 'tension'?")

    def test_figures_stand_beside_those_of_the_paper(self):
        result = self.measure("figures", "-n", 1000, "--warmup", 2, "--steps", 2)
        rows = {row["name"]: row for row in result["rows"]}
        self.assertEqual([rows[name]["paper"]["particles"] for name in ("fig2", "fig18")], [500000, 947000])
        for row in rows.values():
            self.assertEqual(row["particles"], 1000)
            self.assertGreater(row["ms_per_step"], 0)
            self.assertGreater(row["megabytes"], 0)

    def test_levels_of_detail_stand_beside_all_iterations_everywhere(self):
        scene = self.folder / "small.toml"
        scene.write_text("fps = 60\n[solver]\niterations = 6\nsubsteps = 2\n[domain]\nbox = [[0, 0, 0], [2, 1, 0.5]]\n"
                         "[[liquid]]\nspacing = 0.05\nfill = { box = [[0, 0, 0], [0.5, 0.5, 0.5]] }\n"
                         "[[camera]]\nposition = [1, 1, 4]\ntarget = [1, 0, 0]\n")
        few = ("adaptive", scene, "--frames", 3)
        result = self.measure(*few)
        ways = result["scenes"][0]["ways"]
        self.assertEqual([(way["model"], way["fewest"], way["most"]) for way in ways],
                         [("pbf", 3, 3), ("pbf", 6, 6), ("dtc", 3, 6), ("dtvs", 3, 6), ("dtvs", 1, 6)])
        for way in ways:
            self.assertGreater(way["ms_per_frame"], 0)
            self.assertTrue(way["fewest"] <= way["mean_iterations"] <= way["most"], way)
        self.assertEqual((ways[1]["gain"], ways[1]["density_deviation"]), (0, 0))
        self.assertEqual(len(self.measure(*few, "--fewest", 1)["scenes"][0]["ways"]), 4)
        self.expect(DONE, "bench", *few, says="not iterations")
        self.expect(USAGE, "bench", *few, "--fewest", 7, says="more than the 6 iterations")
        self.expect(USAGE, "bench", "adaptive", says="name the scenes")
        blind = self.folder / "blind.toml"
        blind.write_text(scene.read_text().split("[[camera]]")[0])
        self.expect(INVALID_SCENE, "bench", "adaptive", blind, says="need a camera")

    def test_flip_stands_beside_its_goals(self):
        few = ("flip", "--resolution", 8, "--frames", 2)
        result = self.measure(*few)
        self.assertEqual((result["particles"], result["frames"], result["solver"]), (6 * 8 * 16, 2, "flip"))
        for key in ("seconds_per_frame", "processor_seconds_per_frame", "ns_per_particle_step", "bytes_per_particle"):
            self.assertGreater(result[key], 0, key)
        self.assertGreaterEqual(result["substeps"], 1)
        self.assertTrue(0 < result["mean_iterations"] <= result["most_iterations"], result)
        self.assertLessEqual({"sort", "scatter", "surface", "pressure", "extend", "advect"}, set(result["phases"]))
        self.assertNotIn("seconds_per_frame", result["goals"])
        self.assertEqual(self.measure(*few, "-t", 1)["hash"], result["hash"])
        self.assertNotEqual(self.measure(*few, "--solver", "apic")["hash"], result["hash"])
        self.expect(DONE, "bench", *few, says="iterations")
        self.expect(USAGE, "bench", *few, "--solver", "flipp", says="did you mean 'flip'?")
        self.expect(USAGE, "bench", "flip", "--resolution", 7)

    def test_benchmarks_can_be_interrupted(self):
        process = self.start_cli("bench", "fluids", "-n", 20000)
        line = process.stderr.readline()
        self.assertIn("Progress: ", line)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), INTERRUPTED)
        self.assertIn("cannot go on later", process.stderr.read())
        process.stderr.close()

    def test_cube_release(self):
        result = self.measure("cube_release", "--span", 0.01, "--error", "1%")
        self.assertEqual((result["particles"], result["tolerance"]), (103823, 0.01))

    def test_render_stands_beside_its_goals_and_the_ray_tracers_best(self):
        few = ("render", "--triangles", 5000, "-n", 1000, "--width", 64, "--repeats", 1)
        result = self.measure(*few)
        self.assertAlmostEqual(result["triangles"], 5000, delta=500)
        rows = {row["name"]: row for row in result["rows"]}
        self.assertEqual(set(rows), {"draft, water", "preview, water", "draft, particles"})
        for row in rows.values():
            self.assertGreater(row["median_seconds"], 0)
            self.assertGreater(row["rays_per_second"], 0)
        self.assertGreater(rows["draft, water"]["photon_seconds"], 0)
        self.assertEqual(rows["preview, water"]["goal_seconds"], 10)
        alone = self.measure(*few, "-t", 1)
        self.assertEqual([row["hash"] for row in alone["rows"]], [row["hash"] for row in result["rows"]])
        self.assertEqual([rays["threads"] for rays in alone["first_rays"]], [1])
        for rays in result["first_rays"]:
            best = max(rays["embree_packets"], rays["embree_single"])
            self.assertAlmostEqual(rays["share"], rays["rays_per_second"] / best)
        self.expect(DONE, "bench", *few, says="first rays")

    def test_neighbors(self):
        result = self.measure("neighbors", "--particles", 2000)
        by_method = {}
        for row in result["searches"]:
            by_method.setdefault(row["method"], []).append(round(row["neighbors"], 6))
        counts = list(by_method.values())
        self.assertEqual(len(counts), 3)
        for other in counts[1:]:
            numpy.testing.assert_allclose(other, counts[0], rtol=1e-3)


if __name__ == "__main__":
    unittest.main()
