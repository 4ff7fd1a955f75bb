import inspect
from types import SimpleNamespace


class JITFunction:
    def __init__(self, fn):
        self.fn, self.__name__, self.src = fn, fn.__name__, inspect.getsource(fn)
        parameters = inspect.signature(fn).parameters.values()
        self.params = [SimpleNamespace(name=one.name, is_constexpr=one.annotation == "constexpr") for one in parameters]
        self.arg_names = [one.name for one in parameters]


class Config:
    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None):
        self.kwargs, self.num_warps, self.num_stages = kwargs, num_warps, num_stages
        self.num_ctas, self.maxnreg = num_ctas, maxnreg


class Autotuner:
    def __init__(self, fn, configs):
        self.fn, self.configs = fn, configs
