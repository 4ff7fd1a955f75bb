"""A matrix product whose sizes are multiples of the block sizes, so that no load is masked."""

import triton
import triton.language as tl


@triton.jit
def matmul_even(a_ptr, b_ptr, c_ptr, N, K,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a = a_ptr + rows[:, None] * K + inner[None, :]
    b = b_ptr + inner[:, None] * N + cols[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, K, BLOCK_K):
        acc += tl.dot(tl.load(a), tl.load(b))
        a += BLOCK_K
        b += BLOCK_K * N
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc.to(tl.bfloat16))


KERNEL = matmul_even
SIGNATURE = {
    "a_ptr": "*bf16",
    "b_ptr": "*bf16",
    "c_ptr": "*bf16",
    "N": "i32",
    "K": "i32",
}
CONSTANTS = {"BLOCK_M": 64, "BLOCK_N": 128, "BLOCK_K": 32}
