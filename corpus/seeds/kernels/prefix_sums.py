"""Running sums and products along both axes, forwards and backwards."""

import triton
import triton.language as tl


@triton.jit
def prefix_sums(x_ptr, sum_ptr, product_ptr, back_ptr, M: tl.constexpr, N: tl.constexpr):
    where = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + where)
    tl.store(sum_ptr + where, tl.cumsum(x, axis=1))
    tl.store(product_ptr + where, tl.cumprod(x, axis=0))
    tl.store(back_ptr + where, tl.cumsum(x, axis=0, reverse=True))


KERNEL = prefix_sums
SIGNATURE = {
    "x_ptr": "*fp32",
    "sum_ptr": "*fp32",
    "product_ptr": "*fp32",
    "back_ptr": "*fp32",
}
CONSTANTS = {"M": 32, "N": 64}
