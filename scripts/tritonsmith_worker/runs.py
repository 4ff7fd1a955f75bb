"""Running passes over a module: a whole pass manager at a time or stepwise, with the module kept where it is wanted."""
from __future__ import annotations

import itertools
import re
import signal
import time
from typing import Any

from .frames import JsonObject
from .installation import describe
from .matching import Attributes, Pipelines
from .modules import Modules
from .printed import PrintedFile
from .progress import Progress
from .recording import Step
from .rest import MissingProgram, plain_metadata, run_rest

# The processor time that any pass may take, in milliseconds, and how many times that of all passes before it. Over a
# module of ordinary size a pass takes milliseconds.
LEAST_MS, GROWTH = 5000, 50
CRASH_SIGNS = re.compile(r"Assertion `|LLVM ERROR|A signal was caught|PLEASE submit a bug report|Stack dump:|"
                         r"UNREACHABLE executed|operation destroyed but still has uses|pure virtual method|"
                         r"terminate called|double free|corrupted")
# Errors that are said after any failure, a crash as well.
UNSPECIFIC = ("Failures have been detected", "A failure has been detected", "A signal was caught")


def looks_damaged(text: str) -> bool:
    """Whether a failed run may have left this process unfit: it printed anything but a plain diagnostic of MLIR's."""
    plain_errors = [line for line in re.findall(r"error: (.*)", text) if not line.startswith(UNSPECIFIC)]
    return bool(CRASH_SIGNS.search(text)) or not plain_errors


class Runner:
    """Runs passes. After a crash that was caught, `remains` is not empty, and the process must not be used again:
    destroying a half-rewritten module can abort, so it is kept there."""

    def __init__(self, modules: Modules, pipelines: Pipelines, printed: PrintedFile, progress: Progress) -> None:
        self.modules, self.installation, self.pipelines = modules, modules.installation, pipelines
        self.printed, self.progress = printed, progress
        self.remains: list[Any] = []

    def run(self, request: JsonObject) -> JsonObject:
        self.progress.at("resolve")
        steps, attributes = self.pipelines.resolve(request)
        if request.get("stop") is not None:
            steps = steps[:request["stop"]]
        self.printed.cut()
        run = Run(self, steps, attributes, request)
        self.progress.at("parse")
        reads_text = bool(steps) and steps[0].reads_text
        value = request["module"] if reads_text else self.modules.parse(request["module"])
        if value is None:
            run.result["exit"] = "not_parsed"
        else:
            run.run(value, stepwise=request.get("mode") == "stepwise")
        run.result["stderr"] = self.printed.text()
        return run.result


class Run:
    """One run and its result, protocol.rs's `RunAnswer`."""

    def __init__(self, runner: Runner, steps: list[Step], attributes: Attributes, request: JsonObject) -> None:
        self.runner, self.modules, self.request = runner, runner.modules, request
        self.steps, self.attributes, self.keep = steps, attributes, request.get("keep") or {}
        self.wanted, self.locations = set(self.keep.get("after") or ()), bool(self.keep.get("locations"))
        self.metadata: JsonObject = dict(request.get("metadata") or {})
        self.result: JsonObject = {"exit": "ok", "error": None, "failing": None, "rejected": None, "not_run": None,
                                   "times": [], "modules": [], "damaged": False, "passes": len(steps), "metadata": {}}

    def run(self, module: Any, stepwise: bool) -> None:
        """Runs all steps over a module, or over a text where the first step takes that."""
        result, steps = self.result, self.steps

        def batch_of(index: int) -> tuple[int, int]:
            alone = stepwise or steps[index].rest_of
            return (index, 0) if alone else (-1, steps[index].group)

        groups = itertools.groupby(range(len(steps)), key=batch_of)
        self.keep_text(module, 0, 0 in self.wanted)
        started = time.perf_counter()
        for batch in [list(group) for _, group in groups]:
            if steps[batch[0]].rest_of:
                module = self.rest(module, batch[0])
            else:
                self.set_attributes(module, batch)
                self.batch(module, batch)
            if result["exit"] == "failed" or result["not_run"]:
                break
            done = batch[-1] + 1
            self.keep_text(module, done, self.keep.get("each") or done in self.wanted)
        result["micros"] = microseconds_since(started)
        result["metadata"] = plain_metadata(self.metadata)
        if result["exit"] == "ok" and not result["not_run"]:
            if not is_text(module):
                self.set_attributes(module, [len(steps)])
            self.keep_text(module, len(steps), self.keep.get("last"))

    def batch(self, module: Any, batch: list[int]) -> None:
        """Runs the steps of these numbers in one pass manager."""
        installation, result = self.runner.installation, self.result
        manager = installation.pass_manager(self.modules.context)
        manager.enable_debug()
        for index in batch:
            self.steps[index].add(installation, manager)
        single, text = len(batch) == 1, self.steps[batch[0]].text
        # A pass that takes this much longer than all before it together does not come to an end.
        limit = max(self.request.get("pass_ms") or LEAST_MS, GROWTH * sum(result["times"]) // 1000) if single else 0
        self.runner.progress.at("run", batch[0] if single else -1, text if single else "", limit)
        before = time.perf_counter()
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, limit / 1000)
            try:
                installation.run_manager(manager, module)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except Exception as error:
            damaged = looks_damaged(self.runner.printed.text())
            result.update(exit="failed", error=describe(error), damaged=damaged)
            left = None
            if damaged:
                # After a crash the module may be half rewritten: it is neither printed nor destroyed.
                self.runner.remains.append((module, manager))
            else:
                left = self.left(module)
            if single:
                result["failing"] = {"index": batch[0], "text": text, "left": left}
        result["times"].append(microseconds_since(before))

    def rest(self, value: Any, index: int) -> Any:
        """Runs a step that is no pass over a module or a text, and gives what it makes."""
        step, progress = self.steps[index], self.runner.progress
        failing: JsonObject = {"index": index, "text": step.text, "left": None}

        def enter(call: str) -> None:
            if call:
                failing["call"] = call
            progress.at("run", index, f"{step.text} {call}".strip())

        enter("")
        before = time.perf_counter()
        try:
            value = run_rest(self.modules, self.request, step, value, self.metadata, enter)
        except MissingProgram as missing:
            self.result["not_run"] = str(missing)
            return value
        except Exception as error:
            damaged = bool(CRASH_SIGNS.search(self.runner.printed.text()))
            self.result.update(exit="failed", error=describe(error), damaged=damaged, failing=failing)
            if damaged:
                self.runner.remains.append(value)
        self.result["times"].append(microseconds_since(before))
        return value

    def set_attributes(self, module: Any, before: list[int]) -> None:
        """Sets what the stage sets before these steps."""
        for at, name, value in self.attributes:
            if at in before:
                module.set_attr(name, value)

    def keep_text(self, module: Any, done: int, wanted: object) -> None:
        """Adds the module as it is after `done` passes to the result, once."""
        if wanted and not any(kept["after"] == done for kept in self.result["modules"]):
            self.runner.progress.at("print", done)
            form, text = "mlir", ""
            if not is_text(module):
                text = self.modules.show(module, self.locations)
            elif isinstance(module, str):
                form, text = "text", module
            else:
                form = "binary"
            self.result["modules"].append({"after": done, "form": form, "text": text})

    def left(self, module: Any) -> str | None:
        """Asks the verifier about the module that a failing pass left, and gives its text where that is wanted. What is
        printed over it is not what the run printed."""
        size, text = self.runner.printed.size(), None
        if hasattr(module, "verify"):  # From 3.3.0 on.
            module.verify()
            self.result["rejected"] = self.runner.printed.text(size)
        if self.keep.get("failed"):
            text = self.modules.show(module, self.locations)
        self.runner.printed.cut(size)
        return text


def is_text(value: Any) -> bool:
    """Whether a step left no module but LLVM IR, assembly or an object file."""
    return isinstance(value, (str, bytes))


def microseconds_since(start: float) -> int:
    return round((time.perf_counter() - start) * 1e6)
