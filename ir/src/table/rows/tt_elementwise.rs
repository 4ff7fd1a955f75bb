//! The operations of `tt` that work element by element, on scalars as well as on tensors.

use super::super::{Row, flags::*};

/// `%src : from -> to`.
const fn cast(name: &'static str) -> Row {
    Row {
        name,
        operands: "src -> result",
        props: "",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

/// `%x : type`.
const fn unary(name: &'static str) -> Row {
    Row { name, operands: "x -> result=x", props: "", forms: &["%x {} ':' :x"], flags: PURE | ELEMENTWISE }
}

/// `%x, %y : type`.
const fn binary(name: &'static str) -> Row {
    Row { name, operands: "x y -> result=x", props: "", forms: &["%x ',' %y {} ':' :x"], flags: PURE | ELEMENTWISE }
}

pub const ROWS: &[Row] = &[
    cast("tt.int_to_ptr"),
    cast("tt.ptr_to_int"),
    cast("tt.bitcast"),
    unary("tt.precise_sqrt"),
    binary("tt.precise_divf"),
    binary("tt.approx_divf"),
    binary("tt.mulhiui"),
    Row {
        name: "tt.addptr",
        operands: "ptr offset -> result",
        props: "",
        forms: &["%ptr ',' %offset {} ':' :result ',' :offset"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "tt.fp_to_fp",
        operands: "src -> result",
        props: "rounding:FpRounding?",
        forms: &["%src {} [',' 'rounding' '=' $rounding] ':' :src '->' :result"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "tt.clampf",
        operands: "x min max -> result",
        props: "propagateNan:PropagateNan",
        forms: &["%x ',' %min ',' %max ',' 'propagateNan' '=' $propagateNan {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "tt.extern_elementwise",
        operands: "srcs* -> result",
        props: "libname:str libpath:str symbol:str pure:bool",
        forms: &["[%srcs] {} ':' fn(srcs -> result)"],
        // Pure where the attribute says so; the row must hold for all.
        flags: ELEMENTWISE,
    },
    Row {
        name: "tt.elementwise_inline_asm",
        operands: "args* -> result*",
        props: "asm_string:str constraints:str pure:bool packed_element:i32",
        forms: &["$asm_string {} [%args ':' :args] '->' :result"],
        flags: ELEMENTWISE,
    },
];
