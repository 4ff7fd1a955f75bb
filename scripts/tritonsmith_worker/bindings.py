"""The functions of libtriton that add passes to a pass manager: found by looking, their parameters read from the
signature that pybind11 or nanobind puts into the documentation text."""
from __future__ import annotations

import re
import types
from collections.abc import Iterator
from typing import Any, Callable, NamedTuple

from .pipeline_text import split_top_level


class Binding(NamedTuple):
    """A function and where it can be replaced."""

    owner: Any
    name: str
    function: Callable[..., Any]


def find_bindings(lib: types.ModuleType) -> Iterator[tuple[str, Binding]]:
    """Every such function with its dotted name below `lib`."""
    seen, queue = set(), [("", lib)]
    while queue:
        path, module = queue.pop(0)
        if id(module) in seen:
            continue
        seen.add(id(module))
        for name in sorted(dir(module)):
            value = getattr(module, name, None)
            dotted = f"{path}.{name}" if path else name
            if isinstance(value, types.ModuleType) and value.__name__.startswith(lib.__name__):
                queue.append((dotted, value))
            elif callable(value) and not isinstance(value, type) and takes_pass_manager(name, value):
                yield dotted, Binding(module, name, value)


def takes_pass_manager(name: str, function: Callable[..., Any]) -> bool:
    first = [re.search(r"\(([^,)]*)", line) for line in signatures(function)]
    return any(found and "pass_manager" in found.group(1) for found in first) if first else name.startswith("add_")


def signatures(function: Callable[..., Any]) -> list[str]:
    """The lines of the documentation that are signatures, one for each overload."""
    lines = (function.__doc__ or "").strip().split("\n")
    if len(lines) > 1 and lines[1].startswith("Overloaded function"):
        return [line.split(". ", 1)[1] for line in lines if re.match(r"\d+\. \w+\(", line)]
    return lines[:1] if "(" in lines[0] else []


def parameters(function: Callable[..., Any]) -> list[str] | None:
    """The types of the parameters after the pass manager, of the overload that has most; None where there is no
    signature."""
    inside = [match.group(1) for line in signatures(function) if (match := re.match(r"\w+\((.*)\)\s*->", line))]
    if not inside:
        return None
    found = []
    for part in split_top_level(max(inside, key=lambda text: len(split_top_level(text)))):
        if ":" in part:
            kind = part.split(":", 1)[1].partition("=")[0].strip()
            kind = kind.replace("typing.SupportsInt", "int").replace("collections.abc.Sequence", "list")
            # From 3.7 on `SupportsInt` may be spelled as a union with `SupportsIndex`.
            found.append("int" if re.match(r"int\b|typing.SupportsIn", kind) else kind)
    return found[1:]


def derived_name(binding: str) -> str:
    """A guess at the command-line name of a pass that nothing names, from the name of its binding."""
    parts = binding.split(".")
    prefixes = {"ttir": "triton-", "ttgpuir": "tritongpu-", "ttnvgpuir": "triton-nvidia-gpu-"}
    prefix = "tritonamdgpu-" if parts[0] == "amd" else prefixes.get(parts[-2], "")
    return prefix + parts[-1][len("add_"):].replace("_", "-")
