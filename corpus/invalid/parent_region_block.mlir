// A region uses what is defined in a block around it that control need not have come through.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %only = arith.addi %n, %n : i32
    cf.br ^bb2
  ^bb2:
    scf.if %c {
      tt.store %p, %only : !tt.ptr<i32> // expected-error: operand #1 does not dominate this use: defined in a parent region, where it does not dominate
    }
    tt.return
  }
}
