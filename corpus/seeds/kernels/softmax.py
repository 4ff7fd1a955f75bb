"""A softmax over rows that fit in a block."""

import triton
import triton.language as tl


@triton.jit
def softmax(out_ptr, in_ptr, row_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(in_ptr + row * row_stride + cols, mask=cols < n_cols, other=-float("inf"))
    x = x - tl.max(x, axis=0)
    top = tl.exp(x)
    tl.store(out_ptr + row * row_stride + cols, top / tl.sum(top, axis=0), mask=cols < n_cols)


KERNEL = softmax
SIGNATURE = {
    "out_ptr": "*fp32",
    "in_ptr": "*fp32",
    "row_stride": "i32",
    "n_cols": "i32",
}
CONSTANTS = {"BLOCK": 1024}
