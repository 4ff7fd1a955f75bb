"""Printing of scalars and blocks, of a bare message, and assertions on the device."""

import triton
import triton.language as tl


@triton.jit
def print_and_assert(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    tl.device_print("start")
    tl.device_print("values", x, at, hex=True)
    tl.device_print("count", n)
    tl.device_assert(x >= 0, "a value is negative")
    tl.device_assert(n > 0, "nothing to do")
    tl.store(out_ptr + at, x)


KERNEL = print_and_assert
SIGNATURE = {
    "x_ptr": "*i32",
    "out_ptr": "*i32",
    "n": "i32",
}
CONSTANTS = {"BLOCK": 128}
OPTIONS = {"debug": True}
