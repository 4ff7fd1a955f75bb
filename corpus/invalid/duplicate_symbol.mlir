// Two functions of one name.
module {
  tt.func private @twice(%n: i32) -> i32 {
    tt.return %n : i32
  }
  tt.func private @twice(%n: i32) -> i32 { // expected-error: the symbol `@twice` is defined twice
    %x = arith.addi %n, %n : i32
    tt.return %x : i32
  }
}
