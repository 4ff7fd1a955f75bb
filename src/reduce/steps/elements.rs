//! Number types made narrower, or one with another, wherever they stand.

use super::element_types::ElementTypes;
use super::flow::{remove_no_ops, retype};
use super::{Candidate, edit_each, pair, unpair};
use crate::ir::{Interners, Module, OpKind, Trait, ValueId};
use tritonsmith_reducer::{Site, Step, TestCase};

/// What a element type may become, the most wanted first: what Triton's kernels are written in anyway.
const NARROWER: [(&str, &[&str]); 4] =
    [("f64", &["f16", "f32"]), ("f32", &["f16"]), ("bf16", &["f16"]), ("i64", &["i32"])];

/// A class of values (`ElementTypes`) gets a narrower element type; conversions that become idle go, those that now go the
/// other way are turned round.
#[derive(Debug)]
pub struct NarrowElements;

impl Step<Candidate> for NarrowElements {
    fn name(&self) -> &str {
        "narrow a element type"
    }

    fn prior(&self) -> f64 {
        0.8
    }

    fn late(&self) -> bool {
        true
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let mut sites = Vec::new();
        for (first, members) in ElementTypes::of(module).classes(module) {
            let number = module.interners.number(module.value(first).ty);
            for index in 0..number.map_or(0, |number| narrower(number).len()) {
                let gain = u32::try_from(members.len()).unwrap_or(u32::MAX);
                sites.push(Site::new(pair(first.0, index as u32), gain));
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        let edited = edit_each(candidate, sites, |module, site| {
            let (first, index) = unpair(site);
            let classes = ElementTypes::of(module).classes(module);
            let Some((first, members)) = classes.into_iter().find(|(root, _)| *root == ValueId(first)) else {
                return false;
            };
            let number = module.interners.number(module.value(first).ty).map(narrower).unwrap_or_default();
            let Some(&wanted) = number.get(index as usize) else { return false };
            let mut types = Vec::new();
            for member in members {
                let ty = module.value(member).ty;
                types.extend(module.interners.with_number(ty, wanted).map(|ty| (member, ty)));
            }
            retype(module, &types);
            remove_no_ops(module);
            true
        });
        let mut edited = edited?;
        if !turn_casts(&mut edited.module) {
            return None;
        }
        // One float type in place of another of its width is worth it only where that leaves one type less.
        let edited = Candidate::new(edited.module);
        (edited.cost() < candidate.cost()).then_some(edited)
    }
}

fn narrower(number: &str) -> &'static [&'static str] {
    NARROWER.iter().find(|(from, _)| *from == number).map_or(&[], |(_, to)| to)
}

/// Gives widening and narrowing conversions the name that suits their types. False where there is none: between two float
/// types of one width, say.
fn turn_casts(module: &mut Module) -> bool {
    for op in module.walk() {
        let record = module.op(op);
        let (&[from], &[to]) = (record.operands.as_slice(), record.results.as_slice()) else { continue };
        let kind = module.kind(op);
        if !kind.has(Trait::CastOpInterface) {
            continue;
        }
        let bits = |value| module.interners.number(module.value(value).ty).and_then(Interners::bits);
        let (Some(from), Some(to)) = (bits(from), bits(to)) else { continue };
        let new = match (kind, from.cmp(&to)) {
            (OpKind::ArithExtf | OpKind::ArithTruncf, std::cmp::Ordering::Less) => OpKind::ArithExtf,
            (OpKind::ArithExtf | OpKind::ArithTruncf, std::cmp::Ordering::Greater) => OpKind::ArithTruncf,
            (OpKind::ArithExtsi | OpKind::ArithExtui | OpKind::ArithTrunci, std::cmp::Ordering::Equal) => return false,
            (OpKind::ArithExtf | OpKind::ArithTruncf, std::cmp::Ordering::Equal) => return false,
            (OpKind::ArithExtsi | OpKind::ArithExtui, std::cmp::Ordering::Greater) => OpKind::ArithTrunci,
            (OpKind::ArithTrunci, std::cmp::Ordering::Less) => OpKind::ArithExtsi,
            _ => continue,
        };
        if new != kind {
            module.set_kind(op, new);
            // Flags say what holds of one direction only.
            module.op_mut(op).props = crate::ir::AttrsId::EMPTY;
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
        assert_eq!(all_at_once(&NarrowElements, text), wanted);
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
        assert_eq!(NarrowElements.sites(&Candidate::new(crate::ir::parse(text).expect("a module"))), []);
    }
}
