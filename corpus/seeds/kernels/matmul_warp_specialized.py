"""A persistent matrix product whose loop asks for warp specialisation."""

import triton
import triton.language as tl


@triton.jit
def matmul_warp_specialized(a_ptr, b_ptr, c_ptr, M, N, K, PROGRAMS: tl.constexpr,
                            BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BLOCK_M, BLOCK_K])
    b = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BLOCK_N, BLOCK_K])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BLOCK_M, BLOCK_N])
    tiles_n = tl.cdiv(N, BLOCK_N)
    tiles = tl.cdiv(M, BLOCK_M) * tiles_n
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=True, warp_specialize=True):
        row = (tile // tiles_n) * BLOCK_M
        col = (tile % tiles_n) * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for k in range(0, K, BLOCK_K):
            acc = tl.dot(a.load([row, k]), b.load([col, k]).T, acc)
        c.store([row, col], acc.to(tl.float16))


KERNEL = matmul_warp_specialized
SIGNATURE = {
    "a_ptr": "*fp16",
    "b_ptr": "*fp16",
    "c_ptr": "*fp16",
    "M": "i32",
    "N": "i32",
    "K": "i32",
}
CONSTANTS = {"PROGRAMS": 148, "BLOCK_M": 128, "BLOCK_N": 128, "BLOCK_K": 64}
NEEDS = "3.6.0"
UNTIL = "3.7.1"
TARGETS = ["cuda:100"]
