"""Two blocks put one behind the other in any order, and a scalar pointer read and written."""

import triton
import triton.language as tl


@triton.jit
def concatenate(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    at = tl.arange(0, N)
    both = tl.cat(tl.load(x_ptr + at), tl.load(y_ptr + at), can_reorder=True)
    tl.store(out_ptr + tl.arange(0, 2 * N), both * tl.load(x_ptr))


KERNEL = concatenate
SIGNATURE = {
    "x_ptr": "*fp32",
    "y_ptr": "*fp32",
    "out_ptr": "*fp32",
}
CONSTANTS = {"N": 128}
