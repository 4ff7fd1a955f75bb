// A branch out of a region into a block of the region around it. Text cannot name such a block in MLIR's own parser.
module {
  tt.func public @f(%c: i1) {
    scf.if %c {
      "cf.br"()[^bb1] : () -> () // expected-error: block `^bb1` is never defined in this region
    }
    cf.br ^bb1
  ^bb1:
    tt.return
  }
}
