"""A stencil over neighbours with a loop unrolled by the front end, and addresses from integers."""

import triton
import triton.language as tl


@triton.jit
def unrolled_stencil(x_ptr, table_ptr, out_ptr, n, BLOCK: tl.constexpr, RADIUS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    weights = tl.load(table_ptr).to(tl.pointer_type(tl.float32))
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in tl.static_range(-RADIUS, RADIUS + 1):
        near = at + i
        x = tl.load(x_ptr + near, mask=(near >= 0) & (near < n), other=0.0)
        acc += x * tl.load(weights + i + RADIUS)
    tl.store(out_ptr + at, acc, mask=at < n)
    if tl.program_id(0) == tl.num_programs(0) - 1:
        tl.store(table_ptr + 1, (out_ptr + n).to(tl.int64))


KERNEL = unrolled_stencil
SIGNATURE = {
    "x_ptr": "*fp32",
    "table_ptr": "*i64",
    "out_ptr": "*fp32",
    "n": "i32",
}
CONSTANTS = {"BLOCK": 256, "RADIUS": 2}
