//! The transformations that make a module smaller.
