"""Branches in branches that hand out scalars and blocks, inside a loop."""

import triton
import triton.language as tl


@triton.jit
def nested_branches(x_ptr, out_ptr, n, mode, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    scale = 1.0
    for i in range(0, n):
        x = tl.load(x_ptr + i * BLOCK + at)
        if mode == 0:
            acc += x
        elif mode < 3:
            if i % 2 == 0:
                acc = tl.maximum(acc, x)
                scale = scale * 0.5
            else:
                acc = acc - x
        else:
            scale = tl.sum(x, axis=0)
    if scale > 8.0:
        acc = acc / scale
    tl.store(out_ptr + at, acc)


KERNEL = nested_branches
SIGNATURE = {
    "x_ptr": "*fp32",
    "out_ptr": "*fp32",
    "n": "i32",
    "mode": "i32",
}
CONSTANTS = {"BLOCK": 128}
