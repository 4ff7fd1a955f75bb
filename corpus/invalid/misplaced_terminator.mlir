// A return and a branch in the middle of their blocks.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    tt.return // expected-error: a terminator must be the last operation of its block
    tt.store %p, %n : !tt.ptr<i32>
    tt.return
  }
  tt.func public @g(%p: !tt.ptr<i32>, %n: i32) {
    cf.br ^bb1 // expected-error: a terminator must be the last operation of its block
    tt.store %p, %n : !tt.ptr<i32>
    tt.return
  ^bb1:
    tt.return
  }
}
