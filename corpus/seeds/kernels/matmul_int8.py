"""A product of 8-bit integers, scaled by a float for each row and column at the end."""

import triton
import triton.language as tl


@triton.jit
def matmul_int8(a_ptr, b_ptr, c_ptr, row_scale_ptr, col_scale_ptr, N, K,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.int32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * K + (k + inner)[None, :])
        b = tl.load(b_ptr + (k + inner)[:, None] * N + cols[None, :])
        acc = tl.dot(a, b, acc, out_dtype=tl.int32)
    scale = tl.load(row_scale_ptr + rows)[:, None] * tl.load(col_scale_ptr + cols)[None, :]
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(tl.float32) * scale)


KERNEL = matmul_int8
SIGNATURE = {
    "a_ptr": "*i8",
    "b_ptr": "*i8",
    "c_ptr": "*fp32",
    "row_scale_ptr": "*fp32",
    "col_scale_ptr": "*fp32",
    "N": "i32",
    "K": "i32",
}
CONSTANTS = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64}
