"""What is done with text: pipelines, signatures of bindings, printed modules and messages."""
from __future__ import annotations

import unittest

from tritonsmith_worker.bindings import derived_name, parameters
from tritonsmith_worker.modules import strip_locations
from tritonsmith_worker.pipeline_text import flatten, normal, pass_name, split_top_level
from tritonsmith_worker.runs import looks_damaged


class PipelineText(unittest.TestCase):
    def test_commas_inside_of_brackets_separate_nothing(self) -> None:
        self.assertEqual(split_top_level("a{x=1,2}, tt.func(b,c) ,,d"), ["a{x=1,2}", "tt.func(b,c)", "d"])

    def test_nested_passes_stand_alone_with_what_they_are_nested_in(self) -> None:
        text = "builtin.module(any(cse),tt.func(a,b{x=1}),canonicalize{  max-iterations=10 region-simplify=normal})"
        flat = ["cse", "tt.func(a)", "tt.func(b{x=1})", "canonicalize{  max-iterations=10 region-simplify=normal}"]
        self.assertEqual(flatten(text), flat)

    def test_order_of_options_and_white_space_mean_nothing(self) -> None:
        self.assertEqual(normal("a{  y=2 \n x=1 }"), normal("a {x=1 y=2}"))
        self.assertEqual(normal("a{ }"), "a")
        self.assertNotEqual(normal("a{x=1}"), normal("a{x=2}"))

    def test_the_name_is_without_options_and_nesting(self) -> None:
        self.assertEqual([pass_name(text) for text in ("a{x=1}", "tt.func(b{x=1})", " c ")], ["a", "b", "c"])


class Bindings(unittest.TestCase):
    def test_parameters_follow_the_pass_manager(self) -> None:
        def binding() -> None:
            """add_x(arg0: pass_manager, arg1: typing.SupportsInt | typing.SupportsIndex, n: int = 3, s: str) -> None

            (int, more text)"""
        self.assertEqual(parameters(binding), ["int", "int", "str"])

    def test_a_function_without_a_signature_has_unknown_parameters(self) -> None:
        self.assertIsNone(parameters(lambda manager: None))

    def test_a_name_is_derived_from_the_place_of_the_binding(self) -> None:
        names = {"passes.ttgpuir.add_coalesce": "tritongpu-coalesce", "amd.passes.ttgpuir.add_x_y": "tritonamdgpu-x-y",
                 "passes.common.add_cse": "cse"}
        self.assertEqual({name: derived_name(name) for name in names}, names)


class Modules(unittest.TestCase):
    def test_locations_go_and_strings_that_look_like_them_stay(self) -> None:
        operation = '  %0 = x {s = " loc(#loc1)"} : i32'
        text = f'#loc1 = loc("a.py":1:2)\nmodule {{\n{operation} loc("a \\" loc(b":1:2 to :9)\n}} loc(#loc)'
        self.assertEqual(strip_locations(text), f"module {{\n{operation}\n}}")

    def test_locations_inside_of_locations_go_with_them(self) -> None:
        text = '%0 = a loc("v"(#loc3))\n%1 = b loc(callsite("f)"("x.py":1:2) at #loc4)) {x = (1)}\n#v = loc(#loc3)'
        self.assertEqual(strip_locations(text), "%0 = a\n%1 = b {x = (1)}")


class Messages(unittest.TestCase):
    def test_a_plain_diagnostic_leaves_the_process_fit(self) -> None:
        self.assertFalse(looks_damaged("input.mlir:1:2: error: operand does not dominate\nnote: a"))

    def test_an_assertion_or_no_message_at_all_does_not(self) -> None:
        self.assertTrue(looks_damaged("x.cpp:3: Assertion `a' failed.\ninput.mlir:1:2: error: more"))
        self.assertTrue(looks_damaged("error: Failures have been detected while processing an MLIR pass pipeline"))
        self.assertTrue(looks_damaged(""))
