//! Dropping operations that nothing uses, effects or not, and functions that nothing calls.

use super::{Candidate, body, dies_with, edit_each, is_linked};
use crate::ir::{Module, OpId};
use tritonsmith_reducer::{Site, Step};

/// Drops operations whose results nothing uses (stores, loops without results, dead code), with all that dies with them.
#[derive(Debug)]
pub struct DropUnused {
    /// Leave what dies with them: a failure may need a use that is itself unused.
    pub alone: bool,
}

impl Step<Candidate> for DropUnused {
    fn name(&self) -> &str {
        if self.alone { "drop unused operations alone" } else { "drop unused operations" }
    }

    fn prior(&self) -> f64 {
        0.3
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let uses = module.uses();
        let unused = |op: &OpId| module.op(*op).results.iter().all(|result| uses[result.index()].is_empty());
        let ops = body(module).into_iter().filter(unused);
        ops.map(|op| Site::new(u64::from(op.0), if self.alone { 1 } else { dies_with(module, op, &uses) })).collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        if !self.alone {
            return edit_each(candidate, sites, unlink);
        }
        let mut module = candidate.module.clone();
        let mut changed = false;
        for site in sites {
            changed |= unlink(&mut module, site.id);
        }
        changed.then(|| Candidate::new(module))
    }
}

fn unlink(module: &mut Module, site: u64) -> bool {
    let op = OpId(site as u32);
    let linked = is_linked(module, op);
    if linked {
        module.unlink(op);
    }
    linked
}

/// Drops functions that nothing refers to, as long as one is left.
#[derive(Debug)]
pub struct DropFunctions;

impl Step<Candidate> for DropFunctions {
    fn name(&self) -> &str {
        "drop functions"
    }

    fn prior(&self) -> f64 {
        0.9
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let functions = module.functions();
        if functions.len() < 2 {
            return Vec::new();
        }
        let free = functions.into_iter().filter(|&function| !module.is_called(function));
        free.map(|op| Site::new(u64::from(op.0), module.walk_from(op).len() as u32)).collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        if sites.len() >= candidate.module.functions().len() {
            return None;
        }
        edit_each(candidate, sites, unlink)
    }
}
