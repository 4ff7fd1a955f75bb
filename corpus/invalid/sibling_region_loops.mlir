// A value of one loop is used in the next one.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1  : i32 {
      %square = arith.muli %i, %i : i32
      tt.store %p, %square : !tt.ptr<i32>
    }
    scf.for %j = %c0 to %n step %c1  : i32 {
      tt.store %p, %square : !tt.ptr<i32> // expected-error: operand #1 does not dominate this use: defined in a region that is neither around nor inside this one
      tt.store %p, %i : !tt.ptr<i32> // expected-error: operand #1 does not dominate this use: defined in a region that is neither around nor inside this one
    }
    tt.return
  }
}
