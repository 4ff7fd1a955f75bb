import inspect
from types import SimpleNamespace


class JITFunction:
    def __init__(self, fn):
        self.fn, self.__name__, self.src = fn, fn.__name__, inspect.getsource(fn)
        parameters = inspect.signature(fn).parameters.values()
        self.params = [SimpleNamespace(name=one.name, is_constexpr=one.annotation == "constexpr") for one in parameters]
        self.arg_names = [one.name for one in parameters]
