"""The library: contexts, modules, pass managers, and bindings that add passes. Diagnostics go to descriptor 2, as MLIR's."""
import os
import re
import signal
import types

PASS_MANAGER = "triton._C.libtriton.ir.pass_manager"


def say(text):
    os.write(2, text.encode() + b"\n")


class context:
    """Like a real one it has threads, and in a fork, where they are not, its destruction never ends."""

    def __init__(self):
        self.dialects, self.process = [], os.getpid()

    def __del__(self):
        if os.getpid() != self.process:
            signal.pause()


class module:
    def __init__(self, text):
        self.text, self.context = text, None

    def str_nodebug(self):
        return self.text

    def __str__(self):
        return self.text

    def verify(self):
        if "// rejected" in self.text:
            say("input.mlir:1:1: error: this module is bad")
        return "// rejected" not in self.text

    def set_attr(self, name, value):
        self.text += "// %s = %s\n" % (name, value)


class pass_manager:
    def __init__(self, context):
        self.passes = []

    def enable_debug(self):
        pass

    def run(self, module, name):
        path = os.environ.get("TRITON_REPRODUCER_PATH")
        if path:
            with open(path, "w") as file:
                file.write('pipeline: "builtin.module(any(%s))",\n' % ",".join(text for text, _ in self.passes))
        for text, action in self.passes:
            action(module)
            module.text += "// after %s\n" % text

    run.__doc__ = "run(self: %s, mod: triton._C.libtriton.ir.module, name: str) -> None" % PASS_MANAGER

    def get_pipeline_str(self):
        return "any(%s)" % ",".join(text for text, _ in self.passes)


if "3.2" in os.environ.get("FAKE_TRITON", ""):
    del pass_manager.get_pipeline_str


def parse_mlir_module(path, context):
    with open(path) as file:
        text = file.read()
    if "die while parsing" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if not text.startswith("module"):
        say('loc("%s":1:1): error: expected a module' % path)
        raise RuntimeError("Parse MLIR file failed.")
    return module(text)


def submodule(name, **members):
    made = types.ModuleType("triton._C.libtriton." + name)
    vars(made).update(members)
    return made


def binding(name, parameters, text, action=lambda module: None):
    """A function that adds a pass which prints as `text` of its arguments."""
    def add(manager, *args):
        manager.passes.append((text(*args), action))
    add.__name__ = name
    add.__doc__ = "%s(arg0: %s%s) -> None" % (name, PASS_MANAGER, "".join(", " + part for part in parameters))
    return add


def fails(module):
    if "bad" in module.text:
        say("input.mlir:1:1: error: this module is bad")
        raise RuntimeError("PassManager::run failed")


def asserts(module):
    if "bad" in module.text:
        say("python: Fake.cpp:1: Assertion `good' failed.")
        raise RuntimeError("PassManager::run failed")


def dies(module):
    if "bad" in module.text:
        say("about to die")
        os.kill(os.getpid(), signal.SIGSEGV)


ir = submodule("ir", context=context, module=module, pass_manager=pass_manager, parse_mlir_module=parse_mlir_module,
               load_dialects=lambda context: context.dialects.append("builtin"))
passes = submodule(
    "passes",
    common=submodule("passes.common", add_cse=binding("add_cse", [], lambda: "cse")),
    ttir=submodule(
        "passes.ttir",
        add_asserts=binding("add_asserts", [], lambda: "fake-asserts", asserts),
        add_dies=binding("add_dies", [], lambda: "fake-dies", dies),
        add_fails=binding("add_fails", [], lambda: "fake-fails", fails),
        add_loose=binding("add_loose", ["factor: int", "fast: bool"],
                          lambda factor, fast: "fake-loose{factor=%d fast=%s}" % (factor, str(fast).lower())),
        add_opaque=binding("add_opaque", ["arg1: object"], lambda value: "fake-opaque"),
        add_widen=binding("add_widen", ["factor: typing.SupportsInt", "fast: bool = False"],
                          lambda factor, fast: "fake-widen{factor=%d  fast=%s}" % (factor, str(fast).lower())),
    ),
)
if "aborts" in os.environ.get("FAKE_TRITON", ""):
    passes.ttir.add_aborts = binding("add_aborts", [], lambda: os._exit(9))


def to_module(module, context):
    return "; translated\n" + module.text


def optimize(text):
    if "unoptimizable" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    return text.replace("translated", "optimized")


llvm = submodule("llvm", to_module=to_module, optimize=optimize)
