//! Number types made narrower, or one with another, wherever they stand.

use super::element_types::ElementTypes;
use super::flow::{one_to_one, retype};
use super::{Candidate, gain, pair, unpair};
use crate::ir::{AttrsId, Interners, Module, OpKind, Trait, ValueId};
use std::cmp::Ordering;
use tritonsmith_reducer::{Site, TestCase};

/// What a element type may become, the most wanted first: what Triton's kernels are written in anyway.
const NARROWER: [(&str, &[&str]); 4] =
    [("f64", &["f16", "f32"]), ("f32", &["f16"]), ("bf16", &["f16"]), ("i64", &["i32"])];

/// Classes of values (`ElementTypes`), each with the element types that it may get.
pub(super) fn sites(module: &Module) -> Vec<Site> {
    let mut sites = Vec::new();
    for (first, members) in ElementTypes::of(module).classes(module) {
        let count = narrower(module, first).len() as u32;
        sites.extend((0..count).map(|index| Site::new(pair(first.0, index), gain(members.len()))));
    }
    sites
}

/// A class gets a narrower element type; conversions that do nothing then go.
pub(super) fn narrow(module: &mut Module, site: u64) -> Option<()> {
    let (first, index) = unpair(site);
    let classes = ElementTypes::of(module).classes(module);
    let (first, members) = classes.into_iter().find(|(root, _)| *root == ValueId(first))?;
    let wanted = narrower(module, first).get(index as usize)?;
    let mut types = Vec::new();
    for member in members {
        let ty = module.value(member).ty;
        types.extend(module.interners.with_number(ty, wanted).map(|ty| (member, ty)));
    }
    retype(module, &types);
    Some(())
}

/// Conversions that now go the other way are turned round. One float type in place of another of its width is worth it
/// only where that leaves one type less.
pub(super) fn accept(before: &Candidate, mut after: Candidate) -> Option<Candidate> {
    let turned = turn_casts(&mut after.module).then(|| Candidate::new(after.module))?;
    (turned.cost() < before.cost()).then_some(turned)
}

fn narrower(module: &Module, value: ValueId) -> &'static [&'static str] {
    let number = module.interners.number(module.value(value).ty);
    NARROWER.iter().find(|(from, _)| Some(*from) == number).map_or(&[], |(_, to)| to)
}

/// Gives widening and narrowing conversions the name that suits their types. False where there is none: between two float
/// types of one width, say.
fn turn_casts(module: &mut Module) -> bool {
    for op in module.walk() {
        let kind = module.kind(op);
        let cast = one_to_one(module, op).filter(|_| kind.has(Trait::CastOpInterface));
        let Some((from, to)) = cast else { continue };
        let bits = |value| module.interners.number(module.value(value).ty).and_then(Interners::bits);
        let (Some(from), Some(to)) = (bits(from), bits(to)) else { continue };
        let new = match (kind, from.cmp(&to)) {
            (OpKind::ArithExtf | OpKind::ArithTruncf, Ordering::Less) => OpKind::ArithExtf,
            (OpKind::ArithExtf | OpKind::ArithTruncf, Ordering::Greater) => OpKind::ArithTruncf,
            (OpKind::ArithExtsi | OpKind::ArithExtui | OpKind::ArithTrunci, Ordering::Equal) => return false,
            (OpKind::ArithExtf | OpKind::ArithTruncf, Ordering::Equal) => return false,
            (OpKind::ArithExtsi | OpKind::ArithExtui, Ordering::Greater) => OpKind::ArithTrunci,
            (OpKind::ArithTrunci, Ordering::Less) => OpKind::ArithExtsi,
            _ => continue,
        };
        if new != kind {
            module.set_kind(op, new);
            // Flags say what holds of one direction only.
            module.op_mut(op).props = AttrsId::EMPTY;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::tests::all_at_once;
    use super::*;

    #[test]
    fn conversions_that_become_idle_go() {
        let text = "\
module {
  tt.func @f(%arg0: tensor<8xf16>) -> tensor<8xf32> {
    %0 = arith.extf %arg0 : tensor<8xf16> to tensor<8xf32>
    %1 = arith.addf %0, %0 : tensor<8xf32>
    tt.return %1 : tensor<8xf32>
  }
}
";
        let wanted = "\
module {
  tt.func @f(%arg0: tensor<8xf16>) -> tensor<8xf16> {
    %0 = arith.addf %arg0, %arg0 : tensor<8xf16>
    tt.return %0 : tensor<8xf16>
  }
}
";
        assert_eq!(all_at_once("narrow a element type", text), wanted);
    }

    #[test]
    fn numbers_that_do_not_fit_stay() {
        let text = "\
module {
  tt.func @f(%arg0: i64) -> i64 {
    %c9000000000_i64 = arith.constant 9000000000 : i64
    %0 = arith.addi %arg0, %c9000000000_i64 : i64
    tt.return %0 : i64
  }
}
";
        assert_eq!(sites(&crate::ir::parse(text).expect("a module")), []);
    }
}
