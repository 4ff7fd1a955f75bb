"""What an installation offers, found by trying: kinds of target with their stages, and passes with their texts."""
from __future__ import annotations

import json
import os
from typing import Any

from .backends import ARCHS, kinds_to_ask, stages_of
from .bindings import parameters
from .frames import JsonObject
from .installation import describe
from .modules import Modules
from .pass_texts import PassTexts
from .processes import fork_trial
from .recording import Step

SAMPLES = {"int": 1, "bool": False, "str": "cuda:80", "float": 1.0}


def probe(modules: Modules, texts: PassTexts) -> JsonObject:
    backends = [probe_backend(modules, name, backend.compiler) for name, backend in modules.installation.backends]
    return {"backends": backends, "passes": probe_passes(modules, texts)}


def probe_backend(modules: Modules, name: str, compiler: Any) -> JsonObject:
    found: JsonObject = {"name": name, "class": compiler.__name__, "kinds": [], "refused": [], "errors": []}
    for kind in kinds_to_ask(compiler, name):
        archs, errors = [], []
        for arch in ARCHS:
            try:
                if compiler.supports_target(modules.installation.gpu_target(kind, arch, 32)):
                    archs.append(arch)
            except Exception as error:
                errors.append(f"{kind}:{arch}: {describe(error)}")
        if archs:
            found["kinds"].append(probe_kind(modules, compiler, kind, archs))
        elif errors:
            found["errors"] += list(dict.fromkeys(errors))
        else:
            found["refused"].append(kind)
    return found


def probe_kind(modules: Modules, compiler: Any, kind: str, archs: list[Any]) -> JsonObject:
    """What becomes of a kind that is supported: the first architecture with which a pipeline can be set up."""
    found: JsonObject = {"kind": kind, "arch": None, "stages": [], "failures": []}
    for arch in archs:
        try:
            warp_size = 64 if str(arch).startswith("gfx9") else 32
            backend = compiler(modules.installation.gpu_target(kind, arch, warp_size))
            backend.load_dialects(modules.context)
            found.update(stages=list(stages_of(backend, {})[0]), arch=str(arch))
            break
        except Exception as error:
            found["failures"].append(f"{kind}:{arch}: {describe(error)}")
    return found


def probe_passes(modules: Modules, texts: PassTexts) -> list[JsonObject]:
    """Every pass binding with its parameters and text. The trying is done in a process of its own, as a binding may
    abort; one that does is named, and another process goes on behind it."""
    names = list(modules.installation.bindings)
    found: list[JsonObject] = []
    while len(found) < len(names):
        reader, writer = os.pipe()

        def work(first: int = len(found), sink: int = writer) -> None:
            modules.refresh_in_fork()
            for dotted in names[first:]:
                os.write(sink, json.dumps(probe_pass(texts, dotted)).encode() + b"\n")

        child = fork_trial(work)
        os.close(writer)
        with os.fdopen(reader) as file:
            found += [json.loads(line) for line in file if line.endswith("\n")]
        status = os.waitpid(child, 0)[1]
        if len(found) < len(names):
            found.append(entry(texts, names[len(found)], f"adding it ends the process (status {status})"))
    return found


def probe_pass(texts: PassTexts, dotted: str) -> JsonObject:
    kinds = parameters(texts.installation.bind(dotted))
    if kinds is None or any(kind not in SAMPLES for kind in kinds):
        return entry(texts, dotted, "its parameters cannot be made up")
    try:
        text = texts.of(Step(0, dotted, tuple(SAMPLES[kind] for kind in kinds), {}))
    except Exception as error:
        return entry(texts, dotted, describe(error))
    return entry(texts, dotted, None, text)


def entry(texts: PassTexts, dotted: str, failure: str | None, text: str | None = None) -> JsonObject:
    """protocol.rs's `ProbedPass`."""
    kinds = parameters(texts.installation.bind(dotted))
    return {"binding": dotted, "parameters": kinds, "text": text, "failure": failure}
