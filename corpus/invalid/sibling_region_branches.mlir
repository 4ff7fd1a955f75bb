// The two regions of a branch do not see each other.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
    %r = scf.if %c -> (i32) {
      %then = arith.addi %n, %n : i32
      scf.yield %then : i32
    } else {
      %else = arith.subi %then, %n : i32 // expected-error: operand #0 does not dominate this use: defined in a region that is neither around nor inside this one
      scf.yield %else : i32
    }
    tt.store %p, %r : !tt.ptr<i32>
    tt.return
  }
}
