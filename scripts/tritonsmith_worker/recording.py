"""Recording which passes a backend's stage adds.

A stage is Python code that fills pass managers and runs them. It runs here on an empty module, with libtriton's pass
manager and every function that adds a pass replaced by something that notes the call and does nothing, so that
pipelines need not be copied into tables, of forks neither.
"""
from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any, Callable

from .backends import LANGUAGE, stages_of
from .frames import JsonObject, Refused
from .installation import Installation, describe
from .modules import Modules

EMPTY_KERNEL = "module {\n  tt.func public @kernel() {\n    tt.return\n  }\n}\n"


class Translated(Exception):
    """The stage that is recorded has come to the translation to LLVM IR."""


class Step:
    """One call of a binding, in the pass manager number `group`; `text` is its command-line form."""

    rest_of: str | None = None  # The stage, where the step is what that does beside its passes; see rest.py.
    reads_text = False  # Whether it takes text, not a module.

    def __init__(self, group: int, binding: str, args: tuple[Any, ...], named: JsonObject, text: str = "") -> None:
        self.group, self.binding, self.args, self.named, self.text = group, binding, args, named, text

    def key(self) -> str:
        """What is the same for steps that print alike; an argument that is an object counts by its type."""
        return repr((self.binding, [plain(arg) for arg in self.args], sorted(self.named.items())))

    def add(self, installation: Installation, manager: Any) -> None:
        installation.bind(self.binding)(manager, *self.args, **self.named)


class Recording:
    """What one stage of a backend does for one target with one set of options."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.groups: list[str | None] = []  # The pass managers, each with the name that it was run under.
        self.attributes: list[tuple[int, str, Any]] = []  # Set on the module before the step of this number.
        self.failure: str | None = None
        self.metadata: dict[str, str] = {}
        self.unknown_options: list[str] = []
        self.stages: list[str] = []  # All stages of the backend.
        self.leaves_mlir = False  # Whether the stage, or one before it, ends in something that is no MLIR module.

    def add_rest(self, stage: str, reads_text: bool) -> None:
        """Adds what the stage does beside its passes, which is one step."""
        step = Step(len(self.groups), "", (), {}, f"make_{stage}")
        step.rest_of, step.reads_text = stage, reads_text
        self.groups.append(None)
        self.steps.append(step)
        self.leaves_mlir = True

    def answer(self) -> JsonObject:
        """The recording as protocol.rs's `RecordedPipeline`."""
        return {"steps": [{"index": index, "group": step.group, "binding": step.binding or None,
                           "args": [plain(arg) for arg in step.args], "text": step.text}
                          for index, step in enumerate(self.steps)],
                "groups": self.groups,
                "attributes": [{"before": at, "name": name} for at, name, _ in self.attributes],
                "metadata": self.metadata, "unknown_options": self.unknown_options, "failure": self.failure,
                "stages": self.stages}


class Recorder:
    """Takes the place of a pass manager."""

    def __init__(self, recording: Recording) -> None:
        self.recording, self.group = recording, len(recording.groups)
        recording.groups.append(None)

    def enable_debug(self) -> bool:
        return False

    def run(self, module: Any, name: str | None = None) -> None:
        self.recording.groups[self.group] = name

    def get_pipeline_str(self) -> str:
        return ""

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("__"):
            raise AttributeError(name)
        # Switches of the manager such as `enable_timing`: they add no pass.
        return lambda *args, **named: None


def plain(value: object) -> object:
    """An argument as JSON can hold it."""
    return value if isinstance(value, (bool, int, float, str, type(None))) else {"opaque": type(value).__name__}


def record(modules: Modules, target: JsonObject, options: JsonObject, stage: str) -> Recording:
    """The recording of a stage; its passes have no text yet."""
    backend, gpu = modules.backend(target)
    name = type(backend).__name__
    try:
        stages, parsed = stages_of(backend, options)
    except Exception as error:
        raise Refused("options", f"{name} refuses the options {json.dumps(options)}: {describe(error)}") from error
    if stage not in stages:
        raise Refused("stage", f"{name} has no stage `{stage}`; it has {', '.join(stages)}")
    recording = Recording()
    recording.stages = list(stages)
    recording.unknown_options = sorted(option for option in options
                                       if option != LANGUAGE and not hasattr(parsed, option))
    module = modules.parse(EMPTY_KERNEL)
    metadata = base_metadata(parsed, gpu)
    before = dict(metadata)
    with ExitStack() as stack:
        replace_by_recorders(modules.installation, recording, stack)
        try:
            stages[stage](module, metadata)
        except Translated:
            recording.add_rest(stage, reads_text=False)
        except Exception as error:
            recording.failure = describe(error)
    recording.metadata = {key: repr(value) for key, value in metadata.items()
                          if key not in before or before[key] is not value}
    return recording


def base_metadata(parsed: Any, gpu: Any) -> JsonObject:
    """The metadata that a compile begins with."""
    return {"target": gpu, **getattr(parsed, "__dict__", {})}


def replace_by_recorders(installation: Installation, recording: Recording, stack: ExitStack,
                         translate: bool = False) -> None:
    """Puts recorders in the place of what a stage calls, until `stack` is closed; unless `translate` is set, the stage
    ends where the translation to LLVM IR begins."""

    def replace(owner: Any, name: str, value: object) -> None:
        stack.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, value)

    def recorder(dotted: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def add(manager: Any, *args: Any, **named: Any) -> Any:
            if not isinstance(manager, Recorder):
                return function(manager, *args, **named)
            recording.steps.append(Step(manager.group, dotted, args, named))
            return None
        return add

    module_class = installation.ir.module
    original_set_attr = module_class.set_attr

    def set_attr(module: Any, name: str, attribute: Any) -> None:
        recording.attributes.append((len(recording.steps), name, attribute))
        original_set_attr(module, name, attribute)

    def translated(*args: Any, **named: Any) -> None:
        raise Translated

    # The stage that ends in LLVM IR is over for MLIR where the translation begins; the empty module has none.
    if not translate and hasattr(getattr(installation.lib, "llvm", None), "to_module"):
        replace(installation.lib.llvm, "to_module", translated)
    replace(installation.ir, "pass_manager", lambda context: Recorder(recording))
    replace(module_class, "set_attr", set_attr)
    for dotted, binding in installation.bindings.items():
        replace(binding.owner, binding.name, recorder(dotted, binding.function))
