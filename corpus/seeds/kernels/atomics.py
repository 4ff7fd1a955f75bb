"""Atomic additions, maxima and exchanges with different orders and scopes, and a spin lock on a compare-and-swap."""

import triton
import triton.language as tl


@triton.jit
def atomics(x_ptr, sum_ptr, most_ptr, flag_ptr, lock_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.atomic_add(sum_ptr + at % 16, x, mask=at < n, sem="relaxed")
    tl.atomic_max(most_ptr, tl.max(x, axis=0))
    bits = (x > 0).to(tl.int32)
    tl.atomic_or(flag_ptr + at % 4, bits, scope="cta")
    tl.atomic_xor(flag_ptr + 4 + at % 4, bits, sem="release")
    tl.atomic_min(flag_ptr + 8 + at % 4, bits, sem="acquire", scope="sys")
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    count = tl.load(lock_ptr + 1, volatile=True)
    tl.store(lock_ptr + 1, count + 1)
    tl.atomic_xchg(lock_ptr, 0)


KERNEL = atomics
SIGNATURE = {
    "x_ptr": "*fp32",
    "sum_ptr": "*fp32",
    "most_ptr": "*fp32",
    "flag_ptr": "*i32",
    "lock_ptr": "*i32",
    "n": "i32",
}
CONSTANTS = {"BLOCK": 256}
