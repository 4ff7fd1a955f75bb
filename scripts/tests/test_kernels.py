"""Kernels in Python source, on the fake front end."""
from __future__ import annotations

import os
import tempfile
import unittest
from typing import Any

from tritonsmith_worker.frames import JsonObject

from .worker_process import TARGET, WorkerProcess

KERNEL = """
import neighbour
import triton.language as tl
from triton.runtime import driver
from triton.runtime.autotuner import Autotuner, Config, Heuristics
from triton.runtime.jit import JITFunction

def add(x, y, n, dtype: "constexpr" = tl.bfloat16, block: "constexpr" = 64):
    pass

add = Autotuner(JITFunction(add), [Config({"block": 32}, num_warps=2), Config({"block": 64}, maxnreg=128)])

def halves(x, n, block: "constexpr", even: "constexpr", twice: "constexpr"):
    pass

blocks = [32] if driver.active.get_current_target().arch == "a1" else []
halves = Heuristics(JITFunction(halves), {"even": lambda args: args["n"] % args["block"] == 0,
                                          "twice": lambda args: args["block"] * 2 if args["even"] else 0})
halves = Autotuner(halves, [Config({"block": block}) for block in blocks])
"""


class Kernels(unittest.TestCase):
    def setUp(self) -> None:
        self.worker = WorkerProcess()
        self.addCleanup(self.worker.close)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.file = os.path.join(directory.name, "json.py")  # It must not take the place of the module of that name.
        neighbour = os.path.join(directory.name, "neighbour.py")
        for path, text in ((self.file, KERNEL), (neighbour, "from json import dumps")):
            with open(path, "w") as file:
                file.write(text)

    def front(self, **types: str) -> Any:
        return self.worker.ask("front", file=self.file, function="add", target=TARGET, options={}, types=types,
                               constants={"dtype": "tl.bfloat16", "block": 32})["answer"]

    def test_a_kernel_brings_its_arguments_and_configurations(self) -> None:
        answer = self.worker.ask("kernel", file=self.file, function="add", target=TARGET)["answer"]
        self.assertEqual([(one["name"], one["constexpr"], one["default"]) for one in answer["arguments"]],
                         [("x", False, None), ("y", False, None), ("n", False, None),
                          ("dtype", True, {"value": "tl.bfloat16"}), ("block", True, {"value": 64})])
        self.assertEqual(answer["configurations"], [{"block": 32, "num_warps": 2, "num_stages": 3},
                                                    {"block": 64, "num_warps": 4, "num_stages": 3, "maxnreg": 128}])

    def test_a_file_that_asks_for_the_gpu_is_told_the_target(self) -> None:
        answer = self.worker.ask("kernel", file=self.file, function="halves", target=TARGET)["answer"]
        self.assertEqual([one["block"] for one in answer["configurations"]], [32])
        self.assertEqual(answer["heuristics"], ["even", "twice"])

    def heuristics(self, *given: JsonObject) -> Any:
        return self.worker.ask("heuristics", file=self.file, function="halves", target=TARGET, given=given)["answer"]

    def test_a_constant_that_depends_on_a_launch_has_every_value_that_it_may_have(self) -> None:
        answer = self.heuristics({"block": 32}, {"block": 64, "even": True})
        self.assertEqual(answer["computed"], [[{"even": True, "twice": 64}, {"even": False, "twice": 0}],
                                              [{"twice": 128}]])

    def test_a_heuristic_that_cannot_be_computed_says_what_to_give(self) -> None:
        answer = self.heuristics({"even": True})
        message = "the heuristic of `twice` cannot be computed: it depends on the value of `block`"
        self.assertIn(message, answer["error"])
        self.assertIn("--constant twice=VALUE", answer["error"])

    def test_a_function_that_is_no_kernel_is_told_with_those_that_are(self) -> None:
        answer = self.worker.ask("kernel", file=self.file, function="neighbour", target=TARGET)["answer"]
        self.assertTrue(answer["error"].endswith("has no kernel `neighbour`; it has add, halves"), answer)

    def test_a_file_that_cannot_be_imported_is_an_answer(self) -> None:
        with open(self.file, "w") as file:
            file.write("raise SystemExit(3)")
        answer = self.worker.ask("kernel", file=self.file, function="add", target=TARGET)["answer"]
        self.assertIn("cannot be imported: SystemExit: 3", answer["error"])

    def test_types_hints_and_constants_reach_the_front_end(self) -> None:
        text = self.front(x="*fp32:16", y="*fp32", n="i32:1")["text"]
        self.assertIn("'x': '*fp32', 'y': '*fp32', 'n': 'constexpr', 'dtype': 'constexpr', 'block': 'constexpr'", text)
        self.assertIn("('n', 1)", text)
        self.assertIn("[(0,)]", text)

    def test_what_the_front_end_says_is_kept_in_one_line_and_in_full(self) -> None:
        answer = self.front(x="unsupported", y="*fp32", n="i32")
        self.assertEqual(answer["error"], "ValueError: this type is unsupported")
        self.assertEqual(answer["whole"], "at 2:4:\nthis type is unsupported")
