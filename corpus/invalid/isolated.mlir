// Nothing inside a function sees a value outside of it, though the module's region has no order.
module {
  %outside = arith.constant 4 : i32
  tt.func public @f(%p: !tt.ptr<i32>) {
    tt.store %p, %outside : !tt.ptr<i32> // expected-error: operand #1 does not dominate this use: defined outside an operation that is isolated from above
    tt.return
  }
}
