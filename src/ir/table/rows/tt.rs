//! Triton's own dialect, above layouts (`tt`).

use super::super::{Row, flags::*};

pub const ROWS: &[Row] = &[
    Row { name: "builtin.module", operands: "", props: "sym_name:str?", forms: &["!module"], flags: ISOLATED | GRAPH },
    Row {
        name: "tt.func",
        operands: "",
        props: "sym_name:str function_type:type sym_visibility:str? arg_attrs:any? res_attrs:any?",
        forms: &["!func"],
        flags: ISOLATED | SYMBOL,
    },
    Row { name: "tt.return", operands: "srcs*", props: "", forms: &["{} [%srcs ':' :srcs]"], flags: TERMINATOR },
    Row {
        name: "tt.load",
        operands: "ptr mask? other? -> result=pointee(ptr)",
        props: "boundaryCheck:i32s? padding:Padding? cache:CacheModifier=1 evict:EvictionPolicy=1 isVolatile:bool=false",
        forms: &[
            "%ptr [',' %mask [',' %other]] ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] {} ':' :ptr",
        ],
        flags: READS,
    },
    Row {
        name: "tt.get_program_id",
        operands: "-> result",
        props: "axis:ProgramDim",
        forms: &["$axis {} ':' :result"],
        flags: PURE,
    },
];
