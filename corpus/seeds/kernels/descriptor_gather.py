"""Rows gathered and scattered through a descriptor, and a reduction into memory through another."""

import triton
import triton.language as tl


@triton.jit
def descriptor_gather(x_ptr, index_ptr, y_ptr, sum_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, shape=[M, N], strides=[N, 1], block_shape=[1, BLOCK_N])
    y = tl.make_tensor_descriptor(y_ptr, shape=[M, N], strides=[N, 1], block_shape=[1, BLOCK_N])
    total = tl.make_tensor_descriptor(sum_ptr, shape=[M, N], strides=[N, 1], block_shape=[BLOCK_M, BLOCK_N])
    index = tl.load(index_ptr + tl.arange(0, BLOCK_M))
    rows = x.gather(index, 0)
    y.scatter(rows * 2, index, 0)
    total.atomic_add([0, 0], rows)


KERNEL = descriptor_gather
SIGNATURE = {
    "x_ptr": "*fp16",
    "index_ptr": "*i32",
    "y_ptr": "*fp16",
    "sum_ptr": "*fp16",
    "M": "i32",
    "N": "i32",
}
CONSTANTS = {"BLOCK_M": 32, "BLOCK_N": 64}
NEEDS = "3.6.0"
UNTIL = "3.7.1"
TARGETS = ["cuda:100"]
