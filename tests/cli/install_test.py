"""Installs the built tree, and builds and runs programs against what was installed, as others do."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

SOURCE_DIR = pathlib.Path(os.environ["SPINDRIFT_SOURCE_DIR"])
BUILD_DIR = pathlib.Path(os.environ["SPINDRIFT_BUILD_DIR"])
FOLDER = BUILD_DIR / "install_test"
PREFIX = FOLDER / "prefix"
FRAME = re.compile(r"frame (\d+): (\d+) particles, mean density error (\S+) %, the front is at (\S+) m")

WHOLE_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(whole LANGUAGES CXX)
find_package(Spindrift REQUIRED)
add_executable(whole main.cpp)
target_link_libraries(whole PRIVATE Spindrift::spindrift)
"""
WHOLE_MAIN = """#include "spindrift/stages/mesh/mesh_stage.h"
#include "spindrift/stages/pictures/render_stage.h"
// Whoever calls these has all that meshes and pictures are made with.
int main(int count, char**) {
    if (count < 2) return 0;
    return reinterpret_cast<long>(&spindrift::stages::mesh_cache) == reinterpret_cast<long>(&spindrift::stages::render_cache);
}
"""


def run(*command):
    """What it says; what went wrong is an error of the test."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def build(source, name):
    """Builds a project that knows nothing but where the library was installed."""
    folder = FOLDER / name
    run("cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={PREFIX}",
        "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
    run("cmake", "--build", folder)
    return folder / name


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        run("cmake", "--install", BUILD_DIR, "--prefix", PREFIX)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)

    def test_the_example_finds_the_library_and_simulates(self):
        program = build(SOURCE_DIR / "examples/embed", "embed")
        frames = [FRAME.fullmatch(line) for line in run(program).splitlines()]
        self.assertNotIn(None, frames)
        self.assertEqual([int(frame[1]) for frame in frames], list(range(2, 13)))
        self.assertEqual({frame[2] for frame in frames}, {"8000"})
        # Water that falls for half a second stays liquid, and runs on.
        self.assertLess(max(float(frame[3]) for frame in frames), 2)
        self.assertGreater(float(frames[-1][4]), float(frames[0][4]) + 0.2)

    def test_the_whole_library_links(self):
        source = FOLDER / "source"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(WHOLE_PROJECT)
        (source / "main.cpp").write_text(WHOLE_MAIN)
        run(build(source, "whole"))

    def test_the_program_runs_from_where_it_was_installed(self):
        self.assertIn("spindrift", run(PREFIX / "bin/spindrift", "--version"))

    def test_the_package_names_no_folder_of_the_build(self):
        files = list(PREFIX.rglob("*.cmake"))
        self.assertGreater(len(files), 3)
        for file in files:
            text = file.read_text()
            self.assertFalse(str(SOURCE_DIR) in text or str(BUILD_DIR) in text, file)


if __name__ == "__main__":
    unittest.main()
