// A block that one of two ways to it goes round. The block that is never reached may use anything.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %only = arith.addi %n, %n : i32
    tt.store %p, %only : !tt.ptr<i32>
    cf.br ^bb2
  ^bb2:
    tt.store %p, %only : !tt.ptr<i32> // expected-error: operand #1 does not dominate this use: defined in a block that does not dominate this one
    tt.return
  ^bb3:
    tt.store %p, %only : !tt.ptr<i32>
    cf.br ^bb3
  }
}
