"""A bitonic sort of rows, both ways, and their exclusive or."""

import triton
import triton.language as tl


@triton.jit
def sort_rows(x_ptr, up_ptr, down_ptr, mix_ptr, M: tl.constexpr, N: tl.constexpr):
    rows = tl.arange(0, M)
    where = rows[:, None] * N + tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + where)
    tl.store(up_ptr + where, tl.sort(x))
    tl.store(down_ptr + where, tl.sort(x, descending=True))
    tl.store(mix_ptr + rows, tl.xor_sum(x, axis=1))


KERNEL = sort_rows
SIGNATURE = {
    "x_ptr": "*i32",
    "up_ptr": "*i32",
    "down_ptr": "*i32",
    "mix_ptr": "*i32",
}
CONSTANTS = {"M": 4, "N": 16}
