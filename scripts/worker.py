"""The worker of tritonsmith: answers questions about MLIR modules with one installation of Triton.

Started as `python -c <front_end.py and this text>`. Standard input and output carry frames (four bytes of length, little endian, then
JSON); both are moved away at once, and file descriptors 1 and 2 become an unlinked file, so whatever Triton prints is
part of an answer and never part of the protocol. src/compiler/protocol.rs has the words of the frames.

The first process imports libtriton and makes no context (a context starts threads, and threads do not survive a fork).
It forks a child that serves and a second one that is warm and waits. A child that dies is spoken for by the parent, a
child in which a crash was caught answers and leaves; either way the waiting one goes on at once.
"""
import difflib
import itertools
import json
import mmap
import os
import re
import select
import signal
import struct
import sys
import tempfile
import time
import traceback
import types

PROTOCOL = 1
# Kinds of target to ask every backend about, beside those that it names itself.
KINDS = ("cuda", "hip", "cpu", "xpu", "npu")
# Architectures to try where a kind says nothing about its own.
ARCHS = (80, 90, "gfx942", "generic", 0)
INPUT_FD = 100  # The module under test is always /proc/self/fd/100 to the parser, so that diagnostics are repeatable ...
INPUT_NAME = "input.mlir"  # ... and this to the reader.
STDERR_KEPT = 1 << 20  # Bytes kept from each end of what Triton prints during one request.
PRINTED_LIMIT = 64 << 20  # Bytes that a child can print in all; writes beyond fail.
CONTEXT_USES = 1000  # A context never frees a type or an attribute: take a fresh one now and then.
IDLE, READING, BUSY, WRITING = range(4)
PHASES = ("none", "resolve", "parse", "run", "print")


def anonymous_file(name):
    """An open file without a name in any directory."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def read_exactly(fd, count):
    """`count` bytes, or fewer at the end of the stream."""
    parts = []
    while count:
        part = os.read(fd, min(count, 1 << 20))
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_frame(fd, value):
    data = json.dumps(value).encode()
    data = memoryview(struct.pack("<I", len(data)) + data)
    while data:
        data = data[os.write(fd, data):]


def printed(fd, start=0):
    """What was printed into the file `fd` from offset `start` on; the middle of very long text is left out."""
    size = os.fstat(fd).st_size
    if size - start <= 2 * STDERR_KEPT:
        data = os.pread(fd, max(size - start, 0), start)
    else:
        left_out = size - start - 2 * STDERR_KEPT
        data = (os.pread(fd, STDERR_KEPT, start) + b"\n... %d bytes left out ...\n" % left_out +
                os.pread(fd, STDERR_KEPT, size - STDERR_KEPT))
    return data.decode("utf-8", "replace").replace("/proc/self/fd/%d" % INPUT_FD, INPUT_NAME)


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * mmap.PAGESIZE


class Shared:
    """A page that a child and its parent both see: what the child is at, for the parent to tell when it has died."""

    FORM = struct.Struct("<BBHiQ")

    def __init__(self):
        self.page = mmap.mmap(-1, mmap.PAGESIZE)
        self.set()

    def set(self, state=IDLE, phase="none", index=-1, request=0, text=""):
        text = text.encode()[:mmap.PAGESIZE - self.FORM.size]
        self.page[self.FORM.size:self.FORM.size + len(text)] = text
        self.FORM.pack_into(self.page, 0, state, PHASES.index(phase), len(text), index, request)

    def get(self):
        state, phase, length, index, request = self.FORM.unpack_from(self.page, 0)
        text = self.page[self.FORM.size:self.FORM.size + length].decode("utf-8", "replace")
        return state, PHASES[phase], index, request, text

    def at(self, phase, index=-1, text=""):
        self.set(BUSY, phase, index, self.get()[3], text)


class Refused(Exception):
    """A question that has no answer here; `kind` is one of protocol.rs's `RefusalKind`s."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


# --- pipeline text ------------------------------------------------------------------------------------------------


def split_top_level(text):
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


def flatten(text):
    """The passes of pipeline text one by one: `tt.func(a,b),c` is `tt.func(a)`, `tt.func(b)`, `c`; a pass on
    the module itself stands alone, whether the text says `any(…)` or `builtin.module(…)` around it or nothing."""
    flat = []
    for part in split_top_level(text):
        nested = re.fullmatch(r"([\w.]+)\s*\((.*)\)", part, re.S)
        if nested and nested.group(1) in ("any", "builtin.module"):
            flat += flatten(nested.group(2))
        elif nested:
            flat += ["%s(%s)" % (nested.group(1), inner) for inner in flatten(nested.group(2))]
        else:
            flat.append(part)
    return flat


def normal(text):
    """Pass text with insignificant white space gone, options in order, and no empty option list."""
    text = " ".join(text.split())

    def options(match):
        words = sorted(match.group(1).split())
        return "{" + " ".join(words) + "}" if words else ""

    return re.sub(r"\s*\{([^{}]*)\}\s*", options, text).strip()


def pass_name(text):
    """The bare name in pass text: without options, and without the operation it is nested in."""
    inner = re.fullmatch(r"[\w.]+\((.*)\)", text.strip(), re.S)
    return pass_name(inner.group(1)) if inner else text.split("{")[0].strip()


# --- the installation ---------------------------------------------------------------------------------------------


class Triton:
    """libtriton and its backends, imported; no context yet."""

    def __init__(self):
        try:
            import setuptools  # noqa: F401
        except ImportError:
            # Wheels up to 3.2 import it without asking for it, and use it only to build launchers for a GPU.
            sys.modules["setuptools"] = types.ModuleType("setuptools")
        import triton
        from triton._C import libtriton
        from triton.backends import backends
        from triton.backends.compiler import GPUTarget
        self.version = getattr(triton, "__version__", "unknown")
        self.lib, self.ir, self.backends, self.GPUTarget = libtriton, libtriton.ir, backends, GPUTarget
        self.pass_manager = self.ir.pass_manager
        self.has_pipeline_text = hasattr(self.pass_manager, "get_pipeline_str")
        self.run_takes_name = "str" in (self.pass_manager.run.__doc__ or "").split("->")[0].split("module", 1)[-1]
        self.bindings = dict(self.find_bindings())
        self.texts = {}  # The text of every step that a child has looked up so far, by `repr(step.key())`.

    def find_bindings(self):
        """Every function of libtriton that adds to a pass manager, as (dotted name, (module, attribute, function))."""
        seen, queue = set(), [("", self.lib)]
        while queue:
            path, module = queue.pop(0)
            if id(module) in seen:
                continue
            seen.add(id(module))
            for name in sorted(dir(module)):
                value = getattr(module, name, None)
                dotted = path + "." + name if path else name
                if isinstance(value, types.ModuleType) and value.__name__.startswith(self.lib.__name__):
                    queue.append((dotted, value))
                elif callable(value) and not isinstance(value, type) and takes_pass_manager(name, value):
                    yield dotted, (module, name, value)

    def backend_for(self, target):
        """The backend that accepts `target`, made, with the target as Triton sees it."""
        arch = target["arch"]
        arch = int(arch) if re.fullmatch(r"-?\d+", str(arch)) else arch
        gpu, reasons = self.GPUTarget(target["kind"], arch, target["warp_size"]), []
        for name, backend in sorted(self.backends.items()):
            try:
                if backend.compiler.supports_target(gpu):
                    return backend.compiler(gpu), gpu
                reasons.append("%s does not support it" % name)
            except Exception as error:
                reasons.append("%s: %s" % (name, describe(error)))
        raise Refused("target", "no backend of triton %s accepts %s:%s (%s)%s" %
                      (self.version, gpu.backend, arch, "; ".join(reasons) or "there are none", self.accepted(gpu.backend)))

    def accepted(self, asked):
        """What the backends accept in place of a kind that none of them does, the nearest first."""
        kinds = [kind for _, backend in sorted(self.backends.items()) for kind in self.kinds(backend.compiler)]
        if not kinds:
            return ""
        nearest = (difflib.get_close_matches(asked, kinds, 1, 0.0) or kinds)[0]
        return "; accepted are %s: use --target %s:…" % (", ".join("%s:…" % kind for kind in kinds), nearest)

    def kinds(self, compiler):
        """The kinds that a backend supports with some architecture."""
        def supports(kind, arch):
            try:
                return compiler.supports_target(self.GPUTarget(kind, arch, 32))
            except Exception:
                return False
        return [kind for kind in kinds_to_ask(compiler) if any(supports(kind, arch) for arch in ARCHS)]


def describe(error):
    text = str(error).strip()
    return "%s: %s" % (type(error).__name__, text) if text else type(error).__name__


def takes_pass_manager(name, function):
    first = re.search(r"\(([^,)]*)", function.__doc__ or "")
    return "pass_manager" in first.group(1) if first else name.startswith("add_")


def parameters(function):
    """The types of a binding's parameters after the pass manager, from its signature in the documentation text."""
    line = (function.__doc__ or "").strip().split("\n")[0]
    inside = re.match(r"\w+\((.*)\)\s*->", line)
    if not inside:
        return None
    found = []
    for part in split_top_level(inside.group(1)):
        if ":" in part:
            kind, _, default = part.split(":", 1)[1].partition("=")
            kind = kind.strip().replace("typing.SupportsInt", "int").replace("collections.abc.Sequence", "list")
            # From 3.7 on `SupportsInt` may be spelled as a union with `SupportsIndex`.
            kind = "int" if re.match(r"int\b|typing.SupportsIn", kind) else kind
            found.append((kind, default.strip() or None))
    return found[1:]


class Recorder:
    """Stands in for a pass manager while a backend's stage runs: notes what is added, runs nothing."""

    def __init__(self, recording):
        self.recording, self.group = recording, recording.new_group()

    def enable_debug(self):
        return False

    def run(self, module, name=None):
        self.recording.groups[self.group]["run"] = True
        self.recording.groups[self.group]["name"] = name

    def get_pipeline_str(self):
        return ""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        # Switches of the manager such as `enable_timing`: they add no pass.
        return lambda *args, **named: None


class Translated(Exception):
    """The stage that is recorded has come to the translation to LLVM IR."""


class Recording:
    """What one stage of a backend does for one target with one set of options."""

    def __init__(self):
        self.steps, self.groups, self.attributes, self.failure = [], [], [], None
        self.metadata, self.unknown_options = {}, []

    def new_group(self):
        self.groups.append({"run": False, "name": None})
        return len(self.groups) - 1


class Step:
    """One call of a binding, in the pass manager number `group`."""

    def __init__(self, group, binding, args, named, text=None):
        self.group, self.binding, self.args, self.named, self.text = group, binding, args, named, text

    def key(self):
        """What two steps share that print alike; an argument that is an object counts by its type."""
        return self.binding, [plain(arg) for arg in self.args], sorted(self.named.items())


# --- the serving child --------------------------------------------------------------------------------------------


class Server(FrontEnd):  # noqa: F821 - it stands in the text before this one.
    """Answers requests in one child process."""

    def __init__(self, triton, shared, capture, parent):
        self.triton, self.ir, self.shared, self.capture, self.parent = triton, triton.ir, shared, capture, parent
        self.recordings, self.matches, self.damaged, self.kept = {}, {}, False, []
        self.context, self.loaded, self.uses = None, set(), 0

    def warm_up(self):
        """Context, dialects, and a first pass manager: the first one of a process is not guarded against crashes in
        3.3 and 3.4, every later one is."""
        self.fresh_context()
        module = self.parse("module {\n}\n")
        manager = self.triton.pass_manager(self.context)
        self.bind("passes.common.add_cse")(manager)
        self.run_manager(manager, module)
        os.ftruncate(self.capture, 0)
        self.resident = resident_bytes()

    def bind(self, name):
        return self.triton.bindings[name][2]

    def fresh_context(self):
        for kept in (self.recordings, self.matches, self.loaded):
            kept.clear()  # Recorded attributes belong to the context.
        self.context = self.ir.context()
        self.ir.load_dialects(self.context)
        self.uses = 0
        for name, backend in sorted(self.triton.backends.items()):
            try:
                backend.compiler.load_dialects(None, self.context)
            except Exception:
                pass  # A backend that needs an instance gets its turn in `backend`.

    def backend(self, target):
        backend, gpu = self.triton.backend_for(target)
        if type(backend) not in self.loaded:
            backend.load_dialects(self.context)
            self.loaded.add(type(backend))
        return backend, gpu

    # -- modules

    def parse(self, text):
        """The module, or None where it does not parse or verify; diagnostics are in the capture file."""
        self.uses += 1
        fd = anonymous_file("tritonsmith-input")
        os.dup2(fd, INPUT_FD, inheritable=False)
        os.close(fd)
        data = memoryview(text.encode("utf-8", "surrogatepass"))
        while data:
            data = data[os.write(INPUT_FD, data):]
        try:
            module = self.ir.parse_mlir_module("/proc/self/fd/%d" % INPUT_FD, self.context)
        except RuntimeError:
            return None
        module.context = self.context
        return module

    def show(self, module, locations=False):
        if not locations and hasattr(module, "str_nodebug"):
            return module.str_nodebug()
        text = module.str() if hasattr(module, "str") else str(module)
        if locations:
            return text.replace("/proc/self/fd/%d" % INPUT_FD, INPUT_NAME)
        return strip_locations(text)

    # -- pipelines

    def record(self, target, options, stage):
        key = json.dumps([target, options, stage], sort_keys=True)
        if key not in self.recordings:
            self.recordings[key] = self.record_now(target, options, stage)
        return self.recordings[key]

    def stages(self, backend, options):
        """The backend's stages by name, and the options as the backend understood them."""
        parsed = backend.parse_options(dict(options))
        stages = {}
        try:
            from triton.backends.compiler import Language
            backend.add_stages(stages, parsed, Language.TRITON)
        except (ImportError, TypeError):
            stages = {}
            backend.add_stages(stages, parsed)
        return stages, parsed

    def record_now(self, target, options, stage):
        backend, gpu = self.backend(target)
        try:
            stages, parsed = self.stages(backend, options)
        except Exception as error:
            raise Refused("options", "%s refuses the options %s: %s" % (type(backend).__name__, json.dumps(options), describe(error)))
        if stage not in stages:
            raise Refused("stage", "%s has no stage `%s`; it has %s" % (type(backend).__name__, stage, ", ".join(stages)))
        recording = Recording()
        recording.unknown_options = sorted(name for name in options if not hasattr(parsed, name))
        module = self.parse("module {\n  tt.func public @kernel() {\n    tt.return\n  }\n}\n")
        metadata = {"target": gpu}
        metadata.update(getattr(parsed, "__dict__", {}))
        before = dict(metadata)
        replaced = []

        def replace(owner, name, value):
            replaced.append((owner, name, getattr(owner, name)))
            setattr(owner, name, value)

        def recorder(dotted, function):
            def add(manager, *args, **named):
                if not isinstance(manager, Recorder):
                    return function(manager, *args, **named)
                recording.steps.append(Step(manager.group, dotted, args, named))
            return add

        def set_attr(module, name, attribute):
            recording.attributes.append((len(recording.steps), name, attribute))
            original_set_attr(module, name, attribute)

        original_set_attr = self.ir.module.set_attr

        def translated(*args, **named):
            raise Translated

        try:
            # The stage that ends in LLVM IR is over for MLIR where the translation begins; the empty module has none.
            if hasattr(getattr(self.triton.lib, "llvm", None), "to_module"):
                replace(self.triton.lib.llvm, "to_module", translated)
            replace(self.ir, "pass_manager", lambda context: Recorder(recording))
            replace(self.ir.module, "set_attr", set_attr)
            for dotted, (owner, name, function) in self.triton.bindings.items():
                replace(owner, name, recorder(dotted, function))
            stages[stage](module, metadata)
        except Translated:
            pass
        except Exception as error:
            recording.failure = describe(error)
        finally:
            for owner, name, value in reversed(replaced):
                setattr(owner, name, value)
        recording.metadata = {key: repr(value) for key, value in metadata.items() if key not in before or before[key] is not value}
        if not self.triton.has_pipeline_text:
            self.find_names(recording.steps)
        for step in recording.steps:
            step.text = self.step_text(step)
        return recording

    def add(self, step, manager):
        self.bind(step.binding)(manager, *step.args, **step.named)

    def step_text(self, step):
        """The command-line form of a step, from the pass manager itself."""
        key = repr(step.key())
        if key not in self.triton.texts:
            self.learn(key, self.find_text(step))
        return self.triton.texts[key]

    def learn(self, key, text):
        """Keeps a text for this process and, by way of the parent, for those that come after it."""
        self.triton.texts[key] = text
        os.write(self.parent, json.dumps([key, text]).encode() + b"\n")

    def find_text(self, step):
        if not self.triton.has_pipeline_text:
            self.find_names([step])
            return self.triton.texts[repr(step.key())]
        manager = self.triton.pass_manager(self.context)
        self.add(step, manager)
        return ",".join(flatten(manager.get_pipeline_str().strip()))

    def find_names(self, steps):
        """Up to 3.2 a pass manager cannot be printed, but it names its passes when it is told to dump the IR. A pass can
        abort on an empty module, after its name is printed: so a process of its own does this."""
        known = self.triton.texts
        missing = list({repr(step.key()): step for step in steps if repr(step.key()) not in known}.values())
        while missing:
            start, parent = os.fstat(self.capture).st_size, os.getpid()
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                die_with_parent(parent)
                try:
                    os.environ["MLIR_ENABLE_DUMP"] = "1"
                    self.fresh_context()
                    for index, step in enumerate(missing):
                        os.write(2, b"\n// pass %d\n" % index)
                        manager = self.triton.pass_manager(self.context)
                        manager.enable_debug()
                        self.add(step, manager)
                        self.run_manager(manager, self.parse("module {\n}\n"))
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
            dumps = re.split(r"\n// pass \d+\n", printed(self.capture, start))[1:]
            os.ftruncate(self.capture, start)
            for step, dump in zip(missing, dumps):
                names = re.findall(r"IR Dump Before \S+ \(([\w-]+)\)", dump)
                self.learn(repr(step.key()), ",".join(names) or derived_name(step.binding))
            missing = missing[max(len(dumps), 1):]
        for step in steps:
            known.setdefault(repr(step.key()), derived_name(step.binding))

    def resolve(self, request):
        """The steps that a run is about, and the attributes that the stage sets on the module between them."""
        passes, target, options = request["passes"], request["target"], request.get("options") or {}
        if "stage" in passes:
            recording = self.record(target, options, passes["stage"])
            if recording.failure:
                raise Refused("stage", "the stage `%s` cannot be recorded: %s" % (passes["stage"], recording.failure))
            first = passes.get("from") or 0
            last = len(recording.steps) if passes.get("to") is None else min(passes["to"], len(recording.steps))
            attributes = [(at - first, name, value) for at, name, value in recording.attributes if first <= at <= last]
            return recording.steps[first:last], attributes
        key = json.dumps([target, options, passes["texts"]], sort_keys=True)
        if key not in self.matches:
            wanted = [part for text in passes["texts"] for part in flatten(text)]
            self.matches[key] = [Step(0, step.binding, step.args, step.named, step.text)
                                 for step in self.match(wanted, target, options)]
        return self.matches[key], []

    def match(self, wanted, target, options):
        """Steps whose command-line text is `wanted`: as recorded, else with arguments found by trying."""
        steps, at = [], 0
        while at < len(wanted):
            step, length = self.recorded_match(wanted[at:], target, options)
            if step is None:
                step, length = self.guess(wanted[at], target, options), 1
            steps.append(step)
            at += length
        return steps

    def known_recordings(self, target, options):
        """Recordings of every stage that can be recorded, first with these options, then with other common ones."""
        backend, _ = self.backend(target)
        names = [name for name in self.stages(backend, options)[0]]
        variants = [options] + [dict(options, num_warps=warps, num_stages=stages)
                                for warps in (4, 8, 2, 1, 16) for stages in (3, 2, 1, 4, 5)]
        for variant in variants:
            for name in [name for place, name in enumerate(names) if place < 2 or name == "llir"]:
                try:
                    yield self.record(target, variant, name)
                except Refused:
                    continue

    def recorded_match(self, wanted, target, options):
        exact = [normal(text) for text in wanted]
        for recording in self.known_recordings(target, options):
            best = (None, 0)
            for step in recording.steps:
                parts = [normal(text) for text in flatten(step.text)]
                if not self.triton.has_pipeline_text:
                    parts, exact = [pass_name(text) for text in parts], [pass_name(text) for text in wanted]
                if parts and parts == exact[:len(parts)] and len(parts) > best[1]:
                    best = (step, len(parts))
            if best[0]:
                return best
        return None, 0

    def guess(self, text, target, options):
        """A binding called such that it prints `text`."""
        name, exact = pass_name(text), normal(text)
        words = re.findall(r"=([^\s{}]+)", text)
        numbers = [int(word) for word in words if re.fullmatch(r"-?\d+", word)] + [0, 1, 2, 3, 4, 8, 32, 64]
        strings = [word for word in words if not re.fullmatch(r"-?\d+|true|false", word)]
        strings += ["%s:%s" % (target["kind"], target["arch"]), str(target["arch"]), ""]
        choices = {"int": list(dict.fromkeys(numbers)), "bool": [False, True], "str": list(dict.fromkeys(strings)), "float": [0.0, 1.0]}
        named_so, nearest = [], None
        for dotted in self.triton.bindings:
            kinds = parameters(self.bind(dotted))
            if kinds is None or any(kind not in choices for kind, _ in kinds):
                continue
            tries = itertools.islice(itertools.product(*[choices[kind] for kind, _ in kinds]), 4000)
            for args in tries:
                step = Step(0, dotted, args, {})
                try:
                    step.text = self.step_text(step)
                except Exception:
                    break
                flat = flatten(step.text)
                if [pass_name(part) for part in flat] != [name]:
                    break
                if normal(flat[0]) == exact or not self.triton.has_pipeline_text:
                    return step
                nearest = step.text
                if dotted not in named_so:
                    named_so.append(dotted)
        if named_so:
            raise Refused("pass", "the pass `%s` is here (%s), but with no arguments that print as `%s`; the nearest is `%s`" %
                          (name, ", ".join(named_so), text, nearest))
        raise Refused("pass", "triton %s has no pass `%s` that can be added from Python" % (self.triton.version, name))

    # -- answers

    def answer(self, request):
        what = request["do"]
        handler = getattr(self, "do_" + what, None)
        if handler is None:
            raise Refused("request", "unknown request `%s`" % what)
        return handler(request)

    def do_hello(self, request):
        return {"python": sys.version.split()[0], "executable": sys.executable, "triton": self.triton.version,
                "backends": sorted(self.triton.backends), "pipeline_text": self.triton.has_pipeline_text,
                "library": self.triton.lib.__file__}

    def do_pipeline(self, request):
        recording = self.record(request["target"], request.get("options") or {}, request["stage"])
        return {"steps": [{"index": index, "group": step.group, "binding": step.binding,
                           "args": [plain(arg) for arg in step.args], "text": step.text}
                          for index, step in enumerate(recording.steps)],
                "groups": [group["name"] for group in recording.groups],
                "attributes": [{"before": at, "name": name} for at, name, _ in recording.attributes],
                "metadata": recording.metadata, "unknown_options": recording.unknown_options,
                "failure": recording.failure}

    def run_manager(self, manager, module, name="tritonsmith"):
        if self.triton.run_takes_name:
            manager.run(module, name)
        else:
            manager.run(module)

    def do_run(self, request):
        self.shared.at("resolve")
        steps, attributes = self.resolve(request)
        if request.get("stop") is not None:
            steps = steps[:request["stop"]]
        keep = request.get("keep") or {}
        wanted, locations = set(keep.get("after") or ()), bool(keep.get("locations"))
        os.ftruncate(self.capture, 0)
        result = {"exit": "ok", "error": None, "failing": None, "times": [], "modules": [], "damaged": False, "passes": len(steps)}
        self.shared.at("parse")
        module = self.parse(request["module"])
        if module is None:
            result["exit"] = "not_parsed"
            return self.with_printed(result)
        if request.get("mode") == "stepwise":
            batches = [[index] for index in range(len(steps))]
        else:
            batches = [list(batch) for _, batch in itertools.groupby(range(len(steps)), key=lambda index: steps[index].group)]
        self.keep_text(result, module, 0, 0 in wanted, locations)
        started = time.perf_counter()
        for batch in batches:
            self.set_attributes(module, [entry for entry in attributes if entry[0] in batch])
            manager = self.triton.pass_manager(self.context)
            manager.enable_debug()
            for index in batch:
                self.add(steps[index], manager)
            single = len(batch) == 1
            self.shared.at("run", batch[0] if single else -1, steps[batch[0]].text if single else "")
            before = time.perf_counter()
            try:
                self.run_manager(manager, module)
            except Exception as error:
                result.update(exit="failed", error=describe(error), damaged=looks_damaged(printed(self.capture)))
                if single:
                    result["failing"] = {"index": batch[0], "text": steps[batch[0]].text, "left": self.left(module, result, keep, locations)}
                self.kept.append((module, manager))
            result["times"].append(round((time.perf_counter() - before) * 1e6))
            if result["exit"] == "failed":
                break
            done = batch[-1] + 1
            self.keep_text(result, module, done, keep.get("each") or done in wanted, locations)
        result["micros"] = round((time.perf_counter() - started) * 1e6)
        if result["exit"] == "ok":
            self.set_attributes(module, [entry for entry in attributes if entry[0] == len(steps)])
            self.keep_text(result, module, len(steps), keep.get("last"), locations)
        self.damaged = result["damaged"]
        if not self.damaged:
            self.kept.clear()
        return self.with_printed(result)

    def set_attributes(self, module, attributes):
        for _, name, value in attributes:
            module.set_attr(name, value)

    def keep_text(self, result, module, done, wanted, locations):
        """Adds the module as it is after `done` passes to an answer, once."""
        if wanted and not any(kept["after"] == done for kept in result["modules"]):
            self.shared.at("print", done)
            result["modules"].append({"after": done, "text": self.show(module, locations)})

    def left(self, module, result, keep, locations):
        """What a pass left that the verifier rejects. After a crash the module may be half rewritten: nobody looks at it."""
        if not keep.get("failed") or result["damaged"]:
            return None
        # Printing verifies, and would say the same once more.
        said = os.fstat(self.capture).st_size
        text = self.show(module, locations)
        os.ftruncate(self.capture, said)
        return text

    def with_printed(self, result):
        result["stderr"] = printed(self.capture)
        return result

    def do_print(self, request):
        self.shared.at("parse")
        module = self.parse(request["text"])
        if module is None:
            return self.with_printed({"text": None})
        self.shared.at("print")
        return self.with_printed({"text": self.show(module, bool(request.get("locations")))})

    def do_verify(self, request):
        found = []
        for index, text in enumerate(request["texts"]):
            start = os.fstat(self.capture).st_size
            self.shared.at("parse", index)
            good = self.parse(text) is not None
            found.append({"valid": good, "stderr": printed(self.capture, start)})
            if self.uses > CONTEXT_USES:
                self.fresh_context()
        return {"results": found}

    # -- the probe

    def do_probe(self, request):
        return {"backends": [self.probe_backend(name, backend.compiler) for name, backend in sorted(self.triton.backends.items())],
                "passes": self.probe_passes()}

    def probe_backend(self, name, compiler):
        found = {"name": name, "class": compiler.__name__, "kinds": [], "refused": [], "errors": []}
        for kind in kinds_to_ask(compiler, name):
            accepted, errors = [], []
            for arch in ARCHS:
                try:
                    if compiler.supports_target(self.triton.GPUTarget(kind, arch, 32)):
                        accepted.append(arch)
                except Exception as error:
                    errors.append("%s:%s: %s" % (kind, arch, describe(error)))
            if accepted:
                found["kinds"].append(self.probe_kind(compiler, kind, accepted))
            elif errors:
                found["errors"] += list(dict.fromkeys(errors))
            else:
                found["refused"].append(kind)
        return found

    def probe_kind(self, compiler, kind, archs):
        """What becomes of a kind that is supported: the first architecture with which a pipeline can be set up."""
        found, failures = {"kind": kind, "arch": None, "stages": [], "failures": []}, []
        for arch in archs:
            try:
                backend = compiler(self.triton.GPUTarget(kind, arch, 64 if str(arch).startswith("gfx9") else 32))
                backend.load_dialects(self.context)
                stages, _ = self.stages(backend, {})
                found.update(arch=str(arch), stages=list(stages))
                break
            except Exception as error:
                failures.append("%s:%s: %s" % (kind, arch, describe(error)))
        found["failures"] = failures
        return found

    def probe_passes(self):
        """Every pass binding with its parameters and text. The trying is done in a process of its own, as a binding may
        abort; one that does is named and the rest goes on behind it."""
        names, found = list(self.triton.bindings), []
        while len(found) < len(names):
            reader, writer = os.pipe()
            parent = os.getpid()
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                die_with_parent(parent)
                try:
                    self.fresh_context()
                    for dotted in names[len(found):]:
                        os.write(writer, json.dumps(self.probe_pass(dotted)).encode() + b"\n")
                finally:
                    os._exit(0)
            os.close(writer)
            with os.fdopen(reader) as file:
                lines = [line for line in file if line.endswith("\n")]
            status = os.waitpid(child, 0)[1]
            found += [json.loads(line) for line in lines]
            if len(found) < len(names):
                dotted = names[len(found)]
                found.append({"binding": dotted, "parameters": kinds_of(self.bind(dotted)), "text": None,
                              "failure": "adding it ends the process (status %d)" % status})
        return found

    def probe_pass(self, dotted):
        function = self.bind(dotted)
        entry = {"binding": dotted, "parameters": kinds_of(function), "text": None, "failure": None}
        kinds = parameters(function)
        sample = {"int": 1, "bool": False, "str": "cuda:80", "float": 1.0}
        if kinds is None or any(kind not in sample for kind, _ in kinds):
            entry["failure"] = "its parameters cannot be made up"
            return entry
        try:
            entry["text"] = self.step_text(Step(0, dotted, tuple(sample[kind] for kind, _ in kinds), {}))
        except Exception as error:
            entry["failure"] = describe(error)
        return entry

    # -- the loop

    def serve(self, source, sink):
        while True:
            self.shared.set(IDLE)
            if self.uses > CONTEXT_USES:
                self.fresh_context()
            select.select([source], [], [])
            self.shared.set(READING)
            head = read_exactly(source, 4)
            if len(head) < 4:
                os._exit(0)
            length = struct.unpack("<I", head)[0]
            data = read_exactly(source, length)
            if len(data) < length:
                os._exit(0)
            # From here on the stream is between frames again, so a death costs the question and not the worker.
            self.shared.set(BUSY)
            try:
                request = json.loads(data.decode())
                identity = int(request["id"])
            except (ValueError, KeyError, TypeError):
                request, identity = None, 0
            self.shared.set(BUSY, request=identity)
            # The other side's clock starts here, and it knows whom to watch.
            write_frame(sink, {"id": identity, "pid": os.getpid(), "resident": self.resident})
            os.ftruncate(self.capture, 0)
            reply = {"id": identity}
            try:
                if request is None:
                    raise Refused("request", "the request is no JSON object with an id")
                if request.get("v") != PROTOCOL:
                    raise Refused("request", "this worker speaks version %d of the protocol" % PROTOCOL)
                reply["answer"] = self.answer(request)
            except Refused as refusal:
                reply["refused"] = {"kind": refusal.kind, "message": str(refusal)}
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                reply["refused"] = {"kind": "internal", "message": "%s (line %d of the worker)" % (describe(error), where.lineno)}
            self.shared.set(WRITING, request=identity)
            write_frame(sink, reply)
            self.shared.set(IDLE)
            if self.damaged:
                os._exit(0)


def kinds_to_ask(compiler, *names):
    """Kinds that a backend may support: such names, words in the code of its `supports_target` or in what that refers to,
    which only it may know of, and those that others know."""
    code = getattr(compiler.supports_target, "__code__", None)
    around = getattr(compiler.supports_target, "__globals__", {})
    found = list(getattr(code, "co_consts", ()))
    for name in getattr(code, "co_names", ()):
        value = around.get(name)
        found += list(value) if isinstance(value, (tuple, list, set, frozenset)) else [value]
    own = [word for word in found if isinstance(word, str) and re.fullmatch(r"\w+", word)]
    return list(dict.fromkeys([*names, *own, *KINDS]))


def kinds_of(function):
    found = parameters(function)
    return None if found is None else [kind for kind, _ in found]


def plain(value):
    return value if isinstance(value, (bool, int, float, str, type(None))) else {"opaque": type(value).__name__}


def derived_name(binding):
    """A guess at the command-line name of a pass that nothing names, from the name of its binding."""
    parts = binding.split(".")
    prefix = {"ttir": "triton-", "ttgpuir": "tritongpu-", "ttnvgpuir": "triton-nvidia-gpu-"}.get(parts[-2], "")
    if parts[0] == "amd":
        prefix = "tritonamdgpu-"
    return prefix + parts[-1][len("add_"):].replace("_", "-")


LOCATION = re.compile(r'"(?:[^"\\]|\\.)*"| loc\((?:#loc\d*|unknown|"(?:[^"\\]|\\.)*"(?::\d+:\d+)?(?: to (?::\d+|\d+:\d+))?)\)')


def strip_locations(text):
    """Printed IR without ` loc(…)` at the end of operations and arguments and without the aliases of locations."""
    text = "\n".join(line for line in text.split("\n") if not re.match(r"#loc\d* = ", line))
    return LOCATION.sub(lambda match: "" if match.group().startswith(" loc(") else match.group(), text)


CRASH_SIGNS = re.compile(r"Assertion `|LLVM ERROR|A signal was caught|PLEASE submit a bug report|Stack dump:|UNREACHABLE executed|"
                         r"operation destroyed but still has uses|pure virtual method|terminate called|double free|corrupted")


def looks_damaged(text):
    """Whether a failed run may have left this process unfit: anything but a plain diagnostic of MLIR's."""
    plain_errors = [line for line in re.findall(r"error: (.*)", text) if not line.startswith(("Failures have been detected", "A failure has been detected", "A signal was caught"))]
    return bool(CRASH_SIGNS.search(text)) or not plain_errors


# --- the parent ---------------------------------------------------------------------------------------------------


def die_with_parent(parent):
    try:
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    except Exception:
        return
    if os.getppid() != parent:
        os._exit(0)


def limit_child():
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (PRINTED_LIMIT, PRINTED_LIMIT))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("500")
    except OSError:
        pass


class Child:
    """A forked process that warms up and then waits for `wake`."""

    def __init__(self, triton, source, sink, siblings=()):
        self.shared, self.capture = Shared(), anonymous_file("tritonsmith-printed")
        token, self.token = os.pipe()
        self.life, life = os.pipe()  # Its end is the child's end; texts that the child learns come through it before.
        self.triton, self.heard = triton, b""
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                die_with_parent(parent)
                limit_child()
                for child in (self, *siblings):
                    child.close_pipes()
                import fcntl
                fcntl.fcntl(self.capture, fcntl.F_SETFL, fcntl.fcntl(self.capture, fcntl.F_GETFL) | os.O_APPEND)
                os.dup2(self.capture, 1)
                os.dup2(self.capture, 2)
                server = Server(triton, self.shared, self.capture, life)
                server.warm_up()
                with os.fdopen(token) as file:
                    learnt = file.readline()
                if learnt.endswith("\n"):
                    triton.texts.update(json.loads(learnt))
                    server.serve(source, sink)
            except BaseException:
                os.write(2, traceback.format_exc().encode())
                os._exit(70)
            os._exit(0)
        os.close(token)
        os.close(life)

    def wake(self):
        try:
            data = memoryview(json.dumps(self.triton.texts).encode() + b"\n")
            while data:
                data = data[os.write(self.token, data):]
            os.close(self.token)
            self.token = None
        except BrokenPipeError:
            pass  # It died while it waited; `wait` finds that out.

    def wait(self, sink):
        """Blocks until the child is gone, and gives its status; ends everything when nobody reads answers any more."""
        poll = select.poll()
        poll.register(self.life, select.POLLIN)
        poll.register(sink, 0)
        while True:
            for fd, _ in poll.poll():
                if fd == sink:
                    os.kill(self.pid, signal.SIGKILL)
                    os._exit(0)
                part = os.read(self.life, 1 << 16)
                if not part:
                    return os.waitpid(self.pid, 0)[1]
                *lines, self.heard = (self.heard + part).split(b"\n")
                self.triton.texts.update(json.loads(line) for line in lines)

    def close(self):
        self.close_pipes()
        os.close(self.capture)
        self.shared.page.close()

    def close_pipes(self):
        for fd in (self.token, self.life):
            if fd is not None:
                os.close(fd)


def main():
    source, sink, trouble = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):
        os.dup2(null, fd)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path[:] = [entry for entry in sys.path if entry]
    try:
        triton = Triton()
    except ImportError as error:
        missing = getattr(error, "name", None)
        write_frame(sink, {"fatal": {"kind": "no_triton" if missing == "triton" else "broken", "message": describe(error)}})
        return 3
    except Exception as error:
        write_frame(sink, {"fatal": {"kind": "broken", "message": describe(error)}})
        return 3
    failures = 0
    active = Child(triton, source, sink)
    standby = Child(triton, source, sink, [active])
    while True:
        active.wake()
        status = active.wait(sink)
        state, phase, index, request, text = active.shared.get()
        signalled, code = (os.WTERMSIG(status), None) if os.WIFSIGNALED(status) else (None, os.WEXITSTATUS(status))
        if state == READING and status == 0:
            return 0
        if state in (READING, WRITING):
            os.write(trouble, b"a child ended inside a frame\n")
            return 4
        if state == BUSY:
            write_frame(sink, {"id": request, "died": {
                "signal": signalled, "exit": code, "phase": phase, "index": index if index >= 0 else None,
                "text": text or None, "stderr": printed(active.capture)}})
        elif code == 70:
            failures += 1
            if failures > 2:
                write_frame(sink, {"fatal": {"kind": "broken", "message": "no context can be made: " + printed(active.capture)}})
                return 3
        active.close()
        active, standby = standby, Child(triton, source, sink, [standby])


if __name__ == "__main__":
    try:
        os._exit(main() or 0)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
