"""Triton's front end, as the worker asks it: a kernel's Python source becomes a module, on a machine without a GPU.

This text stands before that of worker.py in what a worker is started with, and gives its serving child two more answers:
`kernel` (what arguments a function has, and the configurations of its own autotuner) and `front` (the module that
`triton.compile` would begin with, for given types, constants and options). src/compiler/kernel.rs has the words of both.
Importing a kernel's file runs it; it is imported once in each child, and again when the file has changed.
"""
import importlib.util
import inspect
import os
import sys


class KernelError(Exception):
    """The file or the function in it cannot be used; the text says why."""


def load_kernel(path, name, loaded={}):
    """The function `name` of the file `path` below its decorators, and its autotuner's configurations."""
    key = (path, os.stat(path).st_mtime_ns)
    if key not in loaded:
        sys.dont_write_bytecode = True
        directory = os.path.dirname(path)
        if directory not in sys.path:
            sys.path.insert(0, directory)
        # Under a name of its own: a file called like a module of Triton's must not stand in its place.
        spec = importlib.util.spec_from_file_location("swept_" + os.path.splitext(os.path.basename(path))[0], path)
        if spec is None:
            raise KernelError("%s is no Python file" % path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            raise KernelError("%s cannot be imported: %s: %s" % (path, type(error).__name__, error))
        loaded.clear()
        loaded[key] = module
    from triton.runtime.jit import JITFunction
    function, configurations = loaded[key], []
    for part in name.split("."):
        function = getattr(function, part, None)
    while function is not None and not isinstance(function, JITFunction):
        configurations += [configuration(config) for config in getattr(function, "configs", None) or ()]
        function = getattr(function, "fn", None)
    if function is None:
        kernels = [known for known, value in vars(loaded[key]).items()
                   if isinstance(value, JITFunction) or isinstance(getattr(value, "fn", None), JITFunction)]
        raise KernelError("%s has no kernel `%s`; it has %s" % (path, name, ", ".join(kernels) or "none"))
    return function, configurations


def configuration(config):
    """A triton.Config as one flat object, options that it leaves open left out."""
    options = {name: getattr(config, name, None) for name in ("num_warps", "num_stages", "num_ctas", "maxnreg")}
    return dict(config.kwargs, **{name: value for name, value in options.items() if value is not None and (name, value) != ("num_ctas", 1)})


def constant(value):
    """A constant as Python has it: `tl.bfloat16` is written as text in JSON."""
    if isinstance(value, str) and value.startswith("tl."):
        import triton.language
        found = triton.language
        for part in value.split(".")[1:]:
            found = getattr(found, part, None)
        if found is None:
            raise KernelError("there is no `%s`" % value)
        return found
    return value


def as_json(value):
    """A default or a tuned value as JSON can hold it: a type of the language by its name."""
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    import triton.language
    names = [name for name, known in vars(triton.language).items() if known is value]
    return "tl.%s" % names[0] if names else str(value)


def ast_source(fn, types, constants):
    """The source that this version's front end takes. A type may end in `:16` (divisible by 16) or `:1` (always 1), as in
    the signatures of triton.tools.compile."""
    from triton.compiler import ASTSource
    names, constants = fn.arg_names, {name: constant(value) for name, value in constants.items()}
    kinds, hints = {}, {}
    for name, kind in types.items():
        kinds[name], _, hint = kind.partition(":")
        hints[name] = hint
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


def message_of(error):
    """What the front end said, without the quotation of the source in front of it and without colours."""
    text = str(error).strip()
    cause = getattr(error, "error_message", None) or (error.__cause__ and str(error.__cause__))
    return "%s: %s" % (type(error).__name__, cause or (text.splitlines() or [""])[-1]), text


class FrontEnd:
    """The two answers, for the serving child of worker.py: that one has a context, backends and a printer."""

    def do_kernel(self, request):
        self.shared.at("resolve")
        try:
            fn, configurations = load_kernel(request["file"], request["function"])
        except (KernelError, OSError) as error:
            return {"error": str(error), "arguments": [], "configurations": []}
        parameters = inspect.signature(fn.fn).parameters
        arguments = []
        for param in fn.params:
            default = parameters[param.name].default
            arguments.append({"name": param.name, "constexpr": bool(param.is_constexpr),
                              "default": None if default is inspect.Parameter.empty else {"value": as_json(default)}})
        configurations = [{name: as_json(value) for name, value in entry.items()} for entry in configurations]
        return {"error": None, "arguments": arguments, "configurations": configurations}

    def do_front(self, request):
        self.shared.at("resolve")
        backend, gpu = self.backend(request["target"])
        _, options = self.stages(backend, request.get("options") or {})
        try:
            fn, _ = load_kernel(request["file"], request["function"])
            source = ast_source(fn, request["types"], request["constants"])
            given = {"target": gpu, "options": options, "context": self.context}
            implementation = backend.get_codegen_implementation
            given["codegen_fns"] = implementation(options) if inspect.signature(implementation).parameters else implementation()
            if hasattr(backend, "get_module_map"):
                given["module_map"] = backend.get_module_map()
            # Each version takes some of these, under these names.
            wanted = inspect.signature(source.make_ir).parameters
            module = source.make_ir(**{name: given[name] for name in wanted})
            self.uses += 1
            module.context = self.context
            return {"text": self.show(module), "error": None, "whole": None}
        except Exception as error:
            message, whole = message_of(error)
            return {"text": None, "error": message, "whole": whole}


