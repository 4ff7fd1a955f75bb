// The entry block of a region has no predecessor.
module {
  "tt.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "public"}> ({
  ^bb0:
    "cf.br"()[^bb1] : () -> ()
  ^bb1:
    "cf.br"()[^bb0] : () -> () // expected-error: branches to the entry block of the region
  }) : () -> ()
}
