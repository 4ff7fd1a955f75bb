//! What the engine shrinks: a module with its cost and its text.

use super::steps::{defined, machine};
use crate::identity::Identity;
use crate::ir::{self, Attr, AttrId, AttrsId, Interners, Module, PrintOptions};
use crate::oracle;
use std::sync::{Arc, OnceLock};
use tritonsmith_reducer::TestCase;

/// A module on its way to becoming small.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The module.
    pub module: Module,
    text: OnceLock<Arc<str>>,
}

/// What smaller means, most important first. Bytes come last: replacing a computed value by a function argument makes
/// the text longer and the module smaller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Operations inside functions, terminators of regions counted.
    pub operations: usize,
    /// Regions.
    pub regions: usize,
    /// Blocks.
    pub blocks: usize,
    /// Functions.
    pub functions: usize,
    /// Operands of operations.
    pub operands: usize,
    /// Results and arguments of blocks and functions.
    pub values: usize,
    /// Named attributes of operations and arguments.
    pub attributes: usize,
    /// Elements of all values that have a shape.
    pub elements: u64,
    /// Dimensions of all values that have a shape.
    pub dimensions: usize,
    /// Bits of the number types of all values, whatever their shape.
    pub bits: u64,
    /// Threads of a launch: warps, threads in a warp and CTAs as the module says, multiplied.
    pub threads: u64,
    /// Elements that a thread holds at a time, over all blocked layouts.
    pub held: u64,
    /// Different types.
    pub types: usize,
    /// Bytes of text.
    pub bytes: usize,
}

impl Candidate {
    /// A candidate from a module.
    pub fn new(module: Module) -> Self {
        Candidate { module, text: OnceLock::new() }
    }

    /// The text that a compiler is asked about: custom form, no locations, layouts by alias.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| ir::print(&self.module, &PrintOptions::default()).into())
    }
}

impl TestCase for Candidate {
    type Cost = Cost;

    fn cost(&self) -> Cost {
        let module = &self.module;
        let mut cost = Cost {
            operations: module.size(),
            functions: module.functions().len(),
            bytes: self.text().len(),
            ..Cost::default()
        };
        let mut types: Vec<ir::TypeId> = Vec::new();
        for op in module.walk() {
            let record = module.op(op);
            cost.operands += record.operands.len();
            cost.attributes += attributes(module, record.props) + attributes(module, record.attrs);
            types.extend(defined(module, op).map(|value| module.value(value).ty));
            for &region in &record.regions {
                let blocks = module.region(region).blocks.len();
                cost.regions += usize::from(blocks > 0);
                cost.blocks += blocks;
            }
        }
        cost.values = types.len();
        (cost.threads, cost.held) = machine(module);
        for &ty in &types {
            let sizes = module.interners.sizes(ty).unwrap_or_default();
            cost.dimensions += sizes.len();
            let elements = sizes.iter().fold(1u64, |all, &size| all.saturating_mul(size));
            cost.elements = cost.elements.saturating_add(elements);
            cost.bits += module.interners.number(ty).and_then(Interners::bits).map_or(0, u64::from);
        }
        types.sort_unstable();
        types.dedup();
        cost.types = types.len();
        cost
    }

    fn key(&self) -> u128 {
        Identity::of([self.text()]).0
    }

    fn valid(&self) -> bool {
        oracle::judge(&self.module).is_valid()
    }
}

/// How many attributes a list holds, those of arguments included.
fn attributes(module: &Module, list: AttrsId) -> usize {
    let count = |&attr: &AttrId| match module.interners.attr_data(attr) {
        Attr::Dict(list) => module.interners.attrs_data(*list).len(),
        _ => 1,
    };
    let counts = module.interners.attrs_data(list).iter().map(|&(_, value)| match module.interners.attr_data(value) {
        Attr::Array(items) => items.iter().map(count).sum(),
        _ => 1,
    });
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In FxHash these two collide whatever the seed: eight bytes meet a state that is equal to them, and what is next to
    /// them is multiplied by zero.
    #[test]
    fn keys_have_128_bits() {
        let key = |note: &str| {
            let text =
                format!("module attributes {{tt.n0165079 = \"..............QMeVe0Qx{note}..........\"}} {{\n}}\n");
            let candidate = Candidate::new(ir::parse(&text).expect("a module"));
            assert_eq!(candidate.text(), text);
            candidate.key()
        };
        let (one, other) = (key("12345678"), key("ABCDEFGH"));
        assert_ne!(one, other);
        assert_ne!(one >> 64, other >> 64);
        assert_ne!(one as u64, other as u64);
    }
}
