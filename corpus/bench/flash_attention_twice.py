"""Attention that computes its scores twice: once for the row maxima alone, once more to write the weights with the final
maximum to a workspace, where the backward pass finds them; a third loop reads them back, so that the accumulator is
never rescaled. Everything is in it that production kernels have: sequences of different lengths packed into one
tensor, several query heads for one key head, a soft cap on the scores, ALiBi slopes, a causal mask, a sliding window and
dropout. The row sum of the weights is used twice after its loop, by the division and by the logarithm, and that is what
Triton up to 3.8.0 asserts against in tritongpu-optimize-thread-locality.

`scripts/make-seeds` knows how to compile it; the module beside this file is what 3.6.0 made of it for cuda:80.
"""

import triton
import triton.language as tl


@triton.jit
def scores_of(q, k_ptr, cols, dims, rows, stop, slope, scale, cap, window, HEAD: tl.constexpr):
    k = tl.load(k_ptr + cols[None, :] * HEAD + dims[:, None], mask=cols[None, :] < stop, other=0.0)
    scores = tl.dot(q, k) * scale
    grown = tl.exp2(scores * 2.885390 / cap)
    scores = cap * (grown - 1.0) / (grown + 1.0)
    scores += slope * (cols[None, :] - rows[:, None]).to(tl.float32)
    seen = (rows[:, None] >= cols[None, :]) & (rows[:, None] - cols[None, :] < window) & (cols[None, :] < stop)
    return tl.where(seen, scores * 1.44269504, float("-inf"))


@triton.jit
def flash_attention_twice(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, weights_ptr, slopes, starts, scale, cap, window, keep, seed, heads,
                          BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr, GROUP: tl.constexpr):
    head = tl.program_id(1)
    batch = tl.program_id(2)
    start = tl.load(starts + batch)
    stop = tl.load(starts + batch + 1) - start
    first_row = tl.program_id(0) * BLOCK_M
    if first_row >= stop:
        return
    slope = tl.load(slopes + head)
    rows = first_row + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, HEAD)
    base = (start * heads + head * stop).to(tl.int64) * HEAD
    shared = (start * heads + (head // GROUP) * stop).to(tl.int64) * HEAD
    q = tl.load(q_ptr + base + rows[:, None] * HEAD + dims[None, :], mask=rows[:, None] < stop, other=0.0)
    low = tl.maximum(first_row - window, 0) // BLOCK_N * BLOCK_N
    high = tl.minimum(first_row + BLOCK_M, stop)

    largest = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    for first in range(low, high, BLOCK_N):
        first = tl.multiple_of(first, BLOCK_N)
        cols = first + tl.arange(0, BLOCK_N)
        scores = scores_of(q, k_ptr + shared, cols, dims, rows, stop, slope, scale, cap, window, HEAD)
        largest = tl.maximum(largest, tl.max(scores, 1))

    weights = weights_ptr + (head * stop + rows[:, None]).to(tl.int64) * stop
    for first in range(low, high, BLOCK_N):
        first = tl.multiple_of(first, BLOCK_N)
        cols = first + tl.arange(0, BLOCK_N)
        scores = scores_of(q, k_ptr + shared, cols, dims, rows, stop, slope, scale, cap, window, HEAD)
        p = tl.exp2(scores - largest[:, None])
        tl.store(weights + cols[None, :], p, mask=(rows[:, None] < stop) & (cols[None, :] < stop))

    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD), dtype=tl.float32)
    for first in range(low, high, BLOCK_N):
        cols = first + tl.arange(0, BLOCK_N)
        p = tl.load(weights + cols[None, :], mask=(rows[:, None] < stop) & (cols[None, :] < stop), other=0.0)
        total += tl.sum(p, 1)
        place = (head * stop + rows[:, None]) * stop + cols[None, :]
        p = tl.where(tl.rand(seed, place) < keep, p / keep, 0.0)
        v = tl.load(v_ptr + shared + cols[:, None] * HEAD + dims[None, :], mask=cols[:, None] < stop, other=0.0)
        acc = tl.dot(p.to(tl.float16), v, acc)

    acc = acc / total[:, None]
    lse_place = lse_ptr + (start * heads + head * stop) + rows
    tl.store(lse_place, largest + tl.log2(total), mask=rows < stop)
    tl.store(o_ptr + base + rows[:, None] * HEAD + dims[None, :], acc.to(tl.float16), mask=rows[:, None] < stop)


KERNEL = flash_attention_twice
SIGNATURE = {
    "q_ptr": "*fp16", "k_ptr": "*fp16", "v_ptr": "*fp16", "o_ptr": "*fp16", "lse_ptr": "*fp32",
    "weights_ptr": "*fp32", "slopes": "*fp32", "starts": "*i32", "scale": "fp32", "cap": "fp32", "window": "i32", "keep": "fp32", "seed": "i32", "heads": "i32",
}
CONSTANTS = {"BLOCK_M": 128, "BLOCK_N": 64, "HEAD": 64, "GROUP": 4}
