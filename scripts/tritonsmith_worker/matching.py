"""From what a request says about passes to the calls that add them: a stage of a backend is recorded; the texts of
passes are looked for in recordings, else made by calling bindings with arguments until one prints the text.

A text may leave out options and what its pass is nested in: both are then as in the installation's own pipeline. What
is said is never ignored, and what is left out and stands nowhere is asked for."""
from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from .backends import stages_of
from .bindings import parameters
from .frames import JsonObject, Refused
from .modules import Modules
from .pass_texts import PassTexts
from .pipeline_text import PassText, flatten, normal, pass_name
from .recording import Recording, Step, record

Attributes = list[tuple[int, str, Any]]
TRIES = 4000  # Combinations of arguments to try for one binding.
CHUNK = 64  # So many at a time, as each costs a process in releases that cannot print a pass manager.
WARPS, STAGES = (4, 8, 2, 1, 16), (3, 2, 1, 4, 5)


class Pipelines:
    """The pipelines of one installation, each recorded or matched once in a context."""

    def __init__(self, modules: Modules, texts: PassTexts) -> None:
        self.modules, self.installation, self.texts = modules, modules.installation, texts
        self.recordings: dict[str, Recording] = {}
        self.matches: dict[str, list[Step]] = {}
        modules.caches += [self.recordings, self.matches]

    def recording(self, target: JsonObject, options: JsonObject, stage: str) -> Recording:
        key = json.dumps([target, options, stage], sort_keys=True)
        if key not in self.recordings:
            if self.is_behind_mlir(target, options, stage):
                recording = Recording()
                recording.stages = list(stages_of(self.modules.backend(target)[0], options)[0])
                recording.add_rest(stage, reads_text=True)
            else:
                recording = record(self.modules, target, options, stage)
                self.texts.fill([step for step in recording.steps if not step.rest_of])
            self.recordings[key] = recording
        return self.recordings[key]

    def is_behind_mlir(self, target: JsonObject, options: JsonObject, stage: str) -> bool:
        """Whether a stage takes what is no MLIR module any more: LLVM IR, assembly."""
        backend, _ = self.modules.backend(target)
        names = list(stages_of(backend, options)[0])
        before = names[:names.index(stage)] if stage in names else []
        return any(self.recording(target, options, name).leaves_mlir for name in before)

    def resolve(self, request: JsonObject) -> tuple[list[Step], Attributes]:
        """The steps that a run is about, and the attributes that the stage sets on the module between them."""
        passes, target, options = request["passes"], request["target"], request.get("options") or {}
        if "stage" in passes:
            recording = self.recording(target, options, passes["stage"])
            if recording.failure:
                raise Refused("stage", f"the stage `{passes['stage']}` cannot be recorded: {recording.failure}")
            first = passes.get("from") or 0
            last = len(recording.steps) if passes.get("to") is None else min(passes["to"], len(recording.steps))
            attributes = [(at - first, name, value) for at, name, value in recording.attributes if first <= at <= last]
            return recording.steps[first:last], attributes
        key = json.dumps([target, options, passes["texts"]], sort_keys=True)
        if key not in self.matches:
            wanted = [part for text in passes["texts"] for part in flatten(text)]
            self.matches[key] = [step if step.rest_of else Step(0, step.binding, step.args, step.named, step.text)
                                 for step in self.match(wanted, target, options)]
        return self.matches[key], []

    def match(self, wanted: list[str], target: JsonObject, options: JsonObject) -> list[Step]:
        """Steps whose command-line text is `wanted`: as recorded, else with arguments found by trying."""
        wanted = [self.completed(text, target, options) for text in wanted]
        steps, at = [], 0
        while at < len(wanted):
            rest = self.rest(wanted[at], target, options)
            if rest is not None:
                steps.append(rest)
                at += 1
                continue
            step, length = self.recorded_match(wanted[at:], target, options)
            if step is None:
                step, length = self.guess(wanted[at], target), 1
            steps.append(step)
            at += length
        return steps

    def completed(self, text: str, target: JsonObject, options: JsonObject) -> str:
        """The text with what it leaves out as the installation's own pipeline has it, if that has the pass."""
        wanted = PassText(text)
        own: list[PassText] = []
        for recording in self.recordings_of(self.stages(target, options), target, options):
            parts = [PassText(part) for step in recording.steps for part in flatten(step.text)]
            own = [part for part in parts if part.name == wanted.name and wanted.anchors in ([], part.anchors)]
            if own:
                break
        else:
            return text
        self.refuse_unknown(wanted, own[0])
        fitting = [part for part in own if wanted.options.items() <= part.options.items()]
        return str(fitting[0]) if fitting else str(own[0].with_options(wanted.options))

    def refuse_unknown(self, wanted: PassText, own: PassText) -> None:
        unknown = [key for key in wanted.options if key not in own.options]
        if unknown:
            has = f"it has {', '.join(own.options)}" if own.options else "it has none"
            raise Refused("pass_options", f"the pass `{own.name}` of triton {self.installation.version} has no option "
                                  f"`{unknown[0]}`: {has}")

    def recordings_of(self, names: Iterable[str], target: JsonObject, options: JsonObject) -> Iterator[Recording]:
        for name in names:
            try:
                yield self.recording(target, options, name)
            except Refused:
                continue

    def stages(self, target: JsonObject, options: JsonObject) -> Iterator[str]:
        """The stages that take a module, in order."""
        backend, _ = self.modules.backend(target)
        for name in stages_of(backend, options)[0]:
            if not self.is_behind_mlir(target, options, name):
                yield name

    def rest(self, text: str, target: JsonObject, options: JsonObject) -> Step | None:
        """The step `make_llir` and the like: what a stage does beside its passes."""
        backend, _ = self.modules.backend(target)
        stage = text.removeprefix("make_") if text.startswith("make_") else None
        if stage is None or stage not in stages_of(backend, options)[0]:
            return None
        steps = self.recording(target, options, stage).steps
        if steps and steps[-1].rest_of:
            return steps[-1]
        raise Refused("pass", f"the stage `{stage}` does nothing beside its passes")

    def known_recordings(self, target: JsonObject, options: JsonObject) -> Iterator[Recording]:
        """Recordings of every stage that can be recorded, first with these options, then with other common ones."""
        names = list(self.stages(target, options))
        others = [dict(options, num_warps=warps, num_stages=stages) for warps in WARPS for stages in STAGES]
        for variant in [options, *others]:
            yield from self.recordings_of(names, target, variant)

    def recorded_match(self, wanted: list[str], target: JsonObject, options: JsonObject) -> tuple[Step | None, int]:
        """The longest step that prints as the beginning of `wanted`, and how many passes it is."""
        exact = [normal(text) for text in wanted]
        for recording in self.known_recordings(target, options):
            best: tuple[Step | None, int] = (None, 0)
            for step in recording.steps:
                if step.rest_of:
                    continue
                parts = [normal(text) for text in flatten(step.text)]
                if parts and parts == exact[:len(parts)] and len(parts) > best[1]:
                    best = (step, len(parts))
            if best[0]:
                return best
        return None, 0

    def guess(self, text: str, target: JsonObject) -> Step:
        """A binding called such that it prints `text`."""
        wanted, choices = PassText(text), values_in(text, target)
        named_so: list[str] = []
        fitting: dict[str, Step] = {}
        nearest = ""
        for dotted, binding in self.installation.bindings.items():
            kinds = parameters(binding.function)
            if kinds is None or any(kind not in choices for kind in kinds):
                continue
            for step in self.tried(dotted, [choices[kind] for kind in kinds], wanted.name):
                printed = PassText(flatten(step.text)[0])
                self.refuse_unknown(wanted, printed)
                if wanted.anchors in ([], printed.anchors) and wanted.options.items() <= printed.options.items():
                    if wanted.options == printed.options:
                        return step
                    fitting.setdefault(str(printed), step)
                nearest = step.text
                if dotted not in named_so:
                    named_so.append(dotted)
        if len(fitting) == 1:
            return next(iter(fitting.values()))
        if fitting:
            values = [PassText(text).options for text in fitting]
            open_options = [key for key in values[0] if len({value.get(key) for value in values}) > 1]
            raise Refused("pass_options", f"the pass `{wanted.name}` is not in the pipeline of triton "
                                  f"{self.installation.version} for this target, so that `{text}` must say its "
                                  f"{', '.join(open_options)} as well")
        if named_so:
            raise Refused("pass_options", f"the pass `{wanted.name}` is here ({', '.join(named_so)}), but with no "
                                  f"arguments that print as `{text}`; the nearest is `{nearest}`")
        raise Refused("pass", f"triton {self.installation.version} has no pass `{wanted.name}` that can be added "
                              "from Python")

    def tried(self, dotted: str, choices: list[list[Any]], name: str) -> Iterator[Step]:
        """A binding with one list of arguments after the other, as long as it adds the pass of this name alone."""
        every = itertools.islice(itertools.product(*choices), TRIES)
        size = 1
        while chunk := [Step(0, dotted, args, {}) for args in itertools.islice(every, size)]:
            try:
                self.texts.fill(chunk)
            except Exception:
                return
            if any([pass_name(part) for part in flatten(step.text)] != [name] for step in chunk):
                return
            yield from chunk
            size = CHUNK


def values_in(text: str, target: JsonObject) -> dict[str, list[Any]]:
    """Values to try for parameters, by type: those in the text of a pass first."""
    words = re.findall(r"=([^\s{}]+)", text)
    integers = [int(word) for word in words if re.fullmatch(r"-?\d+", word)] + [0, 1, 2, 3, 4, 8, 32, 64]
    strings = [word for word in words if not re.fullmatch(r"-?\d+|true|false", word)]
    strings += [f"{target['kind']}:{target['arch']}", str(target["arch"]), ""]
    return {"int": list(dict.fromkeys(integers)), "bool": [False, True], "str": list(dict.fromkeys(strings)),
            "float": [0.0, 1.0]}
