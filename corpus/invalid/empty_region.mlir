// A loop without a body, and a branch that has results and only one way.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
    "scf.for"(%n, %n, %n) ({ // expected-error: region #0 must have a block
    }) : (i32, i32, i32) -> ()
    %r = "scf.if"(%c) ({ // expected-error: with results, it needs region #1
      scf.yield %n : i32
    }, {
    }) : (i1) -> i32
    tt.store %p, %r : !tt.ptr<i32>
    tt.return
  }
}
