// One name for two values, where the first is still visible; a name may be used again where it is not.
module {
  tt.func public @f(%p: !tt.ptr<i32>, %c: i1, %n: i32) {
    scf.if %c {
      %x = arith.addi %n, %n : i32
      tt.store %p, %x : !tt.ptr<i32>
    }
    %x = arith.muli %n, %n : i32
    %x = arith.subi %n, %n : i32 // expected-error: value is defined twice
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }
}
