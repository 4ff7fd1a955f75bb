// A use that stands before its definition in the same block.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %sum = arith.addi %n, %late : i32 // expected-error: operand #1 does not dominate this use: defined later in the same block
    %late = arith.muli %n, %n : i32
    tt.store %p, %sum : !tt.ptr<i32>
    tt.return
  }
}
