from .driver import driver


class Config:
    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None):
        self.kwargs, self.num_warps, self.num_stages = kwargs, num_warps, num_stages
        self.num_ctas, self.maxnreg = num_ctas, maxnreg


class Autotuner:
    def __init__(self, fn, configs):
        self.fn, self.base_fn, self.configs = fn, fn, configs
        driver.active.get_benchmarker()


class Heuristics:
    def __init__(self, fn, values):
        self.fn, self.values = fn, values
