//! Control flow between blocks (`cf`).

use super::super::{Row, flags::*};

pub const ROWS: &[Row] = &[
    Row { name: "cf.br", operands: "args*", props: "", forms: &["^dest(args) {}"], flags: TERMINATOR },
    Row {
        name: "cf.cond_br",
        operands: "condition trueArgs* falseArgs*",
        props: "branch_weights:i32s?",
        forms: &["%condition ['weights' '(' $branch_weights ')'] ',' ^trueDest(trueArgs) ',' ^falseDest(falseArgs) {}"],
        flags: TERMINATOR,
    },
    Row { name: "cf.assert", operands: "arg", props: "msg:str", forms: &["%arg ',' $msg {}"], flags: 0 },
];
