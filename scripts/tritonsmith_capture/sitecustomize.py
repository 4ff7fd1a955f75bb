"""The start-up hook of `tritonsmith capture`, found by every Python process of a program as `sitecustomize`.

The site's own `sitecustomize` still runs. When triton.compiler.compiler is imported, the package in the archive beside
this file gets the module; other processes pay for nothing. Any Python 3 can run this file: a program may start an old
one.
"""
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHIVE = os.path.join(HERE, "capture.zip")
HOOKED = "triton.compiler.compiler"


def chain() -> None:
    """Runs the `sitecustomize` that this one hides. This directory stays in the search path: the workers of
    torch.compile get the path of the process that starts them as their PYTHONPATH."""
    import importlib.machinery
    import importlib.util
    path = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def patch(module: "Any") -> None:
    """Loads the package and wraps what is to be wrapped."""
    sys.path.insert(0, ARCHIVE)
    try:
        from tritonsmith_capture.wrapping import patch_compiler
    finally:
        sys.path.remove(ARCHIVE)
    patch_compiler(module)


def hooked(spec: "Any") -> "Any":
    """A module's spec, so that `patch` gets the module as soon as it has run."""
    execute = spec.loader.exec_module

    def exec_module(module: "Any") -> None:
        execute(module)
        try:
            patch(module)
        except Exception:
            pass  # The program goes on without; `capture` says that no process had the hook.

    spec.loader.exec_module = exec_module
    return spec


class Finder:
    """Asks the finders behind it; what they find of Triton is hooked."""

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        if name != HOOKED:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find and finder is not self else None
            if spec is not None:
                try:
                    return hooked(spec)
                except Exception:
                    return spec
        return None

    def invalidate_caches(self) -> None:
        pass


if os.environ.get("TRITONSMITH_CAPTURE") and os.path.isdir(os.environ.get("TRITONSMITH_CAPTURE_RUN", "")):
    sys.meta_path.insert(0, Finder())
chain()
