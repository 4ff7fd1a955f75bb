"""A matrix product through block pointers, which are advanced in the loop and checked at the borders."""

import triton
import triton.language as tl


@triton.jit
def matmul_block_pointer(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm,
                         BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M
    col = tl.program_id(1) * BLOCK_N
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, 1), (row, 0), (BLOCK_M, BLOCK_K), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, 1), (0, col), (BLOCK_K, BLOCK_N), (1, 0))
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, K, BLOCK_K):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1))
        acc = tl.dot(x, y, acc)
        a = tl.advance(a, (0, BLOCK_K))
        b = tl.advance(b, (BLOCK_K, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, 1), (row, col), (BLOCK_M, BLOCK_N), (1, 0))
    tl.store(c, acc.to(tl.float16), boundary_check=(0, 1))


KERNEL = matmul_block_pointer
SIGNATURE = {
    "a_ptr": "*fp16",
    "b_ptr": "*fp16",
    "c_ptr": "*fp16",
    "M": "i32",
    "N": "i32",
    "K": "i32",
    "stride_am": "i64",
    "stride_bk": "i64",
    "stride_cm": "i64",
}
CONSTANTS = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}
UNTIL = "3.7.1"
