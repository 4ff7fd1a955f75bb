//! The patterns, one file each. A pattern is a method of the smith that makes a piece of code at the place at work, out of
//! what is visible there, and leaves its results visible.

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
