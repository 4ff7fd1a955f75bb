// The region that defines the value begins only behind the use.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
    tt.store %p, %inner : !tt.ptr<i32> // expected-error: operand #1 does not dominate this use: defined in a child region
    scf.if %c {
      %inner = arith.addi %n, %n : i32
      tt.store %p, %inner : !tt.ptr<i32>
    }
    tt.return
  }
}
