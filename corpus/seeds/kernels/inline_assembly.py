"""PTX on blocks: one result from packed bytes, and two results at once."""

import triton
import triton.language as tl


@triton.jit
def inline_assembly(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    shifted = tl.inline_asm_elementwise(
        "shl.b32 $0, $0, 3;", "=r,r", [x], dtype=tl.int8, is_pure=True, pack=4)
    total, difference = tl.inline_asm_elementwise(
        """
        {
            add.s32 $0, $2, $3;
            sub.s32 $1, $2, $3;
        }
        """, "=r,=r,r,r", [y, shifted.to(tl.int32)], dtype=(tl.int32, tl.int32), is_pure=False, pack=1)
    tl.store(out_ptr + at, total * difference)


KERNEL = inline_assembly
SIGNATURE = {
    "x_ptr": "*i8",
    "y_ptr": "*i32",
    "out_ptr": "*i32",
}
CONSTANTS = {"BLOCK": 512}
TARGETS = ["cuda:80", "cuda:90", "cuda:100"]
