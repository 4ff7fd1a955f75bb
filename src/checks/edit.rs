//! The transformations of the reducer must keep valid modules valid.

use super::{Alarm, CheckResult, reads_back};
use crate::generate::{GeneratorSettings, generate};
use crate::ir::{Module, PrintOptions, print};
use crate::oracle::judge;
use crate::reduce::{Candidate, steps};
use arbitrary::Unstructured;
use tritonsmith_reducer::{Site, Step};

/// Most transformations applied in sequence.
const EDITS: usize = 24;
/// Bytes that choose the transformations; the rest generates the module.
const CHOICES: usize = 3 * EDITS;
/// Most sites that a transformation gets at once.
const CHUNK: usize = 8;

/// Random transformations at random sites keep a generated module valid, and it survives printing and parsing.
///
/// # Errors
/// A transformation broke the module.
pub fn edit(bytes: &[u8]) -> CheckResult {
    let (choices, rest) = bytes.split_at(CHOICES.min(bytes.len()));
    let module =
        generate(&GeneratorSettings { operations: 120, ..GeneratorSettings::default() }, &mut Unstructured::new(rest))
            .module;
    edit_module(module, choices)
}

/// [`edit()`] of any valid module. Three bytes choose a transformation, a site and the number of sites.
///
/// # Errors
/// A transformation broke the module.
pub(crate) fn edit_module(module: Module, choices: &[u8]) -> CheckResult {
    let all = &steps::ALL;
    let mut candidate = Candidate::new(module);
    for choice in choices.chunks_exact(3) {
        let &[which, place, count] = choice else { break };
        let Some(step) = all.get(usize::from(which) % all.len()) else { break };
        let sites = sites_at(&step.sites(&candidate), place, count, step);
        let Some(next) = (!sites.is_empty()).then(|| step.apply(&candidate, &sites)).flatten() else { continue };
        let report = judge(&next.module);
        if !report.is_valid() {
            let what = format!("`{}` at {sites:?} breaks the module: {report}", step.name());
            return Err(Alarm::new(what, candidate.text()));
        }
        reads_back(&next.module, &PrintOptions::default()).map_err(|alarm| Alarm {
            what: format!("after `{}` at {sites:?}: {}", step.name(), alarm.what),
            text: print(&candidate.module, &PrintOptions::default()),
        })?;
        candidate = next;
    }
    Ok(())
}

/// Neighbouring sites, best gain first, as the engine passes them.
fn sites_at(all: &[Site], place: u8, count: u8, step: &dyn Step<Candidate>) -> Vec<Site> {
    if all.is_empty() {
        return Vec::new();
    }
    let count = if step.chunkable() { 1 + usize::from(count) % CHUNK } else { 1 };
    let start = usize::from(place) * all.len() / 256;
    let mut sites: Vec<Site> = all.iter().skip(start).take(count).copied().collect();
    sites.sort_by_key(|site| std::cmp::Reverse(site.gain));
    sites
}
