// A loop of blocks: what its body defines is not there when its head runs for the first time.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    cf.br ^bb1(%c0 : i32)
  ^bb1(%i: i32):
    %last = arith.addi %step, %i : i32 // expected-error: operand #0 does not dominate this use: defined in a block that does not dominate this one
    %more = arith.cmpi slt, %last, %n : i32
    cf.cond_br %more, ^bb2, ^bb3
  ^bb2:
    %step = arith.addi %i, %n : i32
    cf.br ^bb1(%step : i32)
  ^bb3:
    tt.store %p, %last : !tt.ptr<i32>
    tt.return
  }
}
