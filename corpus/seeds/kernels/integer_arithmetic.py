"""Signed and unsigned division, remainders, shifts, high halves of products, and comparisons of every kind."""

import triton
import triton.language as tl


@triton.jit
def integer_arithmetic(x_ptr, u_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    u = tl.load(u_ptr + at)
    a = x // 7 + x % 7 + (x >> 2) + (x << 1) + (x ^ n) + (x | 3) + ~x
    b = u // 7 + u % 7 + (u >> 2) + tl.umulhi(u, u + 1)
    c = tl.where((x < n) & (u <= 9), -x, tl.maximum(x, n)) + tl.where((x != 3) | (u > 5), 1, tl.minimum(x, 2))
    d = (a.to(tl.int16) * 3).to(tl.int64) + tl.cdiv(n, 3) + (x == n).to(tl.int8)
    tl.store(out_ptr + at, d + b.to(tl.int64) + c)


KERNEL = integer_arithmetic
SIGNATURE = {
    "x_ptr": "*i32",
    "u_ptr": "*u32",
    "out_ptr": "*i64",
    "n": "i32",
}
CONSTANTS = {"BLOCK": 128}
