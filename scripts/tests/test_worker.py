"""The worker as a process, on the fake Triton."""
from __future__ import annotations

import os
import signal
import tempfile
import unittest
from typing import Any

from .places import FAKES
from .worker_process import TARGET, WorkerProcess

GOOD, BAD = "module { // good\n}\n", "module { // bad\n}\n"


class OneWorker(unittest.TestCase):
    """Requests to one worker, each of which leaves it usable."""

    worker: WorkerProcess

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = WorkerProcess()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.close()

    def refusal(self, frame: Any, kind: str) -> str:
        self.assertEqual(frame["refused"]["kind"], kind, frame)
        return str(frame["refused"]["message"])

    def test_it_says_what_it_works_with(self) -> None:
        hello = self.worker.ask("hello")["answer"]
        self.assertEqual((hello["triton"], hello["backends"], hello["pipeline_text"]), ("0.1+fake", ["fake"], True))

    def test_a_stage_is_recorded_with_groups_and_attributes(self) -> None:
        options = {"num_warps": 8, "unheard_of": 1}
        answer = self.worker.ask("pipeline", target=TARGET, stage="ttir", options=options)["answer"]
        self.assertEqual([(step["group"], step["text"]) for step in answer["steps"]],
                         [(0, "cse"), (0, "fake-widen{factor=8  fast=false}"), (1, "fake-fails"), (1, "fake-dies")])
        self.assertEqual([step["args"] for step in answer["steps"]], [[], [8, False], [], []])
        self.assertEqual(answer["groups"], ["first", "second"])
        self.assertEqual(answer["attributes"], [{"before": 2, "name": "fake.stages"}])
        self.assertEqual((answer["metadata"], answer["failure"]), ({"shared": "16"}, None))
        self.assertEqual(answer["unknown_options"], ["unheard_of"])

    def test_what_a_stage_does_beside_its_passes_is_one_step(self) -> None:
        def texts(stage: str) -> list[str]:
            answer = self.worker.ask("pipeline", target=TARGET, stage=stage)["answer"]
            self.assertEqual(answer["stages"], ["ttir", "broken", "llir", "asm", "object"])
            self.assertIsNone(answer["failure"])
            return [step["text"] for step in answer["steps"]]

        self.assertEqual(texts("llir"), ["fake-asserts", "make_llir"])
        self.assertEqual((texts("asm"), texts("object")), (["make_asm"], ["make_object"]))

    def test_the_steps_behind_mlir_take_what_the_one_before_made(self) -> None:
        texts = ["fake-asserts", "make_llir", "make_asm", "make_object"]
        answer = self.worker.run(GOOD, *texts, keep={"each": True}, metadata={"shared": 16})["answer"]
        self.assertEqual([(kept["after"], kept["form"]) for kept in answer["modules"]],
                         [(1, "mlir"), (2, "text"), (3, "text"), (4, "binary")])
        self.assertEqual(answer["modules"][2]["text"].splitlines()[:2], [".kernel 17; optimized", GOOD.splitlines()[0]])
        self.assertEqual(answer["metadata"]["scratch"], 17)
        request = {"target": TARGET, "passes": {"texts": texts}, "metadata": {"shared": 16}, "keep": {"last": True}}
        whole = self.worker.ask("run", module=GOOD, **request)["answer"]
        self.assertEqual((whole["exit"], whole["modules"][-1]["after"]), ("ok", 4))
        alone = self.worker.run("; optimized", "make_asm", keep={"last": True}, metadata={"scratch": 3})["answer"]
        self.assertEqual(alone["modules"][0]["text"], ".kernel 3; optimized")

    def test_a_failure_behind_mlir_names_the_step(self) -> None:
        answer = self.worker.run("module { // unassemblable\n}\n", "make_llir", "make_asm")["answer"]
        self.assertEqual((answer["exit"], answer["failing"]["text"]), ("failed", "make_asm"))
        self.assertIn("unknown instruction", answer["error"])
        missing = self.worker.run("module { // no assembler\n}\n", "make_llir", "make_asm", "make_object",
                                  keep={"each": True, "last": True})["answer"]
        self.assertEqual((missing["exit"], [kept["after"] for kept in missing["modules"]]), ("ok", [1]))
        self.assertIn("make_asm needs a program that is not here", missing["not_run"])
        died = self.worker.run("module { // unoptimizable\n}\n", "make_llir")["died"]
        self.assertEqual((died["signal"], died["text"]), (signal.SIGSEGV, "make_llir optimize"))

    def test_a_stage_that_raises_is_a_failure_of_the_recording(self) -> None:
        answer = self.worker.ask("pipeline", target=TARGET, stage="broken")["answer"]
        self.assertIn("AttributeError", answer["failure"])

    def test_a_stage_runs_with_its_attributes(self) -> None:
        passes = {"stage": "ttir", "from": 1, "to": 3}
        answer = self.worker.ask("run", module=GOOD, target=TARGET, passes=passes, keep={"last": True})["answer"]
        self.assertEqual((answer["exit"], answer["passes"], len(answer["times"])), ("ok", 2, 2))
        lines = answer["modules"][0]["text"].splitlines()
        widened = "// after fake-widen{factor=4  fast=false}"
        self.assertEqual(lines[2:], [widened, "// fake.stages = 3", "// after fake-fails"])

    def test_passes_given_as_text_are_found_with_their_arguments(self) -> None:
        text = "builtin.module(cse,fake-widen{fast=true factor=77})"
        answer = self.worker.run(GOOD, text, keep={"each": True})["answer"]
        self.assertEqual([kept["after"] for kept in answer["modules"]], [1, 2])
        self.assertTrue(answer["modules"][1]["text"].endswith("// after fake-widen{factor=77  fast=true}\n"), answer)

    def test_a_pass_that_is_not_there_is_refused(self) -> None:
        self.assertIn("no pass `fake-nothing`", self.refusal(self.worker.run(GOOD, "fake-nothing"), "pass"))
        message = self.refusal(self.worker.run(GOOD, "fake-widen{length=1}"), "pass_options")
        self.assertIn("has no option `length`: it has factor, fast", message)
        message = self.refusal(self.worker.run(GOOD, "fake-widen{factor=x}"), "pass_options")
        self.assertIn("is here (passes.ttir.add_widen)", message)

    def test_what_a_text_leaves_out_is_as_in_the_pipeline(self) -> None:
        for text, ran in (("fake-widen", "factor=4  fast=false"), ("fake-widen{fast=true}", "factor=4  fast=true"),
                          ("fake-widen{factor=77}", "factor=77  fast=false")):
            answer = self.worker.run(GOOD, text, keep={"last": True})["answer"]
            self.assertTrue(answer["modules"][0]["text"].endswith(f"// after fake-widen{{{ran}}}\n"), answer)
        # Nothing says what the options of this pass are.
        message = self.refusal(self.worker.run(GOOD, "fake-loose{fast=true}"), "pass_options")
        self.assertIn("`fake-loose{fast=true}` must say its factor as well", message)
        self.assertEqual(self.worker.run(GOOD, "fake-loose{fast=true factor=3}")["answer"]["exit"], "ok")

    def test_a_target_that_is_not_there_is_refused_with_those_that_are(self) -> None:
        frame = self.worker.ask("pipeline", target=dict(TARGET, kind="vendr"), stage="ttir")
        self.assertIn("use --target vendor:…", self.refusal(frame, "target"))

    def test_a_failing_pass_is_named_with_what_it_left(self) -> None:
        answer = self.worker.run(BAD, "cse", "fake-fails", "cse", keep={"failed": True})["answer"]
        self.assertEqual((answer["exit"], answer["damaged"]), ("failed", False))
        self.assertEqual(answer["failing"], {"index": 1, "text": "fake-fails", "left": BAD + "// after cse\n"})
        self.assertEqual(answer["rejected"], "")
        answer = self.worker.run(BAD + "// rejected\n", "fake-fails")["answer"]
        self.assertEqual((answer["rejected"], answer["stderr"]), (answer["stderr"], answer["rejected"]))
        self.assertEqual(answer["stderr"], "input.mlir:1:1: error: this module is bad\n")

    def test_a_module_that_does_not_parse_is_told_with_its_diagnostics(self) -> None:
        answer = self.worker.run("nonsense", "cse")["answer"]
        self.assertEqual(answer["exit"], "not_parsed")
        self.assertEqual(answer["stderr"], 'loc("input.mlir":1:1): error: expected a module\n')
        results = self.worker.ask("verify", texts=["nonsense", GOOD])["answer"]["results"]
        self.assertEqual([(one["valid"], bool(one["stderr"])) for one in results], [(False, True), (True, False)])

    def test_requests_that_make_no_sense_are_refused(self) -> None:
        self.assertIn("unknown request `dance`", self.refusal(self.worker.ask("dance"), "request"))
        self.assertIn("version 1", self.refusal(self.worker.ask("hello", v=2), "request"))
        message = self.refusal(self.worker.ask("verify"), "internal")
        self.assertRegex(message, r"KeyError: 'texts' \(server.py, line \d+\)")


class Deaths(unittest.TestCase):
    """Children that do not survive a request."""

    def setUp(self) -> None:
        self.worker = WorkerProcess()
        self.addCleanup(self.worker.close)

    def test_the_parent_answers_for_a_child_that_dies(self) -> None:
        died = self.worker.run(BAD, "cse", "fake-dies")["died"]
        self.assertEqual((died["signal"], died["exit"]), (signal.SIGSEGV, None))
        self.assertEqual((died["phase"], died["index"], died["text"]), ("run", 1, "fake-dies"))
        self.assertEqual(died["stderr"], "about to die\n")
        first = self.worker.pid
        self.assertEqual(self.worker.run(GOOD, "cse", "fake-dies")["answer"]["exit"], "ok")
        self.assertNotEqual(self.worker.pid, first)

    def test_a_module_that_kills_the_parser_is_told_by_its_number(self) -> None:
        died = self.worker.ask("verify", texts=[GOOD, "module // die while parsing"])["died"]
        self.assertEqual((died["phase"], died["index"]), ("parse", 1))

    def test_a_child_in_which_a_crash_was_caught_answers_and_leaves(self) -> None:
        answer = self.worker.run(BAD, "fake-asserts", keep={"failed": True})["answer"]
        self.assertEqual((answer["exit"], answer["damaged"], answer["failing"]["left"]), ("failed", True, None))
        first = self.worker.pid
        self.worker.ask("hello")
        self.assertNotEqual(self.worker.pid, first)

    def test_it_ends_with_the_stream(self) -> None:
        self.worker.ask("hello")
        self.assertEqual(self.worker.close(), 0)


class Starts(unittest.TestCase):
    def test_an_old_triton_names_its_passes_in_reproducers(self) -> None:
        worker = WorkerProcess(FAKE_TRITON="3.2 aborts")
        self.addCleanup(worker.close)
        self.assertFalse(worker.ask("hello")["answer"]["pipeline_text"])
        answer = worker.ask("pipeline", target=TARGET, stage="ttir")["answer"]
        self.assertEqual([step["text"] for step in answer["steps"]],
                         ["cse", "fake-widen{factor=4  fast=false}", "fake-fails", "fake-dies"])
        self.assertEqual(worker.run(GOOD, "fake-widen{factor=2}", "cse")["answer"]["exit"], "ok")
        message = worker.run(GOOD, "fake-widen{nonsense=2}")["refused"]["message"]
        self.assertIn("has no option `nonsense`", message)
        # Every binding is tried for its name, and the one that ends its process as well.
        self.assertIn("no pass `fake-nothing`", worker.run(GOOD, "fake-nothing")["refused"]["message"])

    def test_the_probe_goes_on_behind_a_binding_that_ends_the_process(self) -> None:
        worker = WorkerProcess(FAKE_TRITON="aborts")
        self.addCleanup(worker.close)
        probe = worker.ask("probe")["answer"]
        kinds = probe["backends"][0]["kinds"]
        self.assertEqual([(kind["kind"], kind["stages"]) for kind in kinds],
                         [("vendor", ["ttir", "broken", "llir", "asm", "object"])])
        found = {one["binding"].split(".")[-1]: (one["text"], one["failure"]) for one in probe["passes"]}
        self.assertEqual(found["add_aborts"], (None, "adding it ends the process (status 2304)"))
        self.assertEqual(found["add_opaque"], (None, "its parameters cannot be made up"))
        self.assertEqual(found["add_widen"], ("fake-widen{factor=1  fast=false}", None))
        self.assertEqual(len(found), 8)

    def test_a_python_without_triton_is_told_from_a_broken_one(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            for content, kind in ((None, "no_triton"), ("import nothing_like_that", "broken"), ("1 / 0", "broken")):
                if content:
                    with open(os.path.join(directory, "triton.py"), "w") as file:
                        file.write(content)
                worker = WorkerProcess(python_path=directory)
                self.assertEqual(worker.ask("hello")["fatal"]["kind"], kind)
                self.assertEqual(worker.close(), 3)

    def test_files_of_the_working_directory_are_not_imported(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            for name in ("difflib", "json", "mmap", "os", "struct", "tempfile", "tritonsmith_worker", "zipimport"):
                with open(os.path.join(directory, name + ".py"), "w") as file:
                    file.write("raise SystemExit('it was imported')")
            worker = WorkerProcess(directory)
            self.addCleanup(worker.close)
            self.assertIn("answer", worker.ask("hello"))

    def test_a_start_up_file_that_prints_does_not_break_the_protocol(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "sitecustomize.py"), "w") as file:
                file.write("print('Welcome to this cluster', flush=True)")
            worker = WorkerProcess(python_path=os.pathsep.join([directory, FAKES]))
            self.addCleanup(worker.close)
            self.assertIn("answer", worker.ask("hello"))
            worker.printed.seek(0)
            self.assertEqual(worker.printed.read(), b"Welcome to this cluster\n")
