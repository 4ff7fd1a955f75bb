//! Arithmetic on integers, floats and tensors of them (`arith`).

use super::super::{Row, flags::*};

/// `%lhs, %rhs : type`, with the flags that integer operations may carry.
const fn integer(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result",
        props: "overflowFlags:~arith.overflow=#arith.overflow<none>",
        forms: &["%lhs ',' %rhs ['overflow' $overflowFlags] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

/// `%lhs, %rhs fastmath<…> : type`.
const fn float(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%lhs ',' %rhs ['fastmath' $fastmath] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

/// `%in : from to to`.
const fn cast(name: &'static str) -> Row {
    Row { name, operands: "in -> out", props: "", forms: &["%in {} ':' :in 'to' :out"], flags: PURE | ELEMENTWISE }
}

pub const ROWS: &[Row] = &[
    Row {
        name: "arith.constant",
        operands: "-> result=attr(value)",
        props: "value:any",
        forms: &["!constant"],
        flags: PURE,
    },
    integer("arith.addi"),
    integer("arith.subi"),
    integer("arith.muli"),
    float("arith.addf"),
    float("arith.mulf"),
    cast("arith.sitofp"),
    Row {
        name: "arith.cmpi",
        operands: "lhs rhs -> result=i1(lhs)",
        props: "predicate:CmpI",
        forms: &["$predicate ',' %lhs ',' %rhs {} ':' :lhs"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.select",
        operands: "condition true false -> result",
        props: "",
        forms: &["!select"],
        flags: PURE,
    },
];
