//! Structured control flow (`scf`).

use super::super::{Row, flags::*};

pub const ROWS: &[Row] = &[
    Row {
        name: "scf.for",
        operands: "lower upper step inits* -> results*",
        props: "unsignedCmp:unit?",
        forms: &["!for"],
        flags: 0,
    },
    Row { name: "scf.if", operands: "condition -> results*", props: "", forms: &["!if"], flags: 0 },
    Row { name: "scf.while", operands: "inits* -> results*", props: "", forms: &["!while"], flags: 0 },
    Row {
        name: "scf.yield",
        operands: "results*",
        props: "",
        forms: &["{} [%results ':' :results]"],
        flags: TERMINATOR,
    },
    Row {
        name: "scf.condition",
        operands: "condition args*",
        props: "",
        forms: &["'(' %condition ')' {} [%args ':' :args]"],
        flags: TERMINATOR,
    },
    Row {
        name: "scf.execute_region",
        operands: "-> results*",
        props: "no_inline:unit?",
        forms: &[
            "['->' :results] ['no_inline' $no_inline] <body> {}",
            "'->' '(' :results ')' ['no_inline' $no_inline] <body> {}",
        ],
        flags: 0,
    },
];
