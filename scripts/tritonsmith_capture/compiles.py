"""What is known about a compile: the kernel's source and signature, the options that are not the backend's own, and the
module that a stage gets."""
from __future__ import annotations

import json
import threading
from typing import Any


class Compile:
    """One call of triton.compile."""

    def __init__(self, src: Any) -> None:
        self.src = src
        self.last: str | None = None  # The last module that a stage got.
        self.reported = False


class Running(threading.local):
    """The compiles that this thread is at, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Compile] = []


running = Running()


def toml_text(value: object) -> str:
    return json.dumps(str(value), ensure_ascii=True).replace("\x7f", "\\u007f")


def toml_value(value: object) -> str | None:
    """A value as TOML, or None where a case has no use for it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) < 1 << 63:
        return str(value)
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, (list, tuple)):
        parts = [part for part in map(toml_value, value) if part is not None]
        return f"[{', '.join(parts)}]" if len(parts) == len(value) else None
    return None


def fields(options: Any) -> dict[str, Any]:
    """The fields of a backend's options, whether they are a dataclass or not."""
    names = getattr(options, "__dataclass_fields__", None) or vars(options)
    return {name: getattr(options, name) for name in names if hasattr(options, name)}


def own_options(backend: Any, options: Any) -> dict[str, Any]:
    """The options that are not the backend's defaults, with the two that every kernel has."""
    try:
        default = fields(backend.parse_options({}))
    except Exception:
        default = {}
    missing = object()
    chosen = {}
    for name, value in fields(options).items():
        own = name in ("num_warps", "num_stages") or default.get(name, missing) != value
        if own and name not in ("hash", "extern_libs") and toml_value(value) is not None:
            chosen[name] = value
    return chosen


def signature_text(src: Any) -> str:
    """The types and constants with which a kernel is compiled, for a reader."""
    names = list(getattr(getattr(src, "fn", None), "arg_names", None) or ())

    def name(key: Any) -> str:
        key = key[0] if isinstance(key, tuple) and len(key) == 1 else key
        return names[key] if isinstance(key, int) and key < len(names) else str(key)

    signature, constants = getattr(src, "signature", None) or {}, getattr(src, "constants", None) or {}
    # The value of a `constexpr` is among the constants.
    lines = [f"  {name(key)}: {kind}" for key, kind in signature.items() if kind != "constexpr"]
    lines += [f"  {name(key)} = {value!r}" for key, value in constants.items()]
    attrs = getattr(src, "attrs", None)
    if attrs:
        lines.append(f"  attributes: {getattr(attrs, '__dict__', None) or attrs}")
    return "\n".join(lines)


def kernel_name(src: Any) -> str:
    return getattr(src, "name", None) or getattr(getattr(src, "fn", None), "__name__", None) or "kernel"


def kernel_source(src: Any) -> tuple[str | None, str | None]:
    """The text of a kernel's function, and where it is."""
    fn = getattr(src, "fn", None)
    text = getattr(fn, "src", None) or getattr(fn, "_src", None)
    code = getattr(getattr(fn, "fn", None), "__code__", None)
    return text, f"{code.co_filename}:{code.co_firstlineno}" if code else None


def module_text(module: Any) -> str | None:
    """A module as text, or None for what is no MLIR module any more."""
    if isinstance(module, (str, bytes)):
        return None
    text = str(module.str_nodebug() if hasattr(module, "str_nodebug") else module)
    return text if "module" in text else None
