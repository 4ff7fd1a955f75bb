// All operands and results of an addition have one type.
module {
  tt.func @f(%a: tensor<64xf32>, %b: tensor<64xf16>, %p: tensor<64x!tt.ptr<f32>>) {
    %sum = "arith.addf"(%a, %b) : (tensor<64xf32>, tensor<64xf16>) -> tensor<64xf32> // expected-error: the types of all operands and results do not match
    tt.return
  }
}
