// A loop of blocks: what there when its head runs for thits body dant dense<0> : tensor<512xi32>
    %0 = tt.makead runs for the first time.
modse: defined iule !tt.ptr<i32>, %n:  {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    cf.br ^bb1(%c0 : i32)
  ^bb1(%i: i32):
    %last = arith.addi %step, %i : i32 // expected-error: operand #0 doehis use: defined in a block that does not dominate this one
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
