"""The hook of `capture` in programs that compile with the fake Triton."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from typing import Any

from tritonsmith_capture.compiles import toml_value

from .places import FAKES, archive, source

PROGRAM = """
import sys
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile
from triton.runtime.jit import JITFunction

def bad_kernel(x, n): pass
def good_kernel(x, n): pass

def outcome(fn, kind="i32"):
    try:
        source = ASTSource(JITFunction(fn), {"x": "*fp32", "n": kind}, {"block": 64})
        compile(source, GPUTarget("vendor", "a1", 32), {"num_warps": 8, "fast": True})
        return "fine"
    except Exception as error:
        return repr(error)
"""
FAILING = "for fn in (good_kernel, bad_kernel, bad_kernel, good_kernel): print(outcome(fn))"


def run_python(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=60)


class Capture(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.out, self.run_directory = os.path.join(directory.name, "out"), os.path.join(directory.name, "run")
        self.hook, self.own = os.path.join(directory.name, "hook"), os.path.join(directory.name, "own")
        for place in (self.out, os.path.join(self.run_directory, "pending"), self.hook, self.own):
            os.makedirs(place)
        self.write(self.hook, "sitecustomize.py", source("tritonsmith_capture", "sitecustomize.py"))
        with open(os.path.join(self.hook, "capture.zip"), "wb") as file:
            file.write(archive("tritonsmith_capture"))

    def write(self, directory: str, name: str, text: str) -> str:
        path = os.path.join(directory, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def program(self, text: str, captured: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a program, which is a file since the fake front end reads its source."""
        path = [self.own, FAKES]
        environment = dict(os.environ, TRITONSMITH_CAPTURE=self.out, TRITONSMITH_CAPTURE_RUN=self.run_directory)
        environment["PYTHONPATH"] = os.pathsep.join([self.hook, *path] if captured else path)
        file = self.write(self.own, "program.py", PROGRAM + text)
        return run_python(environment, file)

    def events(self) -> list[Any]:
        with open(os.path.join(self.run_directory, "events")) as file:
            return [json.loads(line) for line in file]

    def test_a_failing_stage_becomes_a_case_and_the_program_does_not_notice(self) -> None:
        alone, watched = self.program(FAILING, captured=False), self.program(FAILING)
        self.assertEqual((alone.returncode, alone.stdout, alone.stderr), (0, watched.stdout, watched.stderr))
        self.assertEqual(watched.stdout.count("PassManager::run failed"), 2)
        [case] = os.listdir(self.out)
        self.assertRegex(case, r"^bad_kernel-ttir-[0-9a-f]{10}$")
        self.assertEqual([event["event"] for event in self.events()], ["loaded", "failed", "failed"])
        self.assertEqual(os.listdir(os.path.join(self.run_directory, "pending")), [])

    def test_a_case_says_how_it_came_about(self) -> None:
        self.program(FAILING)
        [case] = os.listdir(self.out)

        def read(name: str) -> str:
            with open(os.path.join(self.out, case, name)) as file:
                return file.read()

        self.assertEqual(read("case.toml").splitlines()[1:], [
            'module = "input.mlir"', 'target = "vendor:a1"',
            "", "[options]", "fast = true", "num_stages = 3", "num_warps = 8"])
        self.assertTrue(read("input.mlir").startswith("module {"))
        self.assertEqual(read("kernel.py"), "def bad_kernel(x, n): pass\n")
        facts = json.loads(read("captured.json"))
        self.assertEqual((facts["stage"], facts["kernel"], facts["triton"], facts["path"], facts["is_module"]),
                         ("ttir", "bad_kernel", "0.1+fake", FAKES, True))
        for part in ("  x: *fp32", "  block = 64", "raised:\nTraceback", "RuntimeError: PassManager::run failed"):
            self.assertIn(part, read("log.txt"))

    def test_a_process_that_dies_leaves_its_case_behind(self) -> None:
        ran = self.program("import os, triton._C.libtriton as lib\nlib.fails = lib.dies\n"
                           "lib.passes.ttir.add_fails = lib.binding('add_fails', [], lambda: 'fake-fails', lib.dies)\n"
                           "outcome(bad_kernel)")
        self.assertLess(ran.returncode, 0)
        self.assertEqual(os.listdir(self.out), [])
        [left] = os.listdir(os.path.join(self.run_directory, "pending"))
        self.assertIn("case.toml", os.listdir(os.path.join(self.run_directory, "pending", left)))

    def test_an_error_of_the_front_end_is_an_event(self) -> None:
        self.program("print(outcome(good_kernel, 'unsupported'))")
        self.assertEqual([(event["event"], event.get("error")) for event in self.events()],
                         [("loaded", None), ("front", "ValueError: this type is unsupported")])

    def test_a_hook_that_cannot_write_is_silent(self) -> None:
        text = "import os, shutil\nshutil.rmtree(os.environ['TRITONSMITH_CAPTURE_RUN'], ignore_errors=True)\n" + FAILING
        watched, alone = self.program(text), self.program(text, captured=False)
        self.assertEqual((watched.returncode, watched.stdout, watched.stderr), (0, alone.stdout, alone.stderr))

    def test_a_hook_without_its_archive_is_silent(self) -> None:
        os.unlink(os.path.join(self.hook, "capture.zip"))
        watched, alone = self.program(FAILING), self.program(FAILING, captured=False)
        self.assertEqual((watched.returncode, watched.stdout, watched.stderr), (0, alone.stdout, alone.stderr))

    def test_the_start_up_file_of_the_site_still_runs(self) -> None:
        self.write(self.own, "sitecustomize.py", "OWN = 3")
        ran = self.program("import sitecustomize\nprint(sitecustomize.OWN, [n for n in sys.modules if 'capture' in n])")
        self.assertTrue(ran.stdout.startswith("3 ['tritonsmith_capture'"), ran)

    def test_a_program_without_triton_pays_for_nothing(self) -> None:
        environment = dict(os.environ, PYTHONPATH=self.hook, TRITONSMITH_CAPTURE=self.out,
                           TRITONSMITH_CAPTURE_RUN=self.run_directory)
        text = "import sys; print({'json', 'hashlib', 'traceback', 'tritonsmith_capture'} & set(sys.modules))"
        ran = run_python(environment, "-c", text)
        self.assertEqual((ran.stdout, ran.stderr), ("set()\n", ""))


class Toml(unittest.TestCase):
    def test_values_that_a_case_can_hold(self) -> None:
        values = {True: "true", 3: "3", 1.5: "1.5", 'a"\n\x7f\u20ac': '"a\\"\\n\\u007f\\u20ac"', (1, "b"): '[1, "b"]'}
        self.assertEqual({value: toml_value(value) for value in values}, values)

    def test_values_that_it_cannot(self) -> None:
        for value in (None, 1 << 63, float("inf"), float("nan"), object(), (1, None), {}):
            self.assertIsNone(toml_value(value))
