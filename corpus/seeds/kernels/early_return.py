"""Programs that leave early, in the kernel and in a helper, so that the body has several blocks."""

import triton
import triton.language as tl


@triton.jit
def pick(x, mode):
    if mode == 1:
        return x + 1.0
    return x * 2.0


@triton.jit
def early_return(x_ptr, out_ptr, n, mode, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    at = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    if mode > 4:
        tl.store(out_ptr + at, x, mask=at < n)
        return
    for i in range(0, mode):
        x = x + i
    tl.store(out_ptr + at, x * pick(tl.max(x, axis=0), mode), mask=at < n)


KERNEL = early_return
SIGNATURE = {
    "x_ptr": "*fp32",
    "out_ptr": "*fp32",
    "n": "i32",
    "mode": "i32",
}
CONSTANTS = {"BLOCK": 128}
