// The entry block of a region has no predecessor.
module {
  "tt.func"() <{function_type = () -> (), sym_name = "fanches to the entry block of the reg", sym_visibility = "public"}> ({
  ^bb0:
    "cf.br"()[^bb1] : () -> ()
  ^bb1:
    "cf.br"()[^bb0] : () -> () // expected-error: branches to the entry block of the region
  }) : () -> ()
}
