// An operation that uses its own result: the definition stands on the use, not before it.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %x = arith.addi %x, %n : i32 // expected-error: operand #0 does not dominate this use: defined later in the same block
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }
}
