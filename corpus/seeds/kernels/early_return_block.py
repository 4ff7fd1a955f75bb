"""A helper that returns a block from two places, which only newer versions can lower."""

import triton
import triton.language as tl


@triton.jit
def pick(x, mode):
    if mode == 1:
        return x + 1.0
    return x * 2.0


@triton.jit
def early_return_block(x_ptr, out_ptr, mode, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    tl.store(out_ptr + at, pick(x, mode))


KERNEL = early_return_block
SIGNATURE = {
    "x_ptr": "*fp32",
    "out_ptr": "*fp32",
    "mode": "i32",
}
CONSTANTS = {"BLOCK": 128}
NEEDS = "3.6.0"
