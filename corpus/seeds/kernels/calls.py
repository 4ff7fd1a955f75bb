"""Device functions that are not inlined, with several results, with none, and one that calls another."""

import triton
import triton.language as tl


@triton.jit(noinline=True)
def square_and_cube(x):
    return x * x, x * x * x


@triton.jit(noinline=True)
def record(out_ptr, value):
    tl.store(out_ptr, value)


@triton.jit(noinline=True)
def norm(x, y, n):
    a, _ = square_and_cube(x)
    b, _ = square_and_cube(y)
    return tl.sqrt(a + b) / n


@triton.jit
def calls(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    _, cube = square_and_cube(tl.sum(x, axis=0))
    tl.store(out_ptr + at, x * norm(tl.max(x, axis=0), tl.max(y, axis=0), n.to(tl.float32)))
    record(out_ptr + n, cube)


KERNEL = calls
SIGNATURE = {
    "x_ptr": "*fp32",
    "y_ptr": "*fp32",
    "out_ptr": "*fp32",
    "n": "i32",
}
CONSTANTS = {"BLOCK": 256}
