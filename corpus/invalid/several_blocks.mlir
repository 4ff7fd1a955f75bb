// The body of a structured loop is one block.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    "scf.for"(%n, %n, %n) ({ // expected-error: region #0 may have one block only
    ^bb0(%i: i32):
      cf.br ^bb1
    ^bb1:
      tt.store %p, %i : !tt.ptr<i32>
      scf.yield
    }) : (i32, i32, i32) -> ()
    tt.return
  }
}
