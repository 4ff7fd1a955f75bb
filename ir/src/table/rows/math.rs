//! Elementary functions (`math`).

use super::super::{Row, flags::*};

/// `%operand fastmath<…> : type`.
const fn unary(name: &'static str) -> Row {
    Row {
        name,
        operands: "operand -> result",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%operand ['fastmath' $fastmath] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

/// A question about a float, answered with `i1`; the form spells the operand's type.
const fn class_test(name: &'static str) -> Row {
    Row {
        name,
        operands: "operand -> result=i1(operand)",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%operand ['fastmath' $fastmath] {} ':' :operand"],
        flags: PURE | ELEMENTWISE,
    }
}

/// `%lhs, %rhs fastmath<…> : type`.
const fn binary(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%lhs ',' %rhs ['fastmath' $fastmath] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

/// `%operand : type` on integers.
const fn integer(name: &'static str) -> Row {
    Row {
        name,
        operands: "operand -> result",
        props: "",
        forms: &["%operand {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

pub const ROWS: &[Row] = &[
    unary("math.absf"),
    unary("math.acos"),
    unary("math.acosh"),
    unary("math.asin"),
    unary("math.asinh"),
    unary("math.atan"),
    unary("math.atanh"),
    unary("math.cbrt"),
    unary("math.ceil"),
    unary("math.cos"),
    unary("math.cosh"),
    unary("math.erf"),
    unary("math.erfc"),
    unary("math.exp"),
    unary("math.exp2"),
    unary("math.expm1"),
    unary("math.floor"),
    unary("math.log"),
    unary("math.log10"),
    unary("math.log1p"),
    unary("math.log2"),
    unary("math.round"),
    unary("math.roundeven"),
    unary("math.rsqrt"),
    unary("math.sin"),
    unary("math.sinh"),
    unary("math.sqrt"),
    unary("math.tan"),
    unary("math.tanh"),
    unary("math.trunc"),
    class_test("math.isfinite"),
    class_test("math.isinf"),
    class_test("math.isnan"),
    class_test("math.isnormal"),
    binary("math.atan2"),
    binary("math.copysign"),
    binary("math.powf"),
    integer("math.absi"),
    integer("math.ctlz"),
    integer("math.cttz"),
    integer("math.ctpop"),
    Row {
        name: "math.ipowi",
        operands: "lhs rhs -> result",
        props: "",
        forms: &["%lhs ',' %rhs {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "math.fpowi",
        operands: "lhs rhs -> result=lhs",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%lhs ',' %rhs ['fastmath' $fastmath] {} ':' :lhs ',' :rhs"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "math.fma",
        operands: "a b c -> result",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%a ',' %b ',' %c ['fastmath' $fastmath] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "math.clampf",
        operands: "value min max -> result",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%value 'to' '[' %min ',' %max ']' ['fastmath' $fastmath] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "math.sincos",
        operands: "operand -> sin=operand cos=operand",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%operand ['fastmath' $fastmath] {} ':' :operand"],
        flags: PURE | ELEMENTWISE,
    },
];
