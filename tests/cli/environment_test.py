"""What surrounds the program: streams, terminals, links, memory, signals."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

from support import DONE, INTERRUPTED, PROGRAM, CliCase


class Environment(CliCase):
    def shell(self, words):
        return subprocess.run(["sh", "-c", words.replace("spindrift", PROGRAM)], cwd=self.folder, timeout=120).returncode

    def test_closed_streams_do_not_end_up_in_files_of_the_cache(self):
        self.scene(last=3)
        self.assertEqual(self.shell("spindrift run dam.toml >&- 2>&- <&-"), DONE)
        self.assertEqual((self.folder / "dam_cache/.lock").read_bytes(), b"")
        self.expect(DONE, "check", "dam_cache")

    def test_folders_behind_links_are_folders(self):
        self.scene(last=3)
        disk = self.folder / "disk"
        disk.mkdir()
        (self.folder / "dam_cache").mkdir()
        (self.folder / "dam_cache/particles").symlink_to(disk)
        (disk / ".liquid.0001.npz.999999.tmp").write_text("left by a killed program")
        (disk / "round").symlink_to(disk)
        self.expect(DONE, "run", "dam.toml")
        self.expect(DONE, "check", "dam_cache")
        self.expect(DONE, "info", "dam_cache")
        self.assertEqual(sorted(path.name for path in disk.iterdir() if path.suffix != ""),
                         [f"liquid.{k:04}.npz" for k in (1, 2, 3)])

    def test_little_memory_is_said_and_not_a_crash(self):
        self.scene(last=3)
        for limit in (60, 120, 250, 500, 1000, 2000):
            code = self.shell(f"ulimit -v {limit * 1000}; spindrift run dam.toml -o cache{limit} --quiet 2>/dev/null")
            # 127: the system could not load the program's libraries.
            self.assertIn(code, (DONE, 1, 6, 127), f"with {limit} MB")

    def test_small_stacks_are_enough(self):
        self.scene(last=3)
        small = "--size 48x27 --samples 1 --quality draft --no-movie --sheet 0"
        for verb in ("run dam.toml", "mesh dam_cache", f"render dam_cache {small}", "check dam_cache"):
            self.assertEqual(self.shell(f"ulimit -s 128; spindrift {verb}"), DONE, verb)

    def test_the_first_signal_is_answered(self):
        self.scene(last=300, spacing=0.009)
        process = self.start_cli("run", "dam.toml")
        while len(self.hashes("dam_cache")) < 2:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn("spindrift: stopping, press again to leave at once", said)

    def on_a_terminal(self, columns, kind):
        """What a run says on a terminal of so many columns."""
        control, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, "run", "dam.toml", "--overwrite"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=terminal, env=os.environ | {"TERM": kind})
        os.close(terminal)
        said = b""
        while True:
            try:
                said += os.read(control, 65536)
            except OSError:
                break
        os.close(control)
        self.assertEqual(process.wait(), DONE)
        return said.decode()

    def test_a_narrow_terminal_keeps_the_time_that_is_left(self):
        self.scene(last=12)
        lines = [line for line in self.on_a_terminal(48, "xterm").split("\r\x1b[K") if line.startswith("[")]
        self.assertTrue(all(len(line.rstrip()) < 48 for line in lines), lines)
        self.assertTrue(any(re.match(r"\[[#.]{20}\] +\d+%  .+ left", line) for line in lines), lines)

    def test_a_dumb_terminal_gets_lines(self):
        self.scene(last=3)
        said = self.on_a_terminal(80, "dumb")
        self.assertNotIn("\x1b", said)
        self.assertIn("Progress: 100.0% frame 3/3", said)


if __name__ == "__main__":
    unittest.main()
