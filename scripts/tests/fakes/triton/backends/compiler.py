"""A backend that is registered as `fake` and accepts the kind `vendor`, which only its own code names."""
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum

from triton._C.libtriton import ir, llvm, passes

GPUTarget = namedtuple("GPUTarget", ["backend", "arch", "warp_size"])
ACCEPTED = ("vendor",)


class Language(Enum):
    TRITON = 0


@dataclass
class Options:
    num_warps: int = 4
    num_stages: int = 3
    fast: bool = False


class FakeBackend:
    @staticmethod
    def supports_target(target):
        return target.backend in ACCEPTED

    def __init__(self, target):
        self.target = target

    def load_dialects(self, context):
        context.dialects.append("fake")

    def parse_options(self, options):
        return Options(**{name: value for name, value in options.items() if name in Options.__dataclass_fields__})

    def get_codegen_implementation(self, options):
        return {}

    def get_module_map(self):
        return {}

    def add_stages(self, stages, options, language):
        stages["ttir"] = lambda module, metadata: self.make_ttir(module, metadata, options)
        stages["broken"] = lambda module, metadata: self.missing
        stages["llir"] = lambda module, metadata: self.make_llir(module, metadata)
        stages["asm"] = lambda text, metadata: self.make_asm(text, metadata)
        stages["object"] = lambda text, metadata: text.encode()

    def make_ttir(self, module, metadata, options):
        manager = ir.pass_manager(module.context)
        manager.enable_debug()
        passes.common.add_cse(manager)
        passes.ttir.add_widen(manager, options.num_warps, options.fast)
        manager.run(module, "first")
        module.set_attr("fake.stages", options.num_stages)
        manager = ir.pass_manager(module.context)
        passes.ttir.add_fails(manager)
        passes.ttir.add_dies(manager)
        manager.run(module, "second")
        metadata["shared"] = 16
        return module

    def make_llir(self, module, metadata):
        manager = ir.pass_manager(module.context)
        passes.ttir.add_asserts(manager)
        manager.run(module, "llir")
        text = llvm.to_module(module, module.context)
        metadata["scratch"] = metadata.get("shared", 0) + 1
        return llvm.optimize(text)

    def make_asm(self, text, metadata):
        if "unassemblable" in text:
            raise RuntimeError("`as` stderr:\nas /tmp/x.s, line 1; error   : unknown instruction\n")
        if "no assembler" in text:
            raise RuntimeError("the assembler was not found. Set AS to its path")
        return ".kernel " + str(metadata["scratch"]) + text
