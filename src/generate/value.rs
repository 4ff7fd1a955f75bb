//! Types and values of the generator: an element type, whether it is a pointer to that, and a shape. IR types are made
//! from them only when an operation is created.

use crate::ir::ValueId;
use smallvec::SmallVec;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Scalar {
    I1,
    I8,
    I16,
    I32,
    I64,
    F8E5M2,
    F16,
    BF16,
    F32,
    F64,
}

impl Scalar {
    /// MLIR's keyword.
    pub fn word(self) -> &'static str {
        match self {
            Scalar::I1 => "i1",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::F8E5M2 => "f8E5M2",
            Scalar::F16 => "f16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// Triton's spelling in mangled names.
    pub fn mangled(self) -> &'static str {
        match self {
            Scalar::F8E5M2 => "fp8e5",
            Scalar::F16 => "fp16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "fp32",
            Scalar::F64 => "fp64",
            integer => integer.word(),
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Scalar::I1 => 1,
            Scalar::I8 | Scalar::F8E5M2 => 8,
            Scalar::I16 | Scalar::F16 | Scalar::BF16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::F64 => 64,
        }
    }

    pub fn is_float(self) -> bool {
        self >= Scalar::F8E5M2
    }

    /// An integer type other than `i1`.
    pub fn is_integer(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Whether the front end computes elementary functions and divisions in this type; it widens others first.
    pub fn is_wide_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }
}

/// Sizes, outermost first; empty for a scalar.
pub(super) type Shape = SmallVec<[u32; 4]>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Ty {
    pub scalar: Scalar,
    /// Whether it is a pointer to the scalar, or a tensor of such pointers.
    pub pointer: bool,
    pub shape: Shape,
}

impl Ty {
    pub fn scalar(scalar: Scalar) -> Ty {
        Ty { scalar, pointer: false, shape: Shape::new() }
    }

    pub fn tensor(scalar: Scalar, shape: &[u32]) -> Ty {
        Ty { scalar, pointer: false, shape: shape.into() }
    }

    pub fn pointer(scalar: Scalar) -> Ty {
        Ty { scalar, pointer: true, shape: Shape::new() }
    }

    /// The same with another shape.
    pub fn shaped(&self, shape: &[u32]) -> Ty {
        Ty { shape: shape.into(), ..self.clone() }
    }

    /// The same shape with this element type, and not a pointer.
    pub fn of(&self, scalar: Scalar) -> Ty {
        Ty { scalar, pointer: false, shape: self.shape.clone() }
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    pub fn is_tensor(&self) -> bool {
        !self.shape.is_empty()
    }

    /// Number of elements, 1 for a scalar.
    pub fn count(&self) -> u64 {
        self.shape.iter().map(|&size| u64::from(size)).product()
    }

    pub fn is_float(&self) -> bool {
        !self.pointer && self.scalar.is_float()
    }

    pub fn is_integer(&self) -> bool {
        !self.pointer && self.scalar.is_integer()
    }

    pub fn is_mask(&self) -> bool {
        !self.pointer && self.scalar == Scalar::I1
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Val {
    pub id: ValueId,
    pub ty: Ty,
}

/// A constant's value, for any element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Integer(i64),
    One,
    Half,
    Two,
    Minus,
    Log2E,
    NegativeInfinity,
    PositiveInfinity,
}

impl Number {
    pub const ZERO: Number = Number::Integer(0);

    /// The literal as MLIR prints it.
    pub fn digits(self, scalar: Scalar) -> String {
        if !scalar.is_float() {
            return match self {
                Number::Integer(number) => number.to_string(),
                Number::Two => "2".to_owned(),
                Number::Minus => "-1".to_owned(),
                // The ends of the range: what the front end starts a maximum or minimum with.
                Number::NegativeInfinity => (-1i64 << (scalar.bits() - 1)).to_string(),
                Number::PositiveInfinity => {
                    ((1i64 << (scalar.bits() - 2)) - 1 + (1i64 << (scalar.bits() - 2))).to_string()
                }
                Number::One | Number::Half | Number::Log2E => "1".to_owned(),
            };
        }
        let infinity = match scalar {
            Scalar::F8E5M2 => ["0x7C", "0xFC"],
            Scalar::F16 => ["0x7C00", "0xFC00"],
            Scalar::BF16 => ["0x7F80", "0xFF80"],
            Scalar::F64 => ["0x7FF0000000000000", "0xFFF0000000000000"],
            _ => ["0x7F800000", "0xFF800000"],
        };
        match self {
            Number::Integer(number) => scientific(number),
            Number::One => scientific(1),
            Number::Two => scientific(2),
            Number::Minus => scientific(-1),
            Number::Half => "5.000000e-01".to_owned(),
            Number::Log2E if scalar == Scalar::F32 => "1.44269502".to_owned(),
            Number::Log2E => "1.500000e+00".to_owned(),
            Number::PositiveInfinity => infinity[0].to_owned(),
            Number::NegativeInfinity => infinity[1].to_owned(),
        }
    }
}

/// An integer as MLIR prints a float: `1.600000e+01`.
fn scientific(number: i64) -> String {
    let text = format!("{:.6e}", number as f64);
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa}e+{:0>2}", exponent),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_mlir() {
        assert_eq!(Number::Integer(16).digits(Scalar::F32), "1.600000e+01");
        assert_eq!(Number::Minus.digits(Scalar::F16), "-1.000000e+00");
        assert_eq!(Number::NegativeInfinity.digits(Scalar::I64), i64::MIN.to_string());
        assert_eq!(Number::PositiveInfinity.digits(Scalar::I32), i32::MAX.to_string());
    }
}
