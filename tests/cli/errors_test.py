"""Every kind of bad input has its exit code, a sentence, and leaves what is there alone."""
import fcntl
import json
import os
import pathlib
import resource
import subprocess
import unittest

import numpy

from support import DONE, FAILURE, INPUT, INVALID_SCENE, OUT_OF_RESOURCES, PROGRAM, SCENE, USAGE, CliCase


class SceneErrors(CliCase):
    def changed(self, old, new):
        return self.scene(text=SCENE.replace(old, new))

    def test_an_unknown_key_is_named_with_its_place_and_a_suggestion(self):
        path = self.changed("spacing =", "spacin =")
        for verb in ("check", "run"):
            self.expect(INVALID_SCENE, verb, path, says="did you mean 'spacing'?")
        self.expect(INVALID_SCENE, "check", path, says="dam.toml:6:1")

    def test_all_problems_are_told_at_once(self):
        path = self.changed("frames", "fames")
        path.write_text(path.read_text().replace("spacing", "spacin"))
        result = self.expect(INVALID_SCENE, "check", path, says="fames")
        self.assertIn("spacin", result.stderr)
        self.assertTrue(all(line.startswith("spindrift: ") for line in result.stderr.splitlines()))

    def test_channels_of_the_program_cannot_be_declared(self):
        for name in ("affine", "birth", "phase", "lod", "age", "id", "P", "v", "density_error", "surface_flag"):
            for solver in ("pbf", "apic"):
                own = SCENE.replace("[domain]", f'solver = "{solver}"\n[[channel]]\nname = "{name}"\n[domain]')
                said = self.expect(INVALID_SCENE, "run", self.scene(text=own), says="dam.toml:5:8").stderr
                self.assertIn(f"'{name}' has a meaning already; choose another name, such as 'my_{name}'", said)

    def test_zero_spacing_is_refused(self):
        self.expect(INVALID_SCENE, "check", self.scene(spacing=0), says="spacing")
        for option in ("--spacing", "--resolution"):
            self.expect(INVALID_SCENE, "run", self.scene(), option, "0", says="spacing")

    def test_numbers_and_texts_of_other_habits_are_told_what_to_write(self):
        self.expect(INVALID_SCENE, "check", self.scene(spacing="0,02"), says="write 0.02")
        path = self.scene()
        path.write_bytes(path.read_bytes() + "# Gr\u00f6\u00dfe\n".encode("latin-1"))
        self.expect(INVALID_SCENE, "check", path, says="dam.toml:8:5: this character is not UTF-8; save the file as UTF-8")
        path.write_bytes(self.scene().read_text().encode("utf-16"))
        self.expect(INVALID_SCENE, "check", path, says="save the file as UTF-8")

    def test_old_names_of_options_work_and_say_so(self):
        self.expect(DONE, "check", self.scene(), "--resolution", "0.05", says="--resolution is called --spacing now")

    def test_an_absurd_size_is_refused_before_any_memory_is_taken(self):
        self.expect(OUT_OF_RESOURCES, "run", self.scene(spacing=1e-6), says="memory")

    def test_a_liquid_without_particles_is_refused(self):
        self.expect(INVALID_SCENE, "run", self.changed("[0.2, 0.2, 0.2]]", "[0.2, 0.001, 0.2]]"), says="particle")
        outside = self.changed("[[0, 0, 0], [0.2, 0.2, 0.2]]", "[[2, 0, 0], [3, 1, 1]]")
        self.expect(INVALID_SCENE, "check", outside, says="outside")

    def test_overlapping_fills_warn_and_run(self):
        fill = "[{{ box = [[0, 0, 0], [0.2, 0.2, 0.2]] }}, {{ box = [[0.1, 0, 0], [0.3, 0.2, 0.2]] }}]"
        path = self.changed("{{ box = [[0, 0, 0], [0.2, 0.2, 0.2]] }}", fill)
        self.expect(DONE, "run", path, "-e", 2, says="warning: ")

    def test_overrides_are_checked_like_the_file(self):
        path = self.scene()
        self.expect(INVALID_SCENE, "run", path, "--set", "solver.iteratoins=3", says="did you mean 'iterations'?")
        self.expect(INVALID_SCENE, "run", path, "--substeps", "8:4", says="substeps")
        self.expect(INVALID_SCENE, "run", path, "--fps", "fast", says="fps")
        self.expect(INVALID_SCENE, "run", path, "-e", -3, says="frames")

    def test_missing_files_are_input_errors(self):
        for verb in ("run", "check", "info", "resume", "render"):
            self.expect(INPUT, verb, "nowhere.toml", says="nowhere.toml")
        self.expect(INPUT, "info", "nowhere.npz", says="nowhere.npz")
        self.expect(INPUT, "resume", self.scene(), says="dam_cache")
        self.expect(INPUT, "info", self.folder, says="manifest.json")


class UsageErrors(CliCase):
    def test_words_that_are_wrong_get_a_suggestion(self):
        self.expect(USAGE, "rnu", says="did you mean 'run'?")
        self.expect(USAGE, "run", self.scene(), "--substep", 4, says="did you mean '--substeps'?")
        self.expect(USAGE, "dam.toml", says="spindrift run dam.toml")
        self.expect(USAGE, "bench", says="dam_break")
        self.expect(USAGE, "run", says="SCENE")
        for words, says in (("-f 1.5", "--frame: expected a whole number, found '1.5'"),
                            ("--spacing 0,05", "--spacing: numbers have a point, not a comma; write 0.05"),
                            ("--spacing wide", "--spacing: expected a number, found 'wide'"),
                            ("-e 99999999999999", "--end: 99999999999999 is too large"),
                            ("-e 2 -e 3", "--end is given 2 times; give it once"), ("-e", "--end needs a value: --end N"),
                            ("-t many", "--threads: expected a whole number from 0 to 1024, found 'many'"),
                            ("--spacing 1 --resolution 1", "--spacing is given under its old name as well; give it once")):
            self.expect(USAGE, "run", self.scene(), *words.split(), says=says)
        self.expect(DONE, "run", self.scene(), "-e", 1)
        self.expect(INVALID_SCENE, "render", "dam_cache", "--size", "axb", says="expected a whole number, found")
        self.expect(USAGE, "bench", "cube_release", "--error", "much", says="1%")

    def test_a_cache_of_another_scene_is_kept(self):
        self.expect(DONE, "run", self.scene(), "-o", "cache")
        before = self.hashes("cache")
        other = self.scene("other", spacing=0.025)
        self.expect(USAGE, "run", other, "-o", "cache", says="--overwrite")
        self.assertEqual(self.hashes("cache"), before)
        self.expect(DONE, "run", other, "-o", "cache", "--overwrite")
        self.assertNotEqual(self.hashes("cache"), before)

    def test_a_cache_in_use_is_left_alone_and_advice_names_the_verb_that_has_the_option(self):
        self.expect(DONE, "run", self.scene(), "-e", 2)
        with open(self.folder / "dam_cache/.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.expect(USAGE, "resume", "dam_cache", "--from", 1, says="with `spindrift run -o FOLDER`")
            self.expect(USAGE, "check", "dam_cache", "--remove", says="with `spindrift run -o FOLDER`")

    def test_frames_that_are_not_there_are_named(self):
        self.expect(DONE, "run", self.scene())
        self.expect(USAGE, "run", self.scene(), "--from", 9, says="1 to 6")
        self.expect(USAGE, "render", "dam_cache", "-f", 9, says="1 to 6")
        self.expect(USAGE, "render", "dam_cache", "--color", "densty", says="did you mean 'density'?")
        self.expect(USAGE, "render", "dam_cache", "--camera", "front", says="no camera 'front'")


    def test_figures_that_cannot_be_drawn_are_not_written(self):
        self.expect(DONE, "run", self.scene())
        figure = ("-o", "figure.png")
        self.expect(USAGE, "panels", "dam_cache", "-f", 9, *figure, says="dam_cache has no frame 9; it has 1 to 6")
        self.expect(USAGE, "panels", "dam_cache", "--frames", "1,9", *figure, says="no frame 9")
        self.expect(USAGE, "panels", "dam_cache", "--frames", "1,x", *figure, says="--frames")
        self.expect(USAGE, "panels", "dam_cache", "dam_cache", "--frames", "1,2", *figure, says="--frame N")
        self.expect(USAGE, "panels", "dam_cache", "--frames", "1,2", "-f", 1, *figure, says="--frame")
        self.expect(USAGE, "panels", "dam_cache", "--labels", "a,b", *figure, says="2 labels for 1 pictures")
        self.expect(USAGE, "panels", "dam_cache", "--color", "Cd", *figure, says="no channel 'Cd'")
        self.expect(USAGE, "panels", "dam_cache", "-o", "figure.jpg", says="figure.png")
        self.expect(USAGE, "panels", "dam_cache", says="--output")
        self.expect(INPUT, "panels", "dam_cache", "nowhere_cache", *figure, says="nowhere_cache")
        (self.folder / "empty").mkdir()
        self.expect(INPUT, "panels", "empty", *figure, says="scene.toml")
        no_direction = "render.slice={ point = [0, 0, 0], normal = [0, 0, 0] }"
        self.expect(INVALID_SCENE, "panels", "dam_cache", "--set", no_direction, *figure, says="normal")
        self.assertEqual(list(self.folder.glob("figure*")), [])


class FrameErrors(CliCase):
    def test_a_channel_of_the_program_with_another_type_ends_a_resume(self):
        text = SCENE.replace("[domain]", 'solver = "apic"\n[domain]')
        self.expect(DONE, "run", self.scene(last=3, text=text))
        last = self.folder / "dam_cache/particles/liquid.0003.npz"
        channels = dict(numpy.load(last))
        self.assertEqual(channels["affine"].shape[1:], (9,))
        for name, wrong in (("affine", channels["affine"][:, 0]), ("birth", channels["id"].astype("f4"))):
            numpy.savez(last, **(channels | {name: numpy.ascontiguousarray(wrong)}))
            before = self.hashes("dam_cache")
            self.expect(INPUT, "resume", "dam_cache", "--from", 3, "-e", 4, says=f"liquid.0003.npz: cannot go on from this frame: "
                        f"its channel '{name}' holds float32, expected")
            self.assertEqual(self.hashes("dam_cache"), before)


class EnvironmentErrors(CliCase):
    def test_names_and_files_of_strangers_do_not_control_the_terminal(self):
        # A name of a file with the sequence for red in it, and with a byte that is no character.
        name = b"a\x1b[31m\xff.toml"
        (pathlib.Path(os.fsdecode(os.fsencode(self.folder) + b"/" + name))).write_text("frames = 3")
        result = subprocess.run([PROGRAM.encode(), b"check", name], capture_output=True, cwd=self.folder)
        self.assertEqual(result.returncode, INVALID_SCENE)
        self.assertIn(b"a\\x1b[31m\\xff.toml:1:", result.stderr)
        self.assertNotIn(b"\x1b", result.stderr)
        self.expect(DONE, "run", self.scene(last=2, text=SCENE.replace("[domain]", 'solver = "flip"\n[domain]')))
        self.expect(DONE, "mesh", "dam_cache", "--format", "vdb")
        surface = (self.folder / "dam_cache/surface/liquid.0002.vdb").read_bytes()
        # OpenVDB repeats words of the file that it does not know.
        self.assertIn(b"UniformScale", surface)
        (self.folder / "wall.vdb").write_bytes(surface.replace(b"UniformScale", b"Uniform\x1b]0;\xff"))
        scene = self.scene(last=2, text=SCENE + '[[collider]]\nvdb = "wall.vdb"\n')
        result = self.expect(INPUT, "check", scene, says="wall.vdb", errors="strict")
        self.assertNotIn("\x1b", result.stderr)

    def test_a_folder_that_cannot_be_made_is_a_failure(self):
        self.expect(FAILURE, "run", self.scene(), "-o", "dam.toml/cache", says="dam.toml/cache")

    def test_a_full_disk_ends_with_6_and_keeps_earlier_frames(self):
        self.expect(DONE, "run", self.scene(), "-e", 3)
        before = self.hashes("dam_cache")
        largest_file = 20_000
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        self.expect(OUT_OF_RESOURCES, "resume", "dam_cache", "-e", 6, preexec_fn=limit)
        self.assertEqual(self.hashes("dam_cache"), before)
        self.expect(DONE, "resume", "dam_cache", "-e", 6)
        self.assertEqual(len(self.hashes("dam_cache")), 6)

    def test_a_damaged_last_frame_falls_back_to_the_one_before(self):
        self.expect(DONE, "run", self.scene())
        before = self.hashes("dam_cache")
        last = self.folder / "dam_cache/particles/liquid.0006.npz"
        last.write_bytes(last.read_bytes()[:1000])
        self.expect(DONE, "resume", "dam_cache", says="warning: ")
        self.assertEqual(self.hashes("dam_cache"), before)
        numpy.savez(last, P=numpy.zeros((4, 2)), other=numpy.zeros(4))
        self.expect(DONE, "resume", "dam_cache", says="warning: ")
        self.assertEqual(self.hashes("dam_cache"), before)

    def test_a_manifest_of_a_newer_version_or_of_no_sense_is_refused(self):
        self.expect(DONE, "run", self.scene())
        path = self.folder / "dam_cache/manifest.json"
        manifest = self.manifest("dam_cache")
        manifest["version"] = 99
        path.write_text(json.dumps(manifest))
        for verb in ("resume", "info", "render"):
            self.expect(INPUT, verb, "dam_cache", says="version")
        path.write_text("{")
        self.expect(INPUT, "info", "dam_cache", says="manifest.json")


if __name__ == "__main__":
    unittest.main()
