// A call with other types than the function has.
module {
  tt.func private @scale(%x: f32, %n: i32) -> f32 {
    tt.return %x : f32
  }
  tt.func public @f(%p: !tt.ptr<f32>, %x: f32) {
    %y = "tt.call"(%x) <{callee = @scale}> : (f32) -> f32 // expected-error: call: 1 values where 2 are taken
    %z = "tt.call"(%x, %x) <{callee = @scale}> : (f32, f32) -> f32 // expected-error: call: value #1 has another type than its place
    tt.store %p, %y : !tt.ptr<f32>
    tt.return
  }
}
