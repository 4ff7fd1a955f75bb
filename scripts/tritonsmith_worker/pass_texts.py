"""The command-line forms of passes, asked of the pass managers that they are added to.

Up to 3.2 a pass manager cannot be printed, but it names its passes when it dumps the IR: texts are names without
options there. What a child learns goes to the parent as well, for the children that come after.
"""
from __future__ import annotations

import json
import os
import re

from .bindings import derived_name
from .frames import write_all
from .modules import Modules
from .pipeline_text import flatten
from .printed import PrintedFile
from .processes import fork_trial
from .recording import Step


class PassTexts:
    """The texts of all steps that were looked up so far, by `Step.key`."""

    def __init__(self, modules: Modules, printed: PrintedFile, known: dict[str, str], parent: int) -> None:
        self.modules, self.installation, self.printed = modules, modules.installation, printed
        self.known, self.parent = known, parent

    def of(self, step: Step) -> str:
        key = step.key()
        if key not in self.known:
            if self.installation.has_pipeline_text:
                manager = self.installation.pass_manager(self.modules.context)
                step.add(self.installation, manager)
                self.learn(key, ",".join(flatten(manager.get_pipeline_str().strip())))
            else:
                self.find_names([step])
        return self.known[key]

    def fill(self, steps: list[Step]) -> None:
        """Sets the text of each step."""
        if not self.installation.has_pipeline_text:
            self.find_names(steps)
        for step in steps:
            step.text = self.of(step)

    def learn(self, key: str, text: str) -> None:
        self.known[key] = text
        write_all(self.parent, json.dumps([key, text]).encode() + b"\n")

    def find_names(self, steps: list[Step]) -> None:
        """Runs each pass on an empty module and reads its name in the heading of the dump. A pass can abort on that,
        after its name is printed: so a process of its own does this, and another goes on behind it."""
        missing = list({step.key(): step for step in steps if step.key() not in self.known}.values())
        while missing:
            start = self.printed.size()
            os.waitpid(fork_trial(lambda: self.dump(missing)), 0)  # noqa: B023 - it is over before `missing` changes.
            dumps = re.split(r"\n// pass \d+\n", self.printed.text(start))[1:]
            self.printed.cut(start)
            for step, dump in zip(missing, dumps):
                names = re.findall(r"IR Dump Before \S+ \(([\w-]+)\)", dump)
                self.learn(step.key(), ",".join(names) or derived_name(step.binding))
            missing = missing[max(len(dumps), 1):]
        for step in steps:
            self.known.setdefault(step.key(), derived_name(step.binding))

    def dump(self, steps: list[Step]) -> None:
        os.environ["MLIR_ENABLE_DUMP"] = "1"
        self.modules.refresh_in_fork()
        for index, step in enumerate(steps):
            os.write(2, b"\n// pass %d\n" % index)
            manager = self.installation.pass_manager(self.modules.context)
            manager.enable_debug()
            step.add(self.installation, manager)
            self.installation.run_manager(manager, self.modules.parse("module {\n}\n"))
