"""Transposition, permutation of three axes, and views that may or may not keep the order of elements."""

import triton
import triton.language as tl


@triton.jit
def transpose_permute(x_ptr, y_ptr, z_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    flat = tl.arange(0, A * B * C)
    x = tl.load(x_ptr + flat)
    cube = tl.reshape(x, (A, B, C))
    turned = tl.permute(cube, (2, 0, 1))
    tl.store(y_ptr + flat, tl.reshape(turned, (A * B * C,)))
    square = tl.reshape(x, (A * B, C), can_reorder=True)
    rows = tl.arange(0, C)[:, None] * (A * B) + tl.arange(0, A * B)[None, :]
    tl.store(z_ptr + rows, tl.trans(square))
    tl.store(z_ptr + A * B * C + tl.arange(0, A * B * C), tl.ravel(square))


KERNEL = transpose_permute
SIGNATURE = {
    "x_ptr": "*fp16",
    "y_ptr": "*fp16",
    "z_ptr": "*fp16",
}
CONSTANTS = {"A": 4, "B": 16, "C": 32}
