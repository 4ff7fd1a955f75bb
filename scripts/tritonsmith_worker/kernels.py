"""Triton's front end: a kernel's Python source becomes a module, on a machine without a GPU.

Importing a kernel's file runs it; it is imported once in each child for each target, and again when the file has
changed. src/compiler/kernel.rs describes the answers.
"""
from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import types
from typing import Any

from .backends import stages_of
from .frames import JsonObject
from .heuristics import NotKnown, compute, heuristics_of
from .modules import Modules
from .tuners import without_gpu

loaded: dict[tuple[str, int, str], types.ModuleType] = {}  # The file that was used last: path, time of change, target.


class KernelError(Exception):
    """The file or the function in it cannot be used; the text says why."""


def load_file(path: str, gpu: Any) -> types.ModuleType:
    key = (path, os.stat(path).st_mtime_ns, str(gpu))
    if key not in loaded:
        sys.dont_write_bytecode = True
        directory = os.path.dirname(path)
        if directory not in sys.path:
            sys.path.insert(0, directory)
        # Under a name of its own: a file called like a module of Triton's must not take its place.
        name = "swept_" + os.path.splitext(os.path.basename(path))[0]
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise KernelError(f"{path} is no Python file")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            with without_gpu(gpu):
                spec.loader.exec_module(module)
        except BaseException as error:
            raise KernelError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
        loaded.clear()
        loaded[key] = module
    return loaded[key]


def load_kernel(request: JsonObject, gpu: Any) -> tuple[Any, Any, list[JsonObject]]:
    """The function that a request names, with its decorators and below them, and its autotuner's configurations."""
    from triton.runtime.jit import JITFunction
    path, name = request["file"], request["function"]
    module = load_file(path, gpu)
    decorated: Any = module
    configurations: list[JsonObject] = []
    for part in name.split("."):
        decorated = getattr(decorated, part, None)
    function = decorated
    while function is not None and not isinstance(function, JITFunction):
        configurations += [configuration(config) for config in getattr(function, "configs", None) or ()]
        function = getattr(function, "fn", None)
    if function is None:
        kernels = [known for known, value in vars(module).items()
                   if isinstance(value, JITFunction) or hasattr(value, "base_fn") or heuristics_of(value)]
        raise KernelError(f"{path} has no kernel `{name}`; it has {', '.join(kernels) or 'none'}")
    return decorated, function, configurations


def configuration(config: Any) -> JsonObject:
    """A triton.Config as one flat object, options that it leaves open left out."""
    options = {name: getattr(config, name, None) for name in ("num_warps", "num_stages", "num_ctas", "maxnreg")}
    given = {name: value for name, value in options.items() if value is not None and (name, value) != ("num_ctas", 1)}
    return {name: as_json(value) for name, value in {**config.kwargs, **given}.items()}


def constant(value: object) -> object:
    """A constant as Python has it: `tl.bfloat16` is written as text in JSON."""
    if isinstance(value, str) and value.startswith("tl."):
        import triton.language
        found: object = triton.language
        for part in value.split(".")[1:]:
            found = getattr(found, part, None)
        if found is None:
            raise KernelError(f"there is no `{value}`")
        return found
    return value


def as_json(value: object) -> object:
    """A default or a tuned value as JSON can hold it: a type of the language by its name."""
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    import triton.language
    names = [name for name, known in vars(triton.language).items() if known is value]
    return f"tl.{names[0]}" if names else str(value)


def ast_source(fn: Any, kinds: dict[str, str], constants: JsonObject) -> Any:
    """The source that this version's front end takes. A type may end in `:16` (divisible by 16) or `:1` (always 1), as
    in the signatures of triton.tools.compile."""
    from triton.compiler import ASTSource
    names, constants = fn.arg_names, {name: constant(value) for name, value in constants.items()}
    hints = {name: kind.partition(":")[2] for name, kind in kinds.items()}
    kinds = {name: kind.partition(":")[0] for name, kind in kinds.items()}
    divisible = [index for index, name in enumerate(names) if hints.get(name) == "16"]
    ones = {name: 1 for name in names if hints.get(name) == "1"}
    if "constants" in inspect.signature(ASTSource.__init__).parameters:  # Up to 3.2.
        signature = {name: kinds[name] for name in names if name in kinds}
        try:
            from triton.backends.compiler import AttrsDescriptor
            hinted = {names.index(name): 1 for name in ones}
            hinted.update((index, 16) for index in divisible)
            attributes = AttrsDescriptor.from_hints(hinted)
        except ImportError:  # Up to 3.1.
            from triton.compiler.compiler import AttrsDescriptor
            attributes = AttrsDescriptor(set(divisible), {names.index(name) for name in ones})
        return ASTSource(fn, signature, constants, attributes)
    constants.update(ones)
    signature = {name: "constexpr" if name in constants else kinds[name] for name in names}
    return ASTSource(fn, signature, constants, {(index,): [["tt.divisibility", 16]] for index in divisible})


def message_of(error: BaseException) -> tuple[str, str]:
    """What the front end said, without the quotation of the source in front of it and without colours; and all of
    it."""
    text = str(error).strip()
    cause = getattr(error, "error_message", None) or (error.__cause__ and str(error.__cause__))
    return f"{type(error).__name__}: {cause or (text.splitlines() or [''])[-1]}", text


def describe_kernel(modules: Modules, request: JsonObject) -> JsonObject:
    """Which arguments a kernel has, the configurations of its own autotuner, and the constants that it computes."""
    _, gpu = modules.backend(request["target"])
    try:
        decorated, fn, configurations = load_kernel(request, gpu)
    except (KernelError, OSError) as error:
        return {"error": str(error), "arguments": [], "configurations": [], "heuristics": []}
    parameters, arguments = inspect.signature(fn.fn).parameters, []
    for param in fn.params:
        default = parameters[param.name].default
        arguments.append({"name": param.name, "constexpr": bool(param.is_constexpr),
                          "default": None if default is inspect.Parameter.empty else {"value": as_json(default)}})
    return {"error": None, "arguments": arguments, "configurations": configurations,
            "heuristics": list(heuristics_of(decorated))}


def computed_constants(modules: Modules, request: JsonObject) -> JsonObject:
    """For each set of constants and options what the kernel's heuristics may add to it."""
    _, gpu = modules.backend(request["target"])
    try:
        decorated, fn, _ = load_kernel(request, gpu)
        heuristics, computed = heuristics_of(decorated), []
        with without_gpu(gpu):
            for given in request["given"]:
                found = compute(heuristics, {name: constant(value) for name, value in given.items()}, fn.arg_names)
                computed.append([{name: as_json(value) for name, value in one.items()} for one in found])
    except (KernelError, NotKnown, OSError) as error:
        return {"error": str(error), "computed": []}
    return {"error": None, "computed": computed}


def front_end(modules: Modules, request: JsonObject) -> JsonObject:
    """The module that `triton.compile` would begin with, for given types, constants and options."""
    backend, gpu = modules.backend(request["target"])
    _, options = stages_of(backend, request.get("options") or {})
    try:
        _, fn, _ = load_kernel(request, gpu)
        source = ast_source(fn, request["types"], request["constants"])
        given = {"target": gpu, "options": options, "context": modules.context}
        codegen = backend.get_codegen_implementation
        given["codegen_fns"] = codegen(options) if inspect.signature(codegen).parameters else codegen()
        if hasattr(backend, "get_module_map"):
            given["module_map"] = backend.get_module_map()
        # Each version takes some of these, under these names.
        wanted = inspect.signature(source.make_ir).parameters
        with without_gpu(gpu):
            module = modules.adopt(source.make_ir(**{name: given[name] for name in wanted}))
        return {"text": modules.show(module), "error": None, "whole": None}
    except Exception as error:
        message, whole = message_of(error)
        return {"text": None, "error": message, "whole": whole}
