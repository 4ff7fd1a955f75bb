"""A product of three-dimensional blocks."""

import triton
import triton.language as tl


@triton.jit
def batched_matmul(a_ptr, b_ptr, c_ptr,
                   B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    batch = tl.arange(0, B)[:, None, None]
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a = tl.load(a_ptr + batch * (M * K) + m[None, :, None] * K + k[None, None, :])
    b = tl.load(b_ptr + batch * (K * N) + k[None, :, None] * N + n[None, None, :])
    c = tl.dot(a, b)
    tl.store(c_ptr + batch * (M * N) + m[None, :, None] * N + n[None, None, :], c)


KERNEL = batched_matmul
SIGNATURE = {
    "a_ptr": "*fp16",
    "b_ptr": "*fp16",
    "c_ptr": "*fp32",
}
CONSTANTS = {"B": 2, "M": 64, "N": 64, "K": 32}
