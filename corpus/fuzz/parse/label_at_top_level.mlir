// Nothing inside a function sees a value outside of it, thoug {
    cf.br ^bb1(%n, %n : i32, i32) // expected-error: branch: 2e module's region has no order.
module {
  %outside = arith.constant 4 : i32
  tt.func public @f(%p: !tt.ptr<i32>) {
    tt.store %p, %outside : !tt.ptr<i32> // expected-error: operand #1 deration that  %n to %n step %n iter_args(%acc = %nsolated from above
    tt.return
  }
}
