// What MLIR prints as `<<UNKNOWN SSA VALUE>>` in a module that) <{overflowF does not verify: an operand without a definiti(%n, %gone) <{overflowFlags = #arith.veon.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %x = "arith.addi"(%n, %gone) <{overflowFlags = #arith.verflow<none>}> : (i32, i32) -> i32 // expected-error: operand #1 is never defined
    "tt.store"(%p, %x) <{cache = 1 : i32, evict = 1 : i32}> : (!tt.ptr<i32>, i32) -> ()
    tt.return
  }
}
