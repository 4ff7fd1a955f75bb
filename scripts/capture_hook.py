"""The start-up hook of `tritonsmith capture`, found by every Python process of a program as `sitecustomize`.

It changes nothing that the program can tell from its own behaviour: the site's own `sitecustomize` still runs, exceptions
are the same objects, and nothing that goes wrong in here reaches the program. When triton.compiler.compiler is imported,
its `compile` and the stages of every backend that it makes are wrapped. Before a stage runs, the module and what it is
compiled for are written to a directory under `pending`, in the form of a finished case; when the stage is done the directory
is removed, when it raises it is renamed to become a case, and when the process dies it stays where it is for
src/capture to find. Each line of the file `events` is a JSON object that src/capture reads as well.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.environ.get("TRITONSMITH_CAPTURE", "")
RUN = os.environ.get("TRITONSMITH_CAPTURE_RUN", "")
ENVIRONMENT = ("TRITON_", "MLIR_", "LLVM_", "AMDGCN_", "CUDA_VISIBLE", "HIP_VISIBLE", "ROCR_VISIBLE", "TORCH", "PTXAS")


def prepare():
    """Imports that only processes with Triton pay for."""
    global hashlib, json, local, threading, traceback
    import hashlib
    import json
    import threading
    import traceback
    local = threading.local()


def chain():
    """Runs the `sitecustomize` that this one stands before. This directory stays in the search path: the workers of
    torch.compile get the path of the process that starts them as their PYTHONPATH."""
    import importlib.machinery
    import importlib.util
    path = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def quietly(function):
    """What goes wrong in here is noted for src/capture and otherwise forgotten."""
    def guarded(*args, **named):
        try:
            return function(*args, **named)
        except Exception:
            try:
                event(event="trouble", text=traceback.format_exc(limit=-3))
            except Exception:
                pass
            return None
    return guarded


def event(**what):
    """One line, written at once: several processes append to the file."""
    line = json.dumps(dict(what, pid=os.getpid()), default=str).encode() + b"\n"
    fd = os.open(os.path.join(RUN, "events"), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.write(fd, line)
    finally:
        os.close(fd)


# --- what is known about a compile -----------------------------------------------------------------------------------


def toml_text(value):
    return json.dumps(str(value), ensure_ascii=True).replace("\x7f", "\\u007f")


def toml_value(value):
    """A value as TOML, or None where a case has no use for it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) < 1 << 63:
        return str(value)
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, (list, tuple)):
        parts = [toml_value(part) for part in value]
        return None if None in parts else "[%s]" % ", ".join(parts)
    return None


def fields(options):
    """The fields of a backend's options, whether they are a dataclass or not."""
    names = getattr(options, "__dataclass_fields__", None) or vars(options)
    return {name: getattr(options, name) for name in names if hasattr(options, name)}


def own_options(backend, options):
    """The options that are not the backend's defaults, with the two that every kernel has."""
    found = fields(options)
    try:
        default = fields(backend.parse_options({}))
    except Exception:
        default = {}
    missing = object()
    chosen = {}
    for name, value in found.items():
        own = name in ("num_warps", "num_stages") or default.get(name, missing) != value
        if own and name not in ("hash", "extern_libs") and toml_value(value) is not None:
            chosen[name] = value
    return chosen


def signature_text(src):
    """The types and constants with which a kernel is compiled, for a reader."""
    fn, lines = getattr(src, "fn", None), []
    names = list(getattr(fn, "arg_names", None) or ())

    def name(key):
        key = key[0] if isinstance(key, tuple) and len(key) == 1 else key
        return names[key] if isinstance(key, int) and key < len(names) else str(key)

    for key, kind in (getattr(src, "signature", None) or {}).items():
        if kind != "constexpr":  # Its value follows below.
            lines.append("  %s: %s" % (name(key), kind))
    for key, value in (getattr(src, "constants", None) or {}).items():
        lines.append("  %s = %r" % (name(key), value))
    attrs = getattr(src, "attrs", None)
    if attrs:
        lines.append("  attributes: %s" % (getattr(attrs, "__dict__", None) or attrs))
    return "\n".join(lines)


def kernel_source(src):
    """The text of a kernel's function, and where it stands."""
    fn = getattr(src, "fn", None)
    text = getattr(fn, "src", None) or getattr(fn, "_src", None)
    code = getattr(getattr(fn, "fn", None), "__code__", None)
    place = "%s:%d" % (code.co_filename, code.co_firstlineno) if code else None
    return text, place


def module_text(module):
    """A module as text, or None for what is no MLIR module any more."""
    if isinstance(module, (str, bytes)):
        return None
    text = module.str_nodebug() if hasattr(module, "str_nodebug") else str(module)
    return text if "module" in text else None


class Compile:
    """One call of triton.compile."""

    def __init__(self, src):
        self.src, self.stage, self.last, self.reported, self.target = src, None, None, False, None


def stack():
    if not hasattr(local, "stack"):
        local.stack = []
    return local.stack


# --- pending cases ---------------------------------------------------------------------------------------------------


def write(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)


class Pending:
    """A stage that is about to run, on disk."""

    counter = iter(range(1 << 62))

    def __init__(self, stage, module, backend, options):
        compile_ = stack()[-1] if stack() else Compile(None)
        text = module_text(module)
        if text is not None:
            compile_.last = text
        if compile_.last is None:
            raise RuntimeError("the stage %s gets no module" % stage)
        target = backend.target
        kind, arch = getattr(target, "backend", None) or target[0], getattr(target, "arch", None) or target[1]
        self.target, self.options = "%s:%s" % (kind, arch), own_options(backend, options)
        self.src, self.stage, self.module, self.is_module = compile_.src, stage, compile_.last, text is not None
        self.text = module if isinstance(module, str) else None
        self.name = getattr(self.src, "name", None) or getattr(getattr(self.src, "fn", None), "__name__", None) or "kernel"
        name = "%d-%d-%s" % (os.getpid(), next(self.counter), stage)
        self.place = os.path.join(RUN, "pending", name)
        growing = self.place + ".new"
        os.makedirs(growing)
        self.fill(growing)
        os.rename(growing, self.place)

    def fill(self, directory):
        import triton
        source, place = kernel_source(self.src)
        origin = "%s%s, captured before the stage %s." % (self.name, " of " + place if place else "", self.stage)
        lines = ["origin = " + toml_text(origin), 'module = "input.mlir"', "target = " + toml_text(self.target), "", "[options]"]
        lines += ["%s = %s" % (name, toml_value(value)) for name, value in sorted(self.options.items())]
        facts = {"stage": self.stage, "kernel": self.name, "triton": triton.__version__, "python": sys.executable,
                 "path": os.path.dirname(os.path.dirname(os.path.abspath(triton.__file__))), "target": self.target,
                 "is_module": self.is_module, "pid": os.getpid()}
        log = ["kernel: %s%s" % (self.name, " (%s)" % place if place else ""), "stage: " + self.stage, "target: " + self.target,
               "triton: %s in %s" % (triton.__version__, sys.executable), "command: %r" % (sys.argv,),
               "arguments:", signature_text(self.src), "environment:"]
        log += ["  %s=%s" % (name, value) for name, value in sorted(os.environ.items())
                if name.startswith(ENVIRONMENT) and not name.endswith(("TOKEN", "KEY"))]
        write(directory, "input.mlir", self.module)
        write(directory, "log.txt", "\n".join(log) + "\n")
        write(directory, "captured.json", json.dumps(facts))
        if source:
            write(directory, "kernel.py", source)
        if self.text is not None:  # LLVM IR, or assembly.
            write(directory, "before-%s.txt" % self.stage, self.text)
        write(directory, "case.toml", "\n".join(lines) + "\n")

    def done(self):
        remove(self.place)

    def failed(self, error):
        """The directory becomes a case, or goes where there is the same one already."""
        message = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        with open(os.path.join(self.place, "log.txt"), "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write("raised:\n" + message)
        content = json.dumps([self.stage, self.target, sorted(self.options.items()), self.module], default=str)
        digest = hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()[:10]
        name = "%s-%s-%s" % ("".join(c if c.isalnum() or c in "_-" else "_" for c in self.name)[:60], self.stage, digest)
        try:
            os.rename(self.place, os.path.join(OUT, name))
        except OSError:
            remove(self.place)
        event(event="failed", case=name, error="%s: %s" % (type(error).__name__, str(error)[:500]))


def remove(directory):
    for name in os.listdir(directory):
        os.unlink(os.path.join(directory, name))
    os.rmdir(directory)


# --- broken cache entries --------------------------------------------------------------------------------------------


def cache_trouble(error):
    """The file of Triton's cache that an exception is about, or None where it is about something else."""
    if not isinstance(error, (ValueError, KeyError, OSError, EOFError, StopIteration, AttributeError, TypeError)):
        return None
    frame, found = error.__traceback__, None
    while frame is not None:
        code, values = frame.tb_frame.f_code, frame.tb_frame.f_locals
        file = code.co_filename.replace(os.sep, "/")
        if file.endswith("triton/runtime/cache.py"):
            path = values.get("grp_filepath") or values.get("filepath")
            directory = getattr(values.get("self"), "cache_dir", None)
            found = str(path or directory or "") or found
        elif file.endswith("triton/compiler/compiler.py") and code.co_name in ("compile", "__init__"):
            group = values.get("metadata_group")
            path = values.get("metadata_path")
            if path is None and group:
                path = next(iter(group.values()), None)
            if path is not None and (code.co_name == "__init__" or isinstance(error, json.JSONDecodeError)):
                found = str(path)
        frame = frame.tb_next
    return found


def missing_members(directory):
    """Files that a cache entry names and does not have."""
    found = []
    for name in sorted(os.listdir(directory)):
        if name.startswith("__grp__"):
            with open(os.path.join(directory, name)) as file:
                found += [member for member in json.load(file)["child_paths"].values() if not os.path.exists(member)]
    return found


def looked_at(path):
    """What is in a cache entry, for a reader: its directory, the file that is to blame, and a list."""
    directory = path if os.path.isdir(path) else os.path.dirname(path)
    lines = ["%s:" % directory]
    try:
        missing = missing_members(directory)
    except Exception:
        missing = []
    path = missing[0] if missing else path
    lines += ["  missing  %s" % os.path.basename(member) for member in missing]
    for name in sorted(os.listdir(directory)):
        whole = os.path.join(directory, name)
        size = os.path.getsize(whole)
        lines.append("%9d  %s%s" % (size, name, "   <- this one" if whole == path else ""))
    if os.path.isfile(path):
        with open(path, "rb") as file:
            lines.append("it begins: %r" % file.read(200))
    return directory, path, "\n".join(lines)


@quietly
def report(compile_, error):
    """An exception that no stage raised: a broken cache entry, or the front end."""
    path = cache_trouble(error)
    if path:
        directory, path, listing = looked_at(path)
        message = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        name = "cache-entry-" + hashlib.sha256(directory.encode()).hexdigest()[:10]
        place = os.path.join(OUT, name)
        growing = os.path.join(RUN, "%d-%s" % (os.getpid(), name))
        os.makedirs(growing, exist_ok=True)
        write(growing, "log.txt", "a broken entry of Triton's cache, no failure of the compiler\n%s\nraised:\n%s" % (listing, message))
        try:
            os.rename(growing, place)
        except OSError:
            remove(growing)
        event(event="cache", case=name, path=path, directory=directory, error="%s: %s" % (type(error).__name__, str(error)[:500]))
    else:
        name = getattr(compile_.src, "name", None) or "kernel"
        event(event="front", kernel=name, error="%s: %s" % (type(error).__name__, (str(error).strip().splitlines() or [""])[-1][:500]))


# --- wrapping --------------------------------------------------------------------------------------------------------


def wrapped_stage(stage, function, backend, options):
    begin = quietly(Pending)

    def run(module, *args, **named):
        pending = begin(stage, module, backend, options)
        try:
            result = function(module, *args, **named)
        except Exception as error:
            if pending:
                quietly(pending.failed)(error)
            if stack():
                stack()[-1].reported = True
            raise
        except BaseException:
            if pending:
                quietly(pending.done)()
            raise
        if pending:
            quietly(pending.done)()
        return result

    return run


def wrapped_backend(backend):
    add_stages = backend.add_stages

    def add(stages, options, *args, **named):
        result = add_stages(stages, options, *args, **named)
        for name, function in list(stages.items()):
            stages[name] = wrapped_stage(name, function, backend, options)
        return result

    backend.add_stages = add
    return backend


def patch_compiler(module):
    import functools
    make_backend, compile_kernel = module.make_backend, module.compile

    @functools.wraps(make_backend)
    def make(*args, **named):
        backend = make_backend(*args, **named)
        return quietly(wrapped_backend)(backend) or backend

    @functools.wraps(compile_kernel)
    def compile(*args, **named):
        src = args[0] if args else named.get("src")
        compile_ = Compile(src)
        stack().append(compile_)
        try:
            return compile_kernel(*args, **named)
        except Exception as error:
            if not compile_.reported:
                report(compile_, error)
            raise
        finally:
            stack().pop()

    module.make_backend, module.compile = make, compile
    triton = sys.modules.get("triton")
    event(event="loaded", triton=getattr(triton, "__version__", None), python=sys.executable)


def hooked(spec, patch):
    """A module's spec, so that `patch` gets the module as soon as it has run."""
    execute = spec.loader.exec_module

    def exec_module(module):
        execute(module)
        prepare()
        quietly(patch)(module)

    spec.loader.exec_module = exec_module
    return spec


class Finder:
    """Stands before the other finders and asks them; what they find of Triton is hooked."""

    PATCHES = {"triton.compiler.compiler": patch_compiler}

    def find_spec(self, name, path=None, target=None):
        patch = self.PATCHES.get(name)
        if patch is None:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find and finder is not self else None
            if spec is not None:
                return quietly(hooked)(spec, patch) or spec
        return None

    def invalidate_caches(self):
        pass


if OUT and os.path.isdir(RUN):
    sys.meta_path.insert(0, Finder())
chain()
