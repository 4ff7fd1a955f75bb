"""The command-line forms of passes, asked of the pass managers that they are added to.

Up to 3.2 a pass manager cannot be printed, but it writes a reproducer before it runs, which has its pipeline. What a
child learns goes to the parent as well, for the children that come after.
"""
from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path

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
                self.find_texts([step])
        return self.known[key]

    def fill(self, steps: list[Step]) -> None:
        """Sets the text of each step."""
        if not self.installation.has_pipeline_text:
            self.find_texts(steps)
        for step in steps:
            step.text = self.of(step)

    def learn(self, key: str, text: str) -> None:
        self.known[key] = text
        write_all(self.parent, json.dumps([key, text]).encode() + b"\n")

    def find_texts(self, steps: list[Step]) -> None:
        """Runs each pass on an empty module and reads its text in the reproducer. A pass can abort on that, after the
        reproducer is written: so a process of its own does this, and another goes on behind it."""
        missing = list({step.key(): step for step in steps if step.key() not in self.known}.values())
        while missing:
            start = self.printed.size()
            with tempfile.TemporaryDirectory() as folder:
                places = [Path(folder, str(index)) for index in range(len(missing))]
                os.waitpid(fork_trial(lambda: self.write_reproducers(missing, places)), 0)  # noqa: B023 - over by then.
                written = [place.read_text() for place in places if place.exists()]
            self.printed.cut(start)
            for step, text in zip(missing, written):
                pipeline = re.search(r'pipeline: "((?:[^"\\]|\\.)*)"', text)
                flat = flatten(re.sub(r"\\(.)", r"\1", pipeline.group(1))) if pipeline else []
                self.learn(step.key(), ",".join(flat) or derived_name(step.binding))
            missing = missing[max(len(written), 1):]
        for step in steps:
            self.known.setdefault(step.key(), derived_name(step.binding))

    def write_reproducers(self, steps: list[Step], places: list[Path]) -> None:
        self.modules.refresh_in_fork()
        for step, place in zip(steps, places):
            os.environ["TRITON_REPRODUCER_PATH"] = str(place)
            manager = self.installation.pass_manager(self.modules.context)
            step.add(self.installation, manager)
            self.installation.run_manager(manager, self.modules.parse("module {\n}\n"))
