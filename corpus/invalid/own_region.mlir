// A loop's result is not there yet inside the loop: what is carried is the argument.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (i32)  : i32 {
      %next = arith.addi %sum, %i : i32 // expected-error: operand #0 does not dominate this use: a result of the operation around it
      scf.yield %next : i32
    }
    tt.store %p, %sum : !tt.ptr<i32>
    tt.return
  }
}
