"""`@triton.heuristics`: constants that a launch computes from its arguments, where there is no launch.

Some of the arguments have no value here. What depends on one of those is followed along every path, and a comparison of
it may come out either way: then the constant has several values.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

PATHS = 64  # More ways through one heuristic than this are not followed.


class NotKnown(Exception):
    """A heuristic's value depends on one that only a launch has."""


class Paths:
    """The ways through a function: each run of it takes the decisions of one, and notes which others there are."""

    def __init__(self) -> None:
        self.pending: list[list[bool]] = [[]]
        self.taken: list[bool] = []

    def __iter__(self) -> Iterator[None]:
        for _ in range(PATHS):
            if not self.pending:
                return
            self.given, self.taken = self.pending.pop(), []
            yield
            self.pending += [[*self.taken[:at], False] for at in range(len(self.given), len(self.taken))]
        raise NotKnown(f"it has more than {PATHS} ways through it")

    def decide(self) -> bool:
        at = len(self.taken)
        self.taken.append(self.given[at] if at < len(self.given) else True)
        return self.taken[-1]


class Unknown:
    """An argument that has a value in a launch only, or what is computed from one; `truth` if that is a truth value."""

    def __init__(self, paths: Paths, name: str, truth: bool = False) -> None:
        vars(self).update(paths=paths, name=name, truth=truth)

    def __bool__(self) -> bool:
        decision: bool = vars(self)["paths"].decide()
        return decision

    def __getattr__(self, attribute: str) -> Unknown:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return Unknown(vars(self)["paths"], vars(self)["name"])

    def __call__(self, *args: object, **named: object) -> Unknown:
        return Unknown(vars(self)["paths"], vars(self)["name"])

    __getitem__ = __call__

    def __index__(self) -> int:
        raise NotKnown(f"it depends on the value of `{self.__dict__['name']}`")

    __int__ = __float__ = __iter__ = __len__ = __index__
    __hash__ = object.__hash__


def follow(truth: bool, keeps: bool = False) -> Callable[..., Unknown]:
    def method(self: Unknown, *others: object) -> Unknown:
        own = vars(self)
        return Unknown(own["paths"], own["name"], truth or (keeps and own["truth"]))
    return method


for _name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "lshift", "rshift"):
    setattr(Unknown, f"__{_name}__", follow(False))
    setattr(Unknown, f"__r{_name}__", follow(False))
for _name in ("and", "or", "xor", "rand", "ror", "rxor"):
    setattr(Unknown, f"__{_name}__", follow(False, keeps=True))
for _name in ("neg", "pos", "abs", "invert", "round", "ceil", "floor", "trunc", "divmod", "rdivmod"):
    setattr(Unknown, f"__{_name}__", follow(False))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Unknown, f"__{_name}__", follow(True))


def values_of(heuristic: Callable[[dict[str, Any]], Any], known: dict[str, Any], names: list[str]) -> list[Any]:
    """What a heuristic may give, where of the arguments `names` those in `known` have a value."""
    values: list[Any] = []
    paths = Paths()
    for _ in paths:
        value = heuristic({**{name: Unknown(paths, name) for name in names}, **known})
        if isinstance(value, Unknown) and not vars(value)["truth"]:
            value.__index__()
        found = [True, False] if isinstance(value, Unknown) else [value]
        values += [one for one in found if repr(one) not in map(repr, values)]
    return values


def heuristics_of(function: Any) -> dict[str, Callable[..., Any]]:
    """The heuristics among the decorators of a kernel, in the order in which a launch computes them."""
    found: dict[str, Callable[..., Any]] = {}
    while function is not None:
        values = getattr(function, "values", None)
        found.update(values if isinstance(values, dict) else {})
        function = getattr(function, "fn", None)
    return found


def compute(heuristics: dict[str, Callable[..., Any]], given: dict[str, Any],
            names: list[str]) -> list[dict[str, Any]]:
    """The constants that heuristics may give beside those that are given; one that is given is not computed."""
    computed: list[dict[str, Any]] = [{}]
    for name, heuristic in heuristics.items():
        if name in given:
            continue
        more = []
        for known in computed:
            try:
                values = values_of(heuristic, {**given, **known}, names)
            except NotKnown as error:
                raise NotKnown(f"the heuristic of `{name}` cannot be computed: {error}; "
                               f"give its value with --constant {name}=VALUE") from error
            except Exception as error:
                raise NotKnown(f"the heuristic of `{name}` raises {type(error).__name__}: {error}; "
                               f"give its value with --constant {name}=VALUE") from error
            more += [{**known, name: value} for value in values]
        computed = more
    return computed
