// A use that spells another type than its value has.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %x = "arith.addi"(%n, %n) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "tt.store"(%p, %x) <{cache = 1 : i32, evict = 1 : i32}> : (!tt.ptr<i64>, i32) -> () // expected-error: operand #0 is written with another type than it was defined with
    tt.return
  }
}
