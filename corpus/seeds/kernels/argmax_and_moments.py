"""Reductions of tuples: the place of the largest value, the smallest one, and Welford's mean and variance."""

import triton
import triton.language as tl


@triton.jit
def merge(mean_a, m2_a, weight_a, mean_b, m2_b, weight_b):
    delta = mean_b - mean_a
    weight = weight_a + weight_b
    share = tl.where(weight == 0.0, 0.0, weight_b / weight)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * weight_a * share, weight


@triton.jit
def argmax_and_moments(x_ptr, place_ptr, least_ptr, moments_ptr, n, M: tl.constexpr, N: tl.constexpr):
    rows = tl.arange(0, M)
    cols = tl.arange(0, N)
    mask = cols[None, :] < n
    x = tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=mask, other=0.0)
    value, place = tl.max(x, axis=1, return_indices=True)
    tl.store(place_ptr + rows, place)
    tl.store(least_ptr + rows, tl.argmin(x, axis=1, tie_break_left=False))
    zeros = tl.zeros((M, N), dtype=tl.float32)
    mean, m2, weight = tl.reduce((x, zeros, mask.to(tl.float32) + zeros), 1, merge)
    tl.store(moments_ptr + rows * 3, mean)
    tl.store(moments_ptr + rows * 3 + 1, m2 / weight)
    tl.store(moments_ptr + rows * 3 + 2, value)


KERNEL = argmax_and_moments
SIGNATURE = {
    "x_ptr": "*fp32",
    "place_ptr": "*i32",
    "least_ptr": "*i32",
    "moments_ptr": "*fp32",
    "n": "i32",
}
CONSTANTS = {"M": 16, "N": 128}
