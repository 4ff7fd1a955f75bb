// A terminator of another operation than the one around it, and a function inside a branch.
module {
  tt.func public @f(%c: i1) {
    scf.if %c {
      "tt.func"() <{function_type = () -> (), sym_name = "inner", sym_visibility = "private"}> ({ // expected-error: must be directly inside `builtin.module`
        tt.return
      }) : () -> ()
    }
    "scf.yield"() : () -> () // expected-error: must be directly inside `scf.for` or `scf.if` or `scf.while` or `scf.execute_region` or `scf.index_switch` or `scf.parallel` or `scf.forall`
  }
}
