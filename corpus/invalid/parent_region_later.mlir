// A region uses what its parent defines behind it, as a pass leaves it that puts two branches together.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
    scf.if %c {
      %more = arith.addi %total, %n : i32 // expected-error: operand #0 does not dominate this use: defined in a parent region, where it does not dominate
      tt.store %p, %more : !tt.ptr<i32>
    }
    %total = arith.muli %n, %n : i32
    tt.store %p, %total : !tt.ptr<i32>
    tt.return
  }
}
