"""A histogram of a block of bytes, added to one in memory."""

import triton
import triton.language as tl


@triton.jit
def histogram(x_ptr, out_ptr, N: tl.constexpr, BINS: tl.constexpr):
    x = tl.load(x_ptr + tl.program_id(0) * N + tl.arange(0, N))
    counts = tl.histogram(x, BINS)
    tl.atomic_add(out_ptr + tl.arange(0, BINS), counts)


KERNEL = histogram
SIGNATURE = {
    "x_ptr": "*i32",
    "out_ptr": "*i32",
}
CONSTANTS = {"N": 512, "BINS": 64}
