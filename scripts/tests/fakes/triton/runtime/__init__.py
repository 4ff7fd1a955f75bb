from . import autotuner, jit  # noqa: F401
from .driver import driver  # noqa: F401
