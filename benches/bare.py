"""The loop that `tritonsmith fuzz` is measured against: modules through `make_ttgir`, in one process, nothing judged.

    python bare.py KIND ARCH WARP_SIZE LIST

LIST has a line for each module, its options as JSON and its path. Printed are the seconds that the loop took.
"""
import json
import sys
import time

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import make_backend

kind, arch, warp_size, listed = sys.argv[1:]
target = GPUTarget(kind, int(arch) if arch.isdigit() else arch, int(warp_size))
backend = make_backend(target)
context = ir.context()
ir.load_dialects(context)
backend.load_dialects(context)
cases = [line.rstrip("\n").split("\t") for line in open(listed)]
started = time.perf_counter()
for options, path in cases:
    parsed = backend.parse_options(json.loads(options))
    stages = {}
    try:
        from triton.backends.compiler import Language
        backend.add_stages(stages, parsed, Language.TRITON)
    except (ImportError, TypeError):
        backend.add_stages(stages, parsed)
    module = ir.parse_mlir_module(path, context)
    module.context = context
    stages["ttgir"](module, {"target": target, **parsed.__dict__})
print(time.perf_counter() - started)
