"""Functions from the vendor's mathematical library beside those that have an operation of their own."""

import triton
import triton.language as tl
from triton.language.extra import libdevice as lib


@triton.jit
def libdevice(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    a = lib.asin(x) + lib.pow(x, y) + lib.acosh(y)
    b = tl.sin(x) + tl.cos(x) + tl.exp(x) + tl.log(x) + tl.exp2(y) + tl.log2(y) + tl.erf(x) + tl.sqrt(y) + tl.rsqrt(y)
    c = tl.floor(x) + tl.ceil(y) + tl.abs(x) + tl.fma(x, y, a) + tl.div_rn(x, y) + tl.sqrt_rn(x)
    d = tl.clamp(x, 0.0, 1.0) + tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out_ptr + at, a + b + c + d)


KERNEL = libdevice
SIGNATURE = {
    "x_ptr": "*fp32",
    "y_ptr": "*fp32",
    "out_ptr": "*fp32",
}
CONSTANTS = {"BLOCK": 256}
TARGETS = ["cuda:80", "cuda:90", "cuda:100"]
