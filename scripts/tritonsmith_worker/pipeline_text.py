"""MLIR's textual form of pipelines, as far as passes have to be told apart and compared."""
from __future__ import annotations

import re


def split_top_level(text: str) -> list[str]:
    """The comma-separated parts of pipeline text, commas inside brackets not counted."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "({[":
            depth += 1
        elif char in ")}]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def flatten(text: str) -> list[str]:
    """The passes of pipeline text one by one: `tt.func(a,b),c` is `tt.func(a)`, `tt.func(b)`, `c`. A pass on the module
    itself is its bare text, whether there is `any(…)` or `builtin.module(…)` around it or nothing."""
    flat = []
    for part in split_top_level(text):
        nested = re.fullmatch(r"([\w.]+)\s*\((.*)\)", part, re.S)
        if nested and nested.group(1) in ("any", "builtin.module"):
            flat += flatten(nested.group(2))
        elif nested:
            flat += [f"{nested.group(1)}({inner})" for inner in flatten(nested.group(2))]
        else:
            flat.append(part)
    return flat


def normal(text: str) -> str:
    """Pass text with insignificant white space gone, options in order, and no empty option list."""

    def options(match: re.Match[str]) -> str:
        words = sorted(match.group(1).split())
        return "{" + " ".join(words) + "}" if words else ""

    return re.sub(r"\s*\{([^{}]*)\}\s*", options, " ".join(text.split())).strip()


def pass_name(text: str) -> str:
    """The bare name in pass text: without options, and without the operation it is nested in."""
    inner = re.fullmatch(r"[\w.]+\((.*)\)", text.strip(), re.S)
    return pass_name(inner.group(1)) if inner else text.split("{")[0].strip()


class PassText:
    """One pass of a pipeline: its name, its options and what it is nested in. `num_stages` and `num-stages` are one
    option."""

    def __init__(self, text: str) -> None:
        self.anchors: list[str] = []
        text = text.strip()
        while inner := re.fullmatch(r"([\w.]+)\s*\((.*)\)", text, re.S):
            if inner.group(1) not in ("any", "builtin.module"):
                self.anchors.append(inner.group(1))
            text = inner.group(2).strip()
        self.name, _, rest = (part.strip() for part in text.partition("{"))
        words = [word.partition("=") for word in split_options(rest.removesuffix("}"))]
        self.spelled = {key.replace("_", "-"): key for key, _, _ in words}
        self.options = {key.replace("_", "-"): value for key, _, value in words}

    def with_options(self, options: dict[str, str]) -> PassText:
        """The same with other values of some of its options."""
        changed = PassText(str(self))
        changed.options.update(options)
        return changed

    def __str__(self) -> str:
        words = [self.spelled.get(key, key) + (f"={value}" if value else "") for key, value in self.options.items()]
        text = self.name + ("{" + " ".join(words) + "}" if words else "")
        for anchor in reversed(self.anchors):
            text = f"{anchor}({text})"
        return text


def split_options(text: str) -> list[str]:
    """The options between the braces of a pass; blanks inside braces and quotes separate nothing."""
    return re.findall(r"""(?:[^\s{}"']|\{[^{}]*\}|"[^"]*"|'[^']*')+""", text)
