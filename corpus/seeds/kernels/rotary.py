"""Rotary embedding by splitting pairs apart and joining them again."""

import triton
import triton.language as tl


@triton.jit
def rotary(x_ptr, cos_ptr, sin_ptr, out_ptr, T: tl.constexpr, D: tl.constexpr):
    where = tl.arange(0, T)[:, None] * D + tl.arange(0, D)[None, :]
    half = tl.arange(0, T)[:, None] * (D // 2) + tl.arange(0, D // 2)[None, :]
    x = tl.load(x_ptr + where)
    cos = tl.load(cos_ptr + half)
    sin = tl.load(sin_ptr + half)
    even, odd = tl.split(tl.reshape(x, (T, D // 2, 2)))
    pairs = tl.join(even * cos - odd * sin, even * sin + odd * cos)
    tl.store(out_ptr + where, tl.reshape(pairs, (T, D)))
    tl.store(out_ptr + T * D + where, tl.interleave(even, odd))


KERNEL = rotary
SIGNATURE = {
    "x_ptr": "*fp32",
    "cos_ptr": "*fp32",
    "sin_ptr": "*fp32",
    "out_ptr": "*fp32",
}
CONSTANTS = {"T": 32, "D": 64}
