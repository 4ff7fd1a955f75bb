"""Triton's backends: which of them accepts a target, which kinds of target there are, and the stages of a compile."""
from __future__ import annotations

import difflib
import re
from typing import Any

from .frames import JsonObject, Refused
from .installation import Installation, describe

# Kinds of target to ask every backend about, beside those that it names itself.
KINDS = ("cuda", "hip", "cpu", "xpu", "npu")
# The option that names the language of a kernel, and the language that is meant where it is not given.
LANGUAGE, TRITON = "language", "triton"
# Architectures to try where a kind says nothing about its own.
ARCHS = (80, 90, "gfx942", "generic", 0)


def backend_for(installation: Installation, target: JsonObject) -> tuple[Any, Any]:
    """The backend that accepts `target`, made, with the target as Triton sees it."""
    arch = target["arch"]
    arch = int(arch) if re.fullmatch(r"-?\d+", str(arch)) else arch
    gpu, reasons = installation.gpu_target(target["kind"], arch, target["warp_size"]), []
    for name, backend in installation.backends:
        try:
            if backend.compiler.supports_target(gpu):
                return backend.compiler(gpu), gpu
            reasons.append(f"{name} does not support it")
        except Exception as error:
            reasons.append(f"{name}: {describe(error)}")
    raise Refused("target", f"no backend of triton {installation.version} accepts {gpu.backend}:{arch} "
                            f"({'; '.join(reasons) or 'there are none'}){accepted(installation, gpu.backend)}")


def accepted(installation: Installation, asked: str) -> str:
    """What the backends accept in place of a kind that none of them does, the nearest first."""

    def supports(compiler: Any, kind: str, arch: object) -> bool:
        try:
            return bool(compiler.supports_target(installation.gpu_target(kind, arch, 32)))
        except Exception:
            return False

    kinds = [kind for _, backend in installation.backends for kind in kinds_to_ask(backend.compiler)
             if any(supports(backend.compiler, kind, arch) for arch in ARCHS)]
    if not kinds:
        return ""
    nearest = (difflib.get_close_matches(asked, kinds, 1, 0.0) or kinds)[0]
    return f"; accepted are {', '.join(f'{kind}:…' for kind in kinds)}: use --target {nearest}:…"


def kinds_to_ask(compiler: Any, *names: str) -> list[str]:
    """Kinds that a backend may support: such names, words in the code of its `supports_target` or in what that refers
    to, which only it may know of, and those that others know."""
    code = getattr(compiler.supports_target, "__code__", None)
    around = getattr(compiler.supports_target, "__globals__", {})
    found = list(getattr(code, "co_consts", ()))
    for name in getattr(code, "co_names", ()):
        value = around.get(name)
        found += list(value) if isinstance(value, (tuple, list, set, frozenset)) else [value]
    own = [word for word in found if isinstance(word, str) and re.fullmatch(r"\w+", word)]
    return list(dict.fromkeys([*names, *own, *KINDS]))


def stages_of(backend: Any, options: JsonObject) -> tuple[dict[str, Any], Any]:
    """The backend's stages by name, and the options as the backend understood them. The option `language`, which is
    ours, chooses between the stages of Triton and those of Gluon."""
    options = dict(options)
    language = options.pop(LANGUAGE, TRITON)
    parsed = backend.parse_options(options)
    stages: dict[str, Any] = {}
    try:
        from triton.backends.compiler import Language
        backend.add_stages(stages, parsed, Language[language.upper()])
    except (ImportError, TypeError):
        if language != TRITON:
            raise Refused("options", f"this Triton has no language `{language}`") from None
        stages = {}
        backend.add_stages(stages, parsed)
    except KeyError:
        raise Refused("options", f"this Triton has no language `{language}`") from None
    return stages, parsed
