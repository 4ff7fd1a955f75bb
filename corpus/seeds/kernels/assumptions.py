"""Facts that the kernel tells the compiler: assumed comparisons, multiples and contiguity."""

import triton
import triton.language as tl


@triton.jit
def assumptions(x_ptr, out_ptr, n, stride, BLOCK: tl.constexpr):
    tl.assume(n > 0)
    tl.assume(stride % 8 == 0)
    pid = tl.program_id(0)
    tl.assume(pid >= 0)
    at = tl.max_contiguous(tl.multiple_of(pid * BLOCK + tl.arange(0, BLOCK), BLOCK), BLOCK)
    x = tl.load(x_ptr + at * stride, mask=at < n, other=0.0)
    tl.store(out_ptr + at, x * 2.0, mask=at < n)


KERNEL = assumptions
SIGNATURE = {
    "x_ptr": "*fp32",
    "out_ptr": "*fp32",
    "n": "i32",
    "stride": "i32",
}
CONSTANTS = {"BLOCK": 1024}
