//! Arithmetic on integers, floats and tensors of them (`arith`).

use super::super::{Row, flags::*};

/// `%lhs, %rhs : type`, with nothing else to say.
const fn binary(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result",
        props: "",
        forms: &["%lhs ',' %rhs {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

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

/// A division or right shift, which may promise that nothing is cut off (Triton 3.6 and later).
const fn exact(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result",
        props: "isExact:unit?",
        forms: &["%lhs ',' %rhs ['exact' $isExact] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

/// Both halves of a wide product.
const fn wide_product(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> low=lhs high=lhs",
        props: "",
        forms: &["%lhs ',' %rhs {} ':' :lhs"],
        flags: PURE | ELEMENTWISE,
    }
}

/// A sum or difference and its carry.
const fn carrying(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result overflow",
        props: "",
        forms: &["%lhs ',' %rhs {} ':' :result ',' :overflow"],
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

/// The same with a rounding mode, which Triton 3.9's MLIR added.
const fn rounded(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result",
        props: "roundingmode:Rounding? fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%lhs ',' %rhs [$roundingmode] ['fastmath' $fastmath] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    }
}

/// `%in : from to to`.
const fn cast(name: &'static str) -> Row {
    Row { name, operands: "in -> out", props: "", forms: &["%in {} ':' :in 'to' :out"], flags: PURE | ELEMENTWISE }
}

/// A widening of unsigned numbers, which may promise that they are not negative.
const fn unsigned_cast(name: &'static str) -> Row {
    Row {
        name,
        operands: "in -> out",
        props: "nonNeg:unit?",
        forms: &["%in ['nneg' $nonNeg] {} ':' :in 'to' :out"],
        flags: PURE | ELEMENTWISE,
    }
}

/// A change of float format that may round.
const fn rounding_cast(name: &'static str) -> Row {
    Row {
        name,
        operands: "in -> out",
        props: "roundingmode:Rounding? fastmath:~arith.fastmath?",
        forms: &["%in [$roundingmode] ['fastmath' $fastmath] {} ':' :in 'to' :out"],
        flags: PURE | ELEMENTWISE,
    }
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
    integer("arith.shli"),
    binary("arith.andi"),
    binary("arith.ori"),
    binary("arith.xori"),
    binary("arith.remsi"),
    binary("arith.remui"),
    binary("arith.ceildivsi"),
    binary("arith.ceildivui"),
    binary("arith.floordivsi"),
    binary("arith.maxsi"),
    binary("arith.maxui"),
    binary("arith.minsi"),
    binary("arith.minui"),
    exact("arith.divsi"),
    exact("arith.divui"),
    exact("arith.shrsi"),
    exact("arith.shrui"),
    carrying("arith.addui_extended"),
    carrying("arith.subui_extended"),
    wide_product("arith.mulsi_extended"),
    wide_product("arith.mului_extended"),
    rounded("arith.addf"),
    rounded("arith.subf"),
    rounded("arith.mulf"),
    rounded("arith.divf"),
    float("arith.remf"),
    float("arith.maximumf"),
    float("arith.maxnumf"),
    float("arith.minimumf"),
    float("arith.minnumf"),
    Row {
        name: "arith.negf",
        operands: "operand -> result",
        props: "fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["%operand ['fastmath' $fastmath] {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.flush_denormals",
        operands: "operand -> result",
        props: "",
        forms: &["%operand {} ':' :result"],
        flags: PURE | ELEMENTWISE,
    },
    cast("arith.extsi"),
    cast("arith.sitofp"),
    cast("arith.fptosi"),
    cast("arith.fptoui"),
    cast("arith.bitcast"),
    cast("arith.index_cast"),
    cast("arith.index_castui"),
    unsigned_cast("arith.extui"),
    unsigned_cast("arith.uitofp"),
    rounding_cast("arith.truncf"),
    rounding_cast("arith.convertf"),
    Row {
        name: "arith.extf",
        operands: "in -> out",
        props: "fastmath:~arith.fastmath?",
        forms: &["%in ['fastmath' $fastmath] {} ':' :in 'to' :out"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.trunci",
        operands: "in -> out",
        props: "overflowFlags:~arith.overflow=#arith.overflow<none>",
        forms: &["%in ['overflow' $overflowFlags] {} ':' :in 'to' :out"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.scaling_extf",
        operands: "in scale -> out",
        props: "fastmath:~arith.fastmath?",
        forms: &["%in ',' %scale ['fastmath' $fastmath] {} ':' :in ',' :scale 'to' :out"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.scaling_truncf",
        operands: "in scale -> out",
        props: "roundingmode:Rounding? fastmath:~arith.fastmath?",
        forms: &["%in ',' %scale [$roundingmode] ['fastmath' $fastmath] {} ':' :in ',' :scale 'to' :out"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.cmpi",
        operands: "lhs rhs -> result=i1(lhs)",
        props: "predicate:CmpI",
        forms: &["$predicate ',' %lhs ',' %rhs {} ':' :lhs"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.cmpf",
        operands: "lhs rhs -> result=i1(lhs)",
        props: "predicate:CmpF fastmath:~arith.fastmath=#arith.fastmath<none>",
        forms: &["$predicate ',' %lhs ',' %rhs ['fastmath' $fastmath] {} ':' :lhs"],
        flags: PURE | ELEMENTWISE,
    },
    Row {
        name: "arith.select",
        operands: "condition true false -> result",
        props: "",
        forms: &["!select"],
        flags: PURE | ELEMENTWISE,
    },
];
