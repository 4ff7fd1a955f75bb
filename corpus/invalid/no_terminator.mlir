// Blocks that do not end: a function that forgets to return, and a block without an operation.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    tt.store %p, %n : !tt.ptr<i32> // expected-error: the last operation of the block is not a terminator
  }
  tt.func public @g(%n: i32) { // expected-error: an empty block needs at least a terminator
    cf.br ^bb1
  ^bb1:
  }
}
