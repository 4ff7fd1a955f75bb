"""Microscaled products: FP8 by FP4 with a scale for every 32 values, and one with a scale on one side only."""

import triton
import triton.language as tl


@triton.jit
def matmul_scaled(a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, h_ptr, c_ptr,
                  M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.arange(0, M)
    cols = tl.arange(0, N)
    a = tl.load(a_ptr + rows[:, None] * K + tl.arange(0, K)[None, :])
    b = tl.load(b_ptr + tl.arange(0, K // 2)[:, None] * N + cols[None, :])
    groups = tl.arange(0, K // 32)[None, :]
    a_scale = tl.load(a_scale_ptr + rows[:, None] * (K // 32) + groups)
    b_scale = tl.load(b_scale_ptr + cols[:, None] * (K // 32) + groups)
    acc = tl.dot_scaled(a, a_scale, "e5m2", b, b_scale, "e2m1")
    h = tl.load(h_ptr + rows[:, None] * K + tl.arange(0, K)[None, :])
    acc = tl.dot_scaled(h, None, "bf16", b, b_scale, "e2m1", acc)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc)


KERNEL = matmul_scaled
SIGNATURE = {
    "a_ptr": "*fp8e5",
    "a_scale_ptr": "*u8",
    "b_ptr": "*u8",
    "b_scale_ptr": "*u8",
    "h_ptr": "*bf16",
    "c_ptr": "*fp32",
}
CONSTANTS = {"M": 128, "N": 128, "K": 128}
NEEDS = "3.6.0"
