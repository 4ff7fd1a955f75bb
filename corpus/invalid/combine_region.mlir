// The region of a reduction takes two elements and gives one.
module {
  tt.func public @f(%p: !tt.ptr<f32>, %x: tensor<64xf32>) {
    %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({ // expected-error: region arguments: 1 values where 2 are taken
    ^bb0(%a: f32):
      tt.reduce.return %a : f32
    }) : (tensor<64xf32>) -> f32
    tt.store %p, %r : !tt.ptr<f32>
    tt.return
  }
}
