"""`compile` and what it needs; the modules are made of the source's facts, not of its code."""
from types import SimpleNamespace

from triton._C.libtriton import ir
from triton.backends import backends
from triton.backends.compiler import Language


class ASTSource:
    def __init__(self, fn, signature, constexprs=None, attrs=None):
        self.fn, self.signature, self.constants, self.attrs = fn, signature, constexprs or {}, attrs or {}
        self.name = fn.__name__

    def make_ir(self, target, options, codegen_fns, module_map, context):
        if "unsupported" in self.signature.values():
            raise ValueError("at 2:4:\nthis type is unsupported")
        facts = [self.name, self.signature, sorted(self.constants.items()), sorted(self.attrs)]
        module = ir.module("module { // %s\n}\n" % " ".join(map(str, facts)))
        module.context = context
        return module


def make_backend(target):
    return backends["fake"].compiler(target)


def compile(src, target=None, options=None):
    backend = make_backend(target)
    parsed = backend.parse_options(options or {})
    stages, metadata = {}, {}
    backend.add_stages(stages, parsed, Language.TRITON)
    module = src.make_ir(target, parsed, {}, {}, ir.context())
    module = stages["ttir"](module, metadata)
    return SimpleNamespace(asm={"ttir": str(module)}, metadata=metadata)
