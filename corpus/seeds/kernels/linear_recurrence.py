"""An associative scan over pairs: the recurrence `h[i] = a[i] * h[i-1] + b[i]`."""

import triton
import triton.language as tl


@triton.jit
def combine(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def linear_recurrence(a_ptr, b_ptr, h_ptr, T: tl.constexpr, D: tl.constexpr):
    where = tl.arange(0, T)[:, None] * D + tl.arange(0, D)[None, :]
    a = tl.load(a_ptr + where)
    b = tl.load(b_ptr + where)
    _, h = tl.associative_scan((a, b), 0, combine)
    tl.store(h_ptr + where, h)


KERNEL = linear_recurrence
SIGNATURE = {
    "a_ptr": "*fp32",
    "b_ptr": "*fp32",
    "h_ptr": "*fp32",
}
CONSTANTS = {"T": 64, "D": 32}
