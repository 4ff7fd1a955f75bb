"""A stand-in for Triton, for tests on a machine without it: as much of its Python interface as the worker and the hook
of `capture` use, over modules that are plain text and passes that append a line to it.

The variable FAKE_TRITON changes it: with `3.2` in it, pass managers cannot be printed, as up to that release; with `aborts`,
there is a binding that ends the process.
"""
from . import compiler, language, runtime  # noqa: F401
from .compiler import compile  # noqa: F401

__version__ = "0.1+fake"
