"""Layer normalisation of rows that are longer than a block: three loops over a row."""

import triton
import triton.language as tl


@triton.jit
def layer_norm(x_ptr, y_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * N
    y_ptr += row * N
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + cols, mask=cols < N, other=0.0, eviction_policy="evict_last").to(tl.float32)
    mean = tl.sum(total, axis=0) / N
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.0)
        squares += x * x
    rstd = tl.rsqrt(tl.sum(squares, axis=0) / N + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = cols < N
        w = tl.load(weight_ptr + cols, mask=mask)
        b = tl.load(bias_ptr + cols, mask=mask)
        x = tl.load(x_ptr + cols, mask=mask, other=0.0, cache_modifier=".cg").to(tl.float32)
        tl.store(y_ptr + cols, (x - mean) * rstd * w + b, mask=mask)


KERNEL = layer_norm
SIGNATURE = {
    "x_ptr": "*fp16",
    "y_ptr": "*fp16",
    "weight_ptr": "*fp32",
    "bias_ptr": "*fp32",
    "mean_ptr": "*fp32",
    "rstd_ptr": "*fp32",
    "N": "i32",
    "eps": "fp32",
}
CONSTANTS = {"BLOCK": 1024}
UNTIL = "3.8.0"
