"""Dropout with counter-based random numbers, and normally distributed noise."""

import triton
import triton.language as tl


@triton.jit
def dropout(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    keep = tl.rand(seed, at) > p
    x = tl.where(keep, x / (1 - p), 0.0)
    tl.store(out_ptr + at, x + 0.1 * tl.randn(seed + 1, at), mask=at < n)


KERNEL = dropout
SIGNATURE = {
    "x_ptr": "*fp32",
    "out_ptr": "*fp32",
    "n": "i32",
    "p": "fp32",
    "seed": "i32",
}
CONSTANTS = {"BLOCK": 256}
