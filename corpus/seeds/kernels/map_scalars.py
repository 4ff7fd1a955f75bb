"""A function of scalars with a branch, mapped over a block."""

import triton
import triton.language as tl


@triton.jit
def compare(x, y):
    if x < y:
        return -1
    elif x == y:
        return 0
    else:
        return 1


@triton.jit
def map_scalars(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    tl.store(out_ptr + at, tl.map_elementwise(compare, x, y))


KERNEL = map_scalars
SIGNATURE = {
    "x_ptr": "*i32",
    "y_ptr": "*i32",
    "out_ptr": "*i32",
}
CONSTANTS = {"BLOCK": 256}
NEEDS = "3.6.0"
