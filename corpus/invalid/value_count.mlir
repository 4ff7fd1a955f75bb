// As many values as their destination takes: branches, carried values, returns.
module {
  tt.func public @f(%n: i32) -> i32 {
    cf.br ^bb1(%n, %n : i32, i32) // expected-error: destOperands to dest: 2 values where 1 are taken
  ^bb1(%x: i32):
    %sum = scf.for %i = %n to %n step %n iter_args(%acc = %n) -> (i32)  : i32 {
      "scf.yield"() : () -> () // expected-error: operands to region: 0 values where 1 are taken
    }
    "tt.return"() : () -> () // expected-error: return: 0 values where 1 are taken
  }
}
