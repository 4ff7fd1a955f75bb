"""The forward pass of causal attention with a running maximum and sum."""

import triton
import triton.language as tl


@triton.jit
def attention_forward(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, scale, length,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr):
    start = tl.program_id(0) * BLOCK_M
    base = tl.program_id(1).to(tl.int64) * length * HEAD
    rows = start + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, HEAD)
    q = tl.load(q_ptr + base + rows[:, None] * HEAD + dims[None, :], mask=rows[:, None] < length, other=0.0)
    largest = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD), dtype=tl.float32)
    scale *= 1.44269504
    for first in range(0, start + BLOCK_M, BLOCK_N):
        first = tl.multiple_of(first, BLOCK_N)
        cols = first + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + base + cols[None, :] * HEAD + dims[:, None], mask=cols[None, :] < length, other=0.0)
        scores = tl.dot(q, k) * scale
        scores = tl.where(rows[:, None] >= cols[None, :], scores, float("-inf"))
        new_largest = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - new_largest[:, None])
        shrink = tl.exp2(largest - new_largest)
        total = total * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + base + cols[:, None] * HEAD + dims[None, :], mask=cols[:, None] < length, other=0.0)
        acc = tl.dot(p.to(tl.float16), v, acc * shrink[:, None])
        largest = new_largest
    acc = acc / total[:, None]
    tl.store(lse_ptr + tl.program_id(1) * length + rows, largest + tl.log2(total), mask=rows < length)
    tl.store(o_ptr + base + rows[:, None] * HEAD + dims[None, :], acc.to(tl.float16), mask=rows[:, None] < length)


KERNEL = attention_forward
SIGNATURE = {
    "q_ptr": "*fp16",
    "k_ptr": "*fp16",
    "v_ptr": "*fp16",
    "o_ptr": "*fp16",
    "lse_ptr": "*fp32",
    "scale": "fp32",
    "length": "i32",
}
CONSTANTS = {"BLOCK_M": 128, "BLOCK_N": 64, "HEAD": 64}
