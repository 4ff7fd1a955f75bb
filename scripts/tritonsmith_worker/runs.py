"""Running passes over a module: a whole pass manager at a time or stepwise, with the module kept where it is wanted."""
from __future__ import annotations

import itertools
import re
import time
from typing import Any

from .frames import JsonObject
from .installation import describe
from .matching import Attributes, Pipelines
from .modules import Modules
from .printed import PrintedFile
from .progress import Progress
from .recording import Step

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
        run = Run(self, steps, attributes, request.get("keep") or {})
        self.progress.at("parse")
        module = self.modules.parse(request["module"])
        if module is None:
            run.result["exit"] = "not_parsed"
        else:
            run.passes(module, stepwise=request.get("mode") == "stepwise")
        run.result["stderr"] = self.printed.text()
        return run.result


class Run:
    """One run and its result, protocol.rs's `Ran`."""

    def __init__(self, runner: Runner, steps: list[Step], attributes: Attributes, keep: JsonObject) -> None:
        self.runner, self.modules, self.keep = runner, runner.modules, keep
        self.steps, self.attributes = steps, attributes
        self.wanted, self.locations = set(keep.get("after") or ()), bool(keep.get("locations"))
        self.result: JsonObject = {"exit": "ok", "error": None, "failing": None, "times": [], "modules": [],
                                   "damaged": False, "passes": len(steps)}

    def passes(self, module: Any, stepwise: bool) -> None:
        result, steps = self.result, self.steps
        groups = itertools.groupby(range(len(steps)), key=lambda index: index if stepwise else steps[index].group)
        self.keep_text(module, 0, 0 in self.wanted)
        started = time.perf_counter()
        for batch in [list(group) for _, group in groups]:
            self.set_attributes(module, batch)
            self.batch(module, batch)
            if result["exit"] == "failed":
                break
            done = batch[-1] + 1
            self.keep_text(module, done, self.keep.get("each") or done in self.wanted)
        result["micros"] = microseconds_since(started)
        if result["exit"] == "ok":
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
        self.runner.progress.at("run", batch[0] if single else -1, text if single else "")
        before = time.perf_counter()
        try:
            installation.run_manager(manager, module)
        except Exception as error:
            damaged = looks_damaged(self.runner.printed.text())
            result.update(exit="failed", error=describe(error), damaged=damaged)
            if damaged:
                self.runner.remains.append((module, manager))
            if single:
                result["failing"] = {"index": batch[0], "text": text, "left": self.left(module)}
        result["times"].append(microseconds_since(before))

    def set_attributes(self, module: Any, before: list[int]) -> None:
        """Sets what the stage sets before these steps."""
        for at, name, value in self.attributes:
            if at in before:
                module.set_attr(name, value)

    def keep_text(self, module: Any, done: int, wanted: object) -> None:
        """Adds the module as it is after `done` passes to the result, once."""
        if wanted and not any(kept["after"] == done for kept in self.result["modules"]):
            self.runner.progress.at("print", done)
            self.result["modules"].append({"after": done, "text": self.modules.show(module, self.locations)})

    def left(self, module: Any) -> str | None:
        """What a pass left that the verifier rejects. After a crash the module may be half rewritten and is not
        printed."""
        if not self.keep.get("failed") or self.result["damaged"]:
            return None
        # Printing verifies, and would say the same once more.
        size = self.runner.printed.size()
        text = self.modules.show(module, self.locations)
        self.runner.printed.cut(size)
        return text


def microseconds_since(start: float) -> int:
    return round((time.perf_counter() - start) * 1e6)
