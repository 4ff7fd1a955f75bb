"""Importing files of kernels, and Triton's front end, on a machine without a GPU.

A file may ask the driver which GPU there is, as the front end does here and there and the autotuners of some releases:
the answer is the target that is compiled for. Nothing pretends to run anything.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class TargetOnly:
    """In the place of a driver: it knows the GPU that is compiled for, which is not here to run anything."""

    def __init__(self, gpu: Any) -> None:
        self.gpu = gpu

    def get_current_target(self) -> Any:
        return self.gpu

    def get_benchmarker(self) -> Callable[..., None]:
        def benchmark(*args: Any, **named: Any) -> None:
            raise RuntimeError("nothing runs here: there is no GPU")
        return benchmark

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no GPU is here to be asked for `{name}`")


@contextmanager
def without_gpu(gpu: Any) -> Iterator[None]:
    """Lets files of kernels be imported, and kernels be compiled, as on a machine whose GPU is `gpu`."""
    from triton.runtime import driver
    from triton.runtime.autotuner import Autotuner
    before, construct = dict(vars(driver)), Autotuner.__init__

    def construct_without_torch(tuner: Any, *args: Any, **named: Any) -> None:
        try:
            construct(tuner, *args, **named)
        except ModuleNotFoundError as error:
            # Up to 3.1 the last thing that is set is whether PyTorch says that there is a GPU.
            if error.name != "torch":
                raise
            tuner.use_cuda_graph = False

    driver.set_active(TargetOnly(gpu))
    Autotuner.__init__ = construct_without_torch
    try:
        yield
    finally:
        Autotuner.__init__ = construct
        vars(driver).update(before)
