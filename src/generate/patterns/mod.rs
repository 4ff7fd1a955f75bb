//! The patterns, one file each. A pattern is a method of the generator that emits code at the insertion point from visible
//! values, and makes its results visible.

mod atomic;
mod call;
mod control;
mod descriptor;
mod gather;
mod looping;
mod mask_reuse;
mod matmul;
mod reshape;
mod softmax_carry;
