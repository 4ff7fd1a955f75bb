// A call of a function that a pass has removed.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %x = tt.call @inlined_and_gone(%n) : (i32) -> i32 // expected-error: there is no function `@inlined_and_gone`
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }
}
