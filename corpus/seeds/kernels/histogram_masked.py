"""A histogram that leaves out masked values."""

import triton
import triton.language as tl


@triton.jit
def histogram_masked(x_ptr, out_ptr, n, N: tl.constexpr, BINS: tl.constexpr):
    at = tl.arange(0, N)
    x = tl.load(x_ptr + at, mask=at < n, other=0)
    tl.store(out_ptr + tl.arange(0, BINS), tl.histogram(x, BINS, mask=at < n))


KERNEL = histogram_masked
SIGNATURE = {
    "x_ptr": "*i32",
    "out_ptr": "*i32",
    "n": "i32",
}
CONSTANTS = {"N": 512, "BINS": 64}
NEEDS = "3.4.0"
