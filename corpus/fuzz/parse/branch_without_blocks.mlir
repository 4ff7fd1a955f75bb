// A structured branch whose block ends by leaving the function.
module {
  tt.func public @f(%c: i1) {
    "scf.if"(%c) ({ // expected-error: its region must .return"() : () -> () // expected-error: must be directly inside `tt.func`
    }, {
    }) : (i1) -> ()
    tt.return
  }
}
