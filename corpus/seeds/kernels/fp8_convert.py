"""Conversions between float formats with both rounding modes, to integers and back, and reinterpretations of bits."""

import triton
import triton.language as tl


@triton.jit
def fp8_convert(x_ptr, e5_ptr, half_ptr, bits_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    e5 = x.to(tl.float8e5)
    tl.store(e5_ptr + at, e5)
    tl.store(half_ptr + at, x.to(tl.bfloat16, fp_downcast_rounding="rtz").to(tl.float32).to(tl.float16))
    bits = x.to(tl.uint32, bitcast=True)
    tl.store(bits_ptr + at, bits >> 3)
    whole = x.to(tl.int32)
    back = whole.to(tl.float32) + (bits & 255).to(tl.float32) + e5.to(tl.float32)
    tl.store(out_ptr + at, back.to(tl.int64).to(tl.float64).to(tl.float32))


KERNEL = fp8_convert
SIGNATURE = {
    "x_ptr": "*fp32",
    "e5_ptr": "*fp8e5",
    "half_ptr": "*fp16",
    "bits_ptr": "*u32",
    "out_ptr": "*fp32",
}
CONSTANTS = {"BLOCK": 256}
