"""Newton's method in a while loop that carries a block, a scalar and a counter; a second loop inside it."""

import triton
import triton.language as tl


@triton.jit
def newton_while(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=1.0)
    guess = x
    error = 1.0
    step = 0
    while (error > 1e-6) & (step < 50):
        better = 0.5 * (guess + x / guess)
        error = tl.max(tl.abs(better - guess), axis=0)
        guess = better
        bound = step
        while bound > 3:
            bound = bound // 2
        step += 1 + bound * 0
    tl.store(out_ptr + at, guess, mask=at < n)


KERNEL = newton_while
SIGNATURE = {
    "x_ptr": "*fp32",
    "out_ptr": "*fp32",
    "n": "i32",
}
CONSTANTS = {"BLOCK": 128}
