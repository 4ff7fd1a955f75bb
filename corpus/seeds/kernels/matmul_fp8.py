"""A product of 8-bit floats with a bounded number of imprecise accumulations, and one in TF32 beside it."""

import triton
import triton.language as tl


@triton.jit
def matmul_fp8(a_ptr, b_ptr, u_ptr, v_ptr, c_ptr, K,
               BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * K + (k + inner)[None, :])
        b = tl.load(b_ptr + (k + inner)[:, None] + cols[None, :] * K)
        acc = tl.dot(a, b, acc, max_num_imprecise_acc=32)
    u = tl.load(u_ptr + rows[:, None] * BLOCK_K + inner[None, :])
    v = tl.load(v_ptr + inner[:, None] * BLOCK_N + cols[None, :])
    acc += tl.dot(u, v, input_precision="tf32x3")
    acc = tl.dot(u, v, acc, input_precision="ieee")
    tl.store(c_ptr + rows[:, None] * BLOCK_N + cols[None, :], acc)


KERNEL = matmul_fp8
SIGNATURE = {
    "a_ptr": "*fp8e5",
    "b_ptr": "*fp8e5",
    "u_ptr": "*fp32",
    "v_ptr": "*fp32",
    "c_ptr": "*fp32",
    "K": "i32",
}
CONSTANTS = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64}
