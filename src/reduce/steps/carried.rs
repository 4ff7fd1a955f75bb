//! Values carried through loops and out of branches, dropped one by one.

use super::{Candidate, edit_each, is_linked, pair, unpair};
use crate::ir::{Module, OpId, OpKind};
use tritonsmith_reducer::{Site, Step};

/// A loop no longer carries a value: inside and behind it stands what went in. A branch no longer gives a result that
/// nothing uses.
#[derive(Debug)]
pub struct DropCarried;

impl Step<Candidate> for DropCarried {
    fn name(&self) -> &str {
        "drop carried values"
    }

    fn prior(&self) -> f64 {
        0.3
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let uses = module.uses();
        let mut sites = Vec::new();
        for op in module.walk() {
            let results = &module.op(op).results;
            for (index, result) in results.iter().enumerate() {
                let droppable = match module.kind(op) {
                    OpKind::ScfFor => true,
                    OpKind::ScfIf => uses[result.index()].is_empty(),
                    _ => false,
                };
                if droppable {
                    sites.push(Site::new(pair(op.0, index as u32), 1));
                }
            }
        }
        // From the last to the first, so that positions stay right within a chunk.
        sites.reverse();
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        let mut sites = sites.to_vec();
        sites.sort_by_key(|site| std::cmp::Reverse(site.id));
        edit_each(candidate, &sites, |module, site| {
            let (op, index) = unpair(site);
            let op = OpId(op);
            is_linked(module, op) && drop_carried(module, op, index as usize).is_some()
        })
    }
}

fn drop_carried(module: &mut Module, op: OpId, index: usize) -> Option<()> {
    let result = *module.op(op).results.get(index)?;
    if module.kind(op) == OpKind::ScfFor {
        let init = *module.op(op).operands.get(3 + index)?;
        let body = module.entry(op)?;
        let argument = *module.block(body).arguments.get(1 + index)?;
        module.replace_many(&[(result, init), (argument, init)].into_iter().collect());
        module.remove_block_argument(body, 1 + index);
        module.remove_operand(op, 3 + index);
    }
    for region in module.op(op).regions.clone() {
        for block in module.region(region).blocks.clone() {
            if let Some(&terminator) = module.block(block).ops.last() {
                module.remove_operand(terminator, index);
            }
        }
    }
    module.remove_result(op, index).then_some(())
}
